import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/base-command.js'
import { readKey } from '../../src/cli/key.js'
import { pairs } from '../../src/cli/output.js'

export default class KeyShow extends BaseCommand {
  static override description = 'Show the public key and the address of a key file; never the private key.'
  static override examples = ['<%= config.bin %> key show alice.json', '<%= config.bin %> key show alice.json --json']
  static override args = { file: Args.string({ description: 'key file', required: true, ignoreStdin: true }) }
  static override flags = {
    'address-prefix': Flags.string({ description: 'human part of addresses of the chain', default: 'cw' }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(KeyShow)
    const pair = await readKey(args.file)
    const { keyView } = await import('../../src/cli/key-view.js')
    const view = keyView(args.file, pair.publicKey, flags['address-prefix'])
    const text = pairs([
      ['algorithm', view.algorithm],
      ['public key', view.public_key],
      ['address', view.address],
    ])
    this.out.result(view, text)
  }
}
