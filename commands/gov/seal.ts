import { Args } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { accountFlag } from '../../src/cli/input/texts.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { instructions } from '../../src/features/gov/schema/instructions.js'

export default class GovSeal extends LedgerCommand {
  static override description =
    `Seal a role, so that only governance changes it and its members. Needs CanManageGovernance.
The given members must be all members of the role; a sealed role can be an electorate.`
  static override examples = [
    '<%= config.bin %> gov seal board --member alice@bank --member bob@bank --key-file admin.json',
  ]
  static override args = { role: Args.string({ description: 'role', required: true, ignoreStdin: true }) }
  static override flags = {
    member: accountFlag({ description: 'member of the role: address or alias', multiple: true, required: true }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(GovSeal)
    await this.send(flags, async ({ account, read }) => {
      const members = await Promise.all(flags.member.map((one) => account(one)))
      return [read(instructions.sealRole, { role: args.role, members })]
    })
  }
}
