import { Flags } from '@oclif/core'
import { BaseCommand } from '../../../src/cli/command/base-command.js'
import { readKey } from '../../../src/cli/settings/key.js'
import { usageError } from '../../../src/cli/terminal/failure.js'
import { LedgerError } from '../../../src/model/errors.js'

export default class KeyPopCreate extends BaseCommand {
  static override description =
    `Create the proof of possession of a BLS key, which proves that its owner knows the private key.
With --into the proof is written into the entry of the key in a topology file.`
  static override examples = [
    '<%= config.bin %> key pop create --key-file keys/validator.json',
    '<%= config.bin %> key pop create --key-file keys/validator.json --into topology.json',
  ]
  static override flags = {
    into: Flags.string({ description: 'topology file whose entry of this key receives the proof' }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(KeyPopCreate)
    const file = flags['key-file'] ?? process.env.CAUSEWAY_KEY_FILE
    if (file === undefined) throw usageError('the BLS key is missing', 'Give --key-file.')
    const pair = await readKey(file)
    if (pair.publicKey.algorithm !== 'bls') {
      throw new LedgerError('key_file_invalid', `${file}: proofs of possession require BLS keys`, {
        hint: 'Create one with `causeway key generate --algorithm bls`.',
      })
    }
    const { createPop } = await import('../../../src/crypto/bls-pop.js')
    const { formatPublicKey } = await import('../../../src/crypto/keys.js')
    const key = formatPublicKey(pair.publicKey)
    const pop = createPop(pair.secret).toString('hex')
    if (flags.into !== undefined) {
      const { putPop } = await import('../../../src/cli/setup/topology-file.js')
      await putPop(flags.into, key, pop)
      this.out.note(`wrote the proof into ${flags.into}`)
    }
    this.out.result({ public_key: key, pop }, pop)
  }
}
