import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { PASSPHRASE_ENV } from '../../src/cli/settings/key.js'
import { pairs } from '../../src/cli/terminal/output.js'

export default class KeyShow extends BaseCommand {
  static override description = 'Show the public key and the address of a key file; never the private key.'
  static override examples = ['<%= config.bin %> key show alice.json', '<%= config.bin %> key show alice.json --json']
  static override args = { file: Args.string({ description: 'key file', required: true, ignoreStdin: true }) }
  static override flags = {
    'address-prefix': Flags.string({ description: 'prefix of the addresses of the chain', default: 'cw' }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(KeyShow)
    const { readSigningKey } = await import('../../src/files/key-file.js')
    const { publicKey } = await readSigningKey(args.file, process.env[PASSPHRASE_ENV])
    const { keyView } = await import('../../src/cli/settings/key-view.js')
    const view = keyView(args.file, publicKey, flags['address-prefix'])
    const text = pairs([
      ['algorithm', view.algorithm],
      ['public key', view.public_key],
      ['address', view.address],
    ])
    this.out.result(view, text)
  }
}
