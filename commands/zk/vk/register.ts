import { Args } from '@oclif/core'
import { writeFlags } from '../../../src/cli/command/flags.js'
import { LedgerCommand } from '../../../src/cli/ledger/command.js'
import { keyFlags, keyJson } from '../../../src/cli/zk/forms.js'
import { instructions as zk } from '../../../src/features/zk/schema.js'

export default class ZkVkRegister extends LedgerCommand {
  static override description = 'Register a verifying key, as a holder of CanManageVerifyingKeys.'
  static override examples = [
    '<%= config.bin %> zk vk register conference-roster --circuit conference-roster-v1 --key-file admin.json',
  ]
  static override args = { name: Args.string({ description: 'name of the key', required: true, ignoreStdin: true }) }
  static override flags = {
    ...keyFlags,
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ZkVkRegister)
    const key = await keyJson(args.name, flags)
    await this.send(flags, ({ read }) => [read(zk.registerVerifyingKey, { ...key })])
  }
}
