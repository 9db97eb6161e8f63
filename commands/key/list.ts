import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { table } from '../../src/cli/terminal/output.js'

export default class KeyList extends BaseCommand {
  static override description =
    `List the key files of a folder: algorithm, public key, address, and whether a passphrase encrypts the key or a program holds it.
No secret is read. Other files are skipped.`
  static override examples = ['<%= config.bin %> key list keys', '<%= config.bin %> key list --json']
  static override args = { folder: Args.string({ description: 'folder', default: '.', ignoreStdin: true }) }
  static override flags = {
    'address-prefix': Flags.string({ description: 'prefix of the addresses of the chain', default: 'cw' }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(KeyList)
    const { keysOfFolder } = await import('../../src/cli/settings/key-view.js')
    const keys = await keysOfFolder(args.folder, flags['address-prefix'])
    const rows = keys.map(({ key_file, algorithm, sealed, held_elsewhere, mode, address, public_key }) => [
      key_file,
      algorithm,
      held_elsewhere ? 'held by a program' : sealed ? 'sealed' : 'unencrypted',
      mode,
      address ?? public_key,
    ])
    const text =
      rows.length === 0
        ? `${args.folder}: no key files`
        : table(['FILE', 'ALGORITHM', 'SECRET', 'MODE', 'ADDRESS OR KEY'], rows)
    this.out.result({ keys }, text)
  }
}
