import { Args, Flags } from '@oclif/core'
import { writeFlags } from '../../../src/cli/command/flags.js'
import { LedgerCommand } from '../../../src/cli/ledger/command.js'
import { keyFlags, keyJson } from '../../../src/cli/zk/forms.js'
import { instructions as zk } from '../../../src/features/zk/schema.js'

export default class ZkVkSet extends LedgerCommand {
  static override description = 'Change a verifying key, as a holder of CanManageVerifyingKeys.'
  static override examples = [
    '<%= config.bin %> zk vk set conference-roster --circuit conference-roster-v1 --version 2 --status withdrawn --key-file admin.json',
  ]
  static override args = { name: Args.string({ description: 'name of the key', required: true, ignoreStdin: true }) }
  static override flags = {
    version: Flags.integer({
      description: 'version of the key: the current one plus one',
      required: true,
      min: 2,
    }),
    ...keyFlags,
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ZkVkSet)
    const key = await keyJson(args.name, flags)
    await this.send(flags, ({ read }) => [read(zk.updateVerifyingKey, { ...key, version: flags.version })])
  }
}
