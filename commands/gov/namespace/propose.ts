import { Flags } from '@oclif/core'
import { writeFlags } from '../../../src/cli/command/flags.js'
import { headingFlags } from '../../../src/cli/gov/forms.js'
import { LedgerCommand } from '../../../src/cli/ledger/command.js'
import { usageError } from '../../../src/cli/terminal/failure.js'

export default class GovNamespacePropose extends LedgerCommand {
  static override description =
    `Propose to protect domains: contracts and packages then come into them only with an approval of governance.
Each approval is an ApproveDeployment of a proposal, and is used up by one deployment.`
  static override examples = [
    '<%= config.bin %> gov namespace propose --add bank --track 0 --title "Protect bank" --key-file alice.json',
  ]
  static override flags = {
    add: Flags.string({ description: 'domain to protect', multiple: true }),
    remove: Flags.string({ description: 'domain whose protection ends', multiple: true }),
    ...headingFlags,
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(GovNamespacePropose)
    const { add = [], remove = [] } = flags
    if (add.length + remove.length === 0) throw usageError('no domain is given', 'Give --add or --remove.')
    const { proposalOf } = await import('../../../src/cli/gov/proposal.js')
    await this.send(flags, async (drafting) => [
      await proposalOf(drafting, flags, [{ SetProtectedNamespaces: { add, remove } }]),
    ])
  }
}
