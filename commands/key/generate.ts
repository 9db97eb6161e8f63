import { Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { PASSPHRASE_ENV } from '../../src/cli/settings/key.js'

export default class KeyGenerate extends BaseCommand {
  static override description = `Create a key pair in a new key file that only its owner can read.
Set ${PASSPHRASE_ENV} to encrypt the private key with a passphrase.`
  static override examples = [
    '<%= config.bin %> key generate --out alice.json',
    '<%= config.bin %> key generate --algorithm bls --out keys/validator.json',
  ]
  static override flags = {
    algorithm: Flags.option({
      options: ['ed25519', 'secp256k1', 'bls'] as const,
      description: 'ed25519 and secp256k1 sign transactions, ed25519 identifies peers, bls signs votes',
      default: 'ed25519' as const,
    })(),
    out: Flags.string({ description: 'path of the new key file', required: true }),
    'address-prefix': Flags.string({ description: 'prefix of the addresses of the chain', default: 'cw' }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(KeyGenerate)
    const { madeKeyText, makeKeyFile } = await import('../../src/cli/settings/key-view.js')
    const view = await makeKeyFile(flags.algorithm, flags.out, flags['address-prefix'])
    this.out.result(view, madeKeyText(view))
  }
}
