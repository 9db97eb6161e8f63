import { writeFlags } from '../../src/cli/command/flags.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { holdArg, lotArg, reasonFlag } from '../../src/cli/rwa/forms.js'
import { instructions } from '../../src/features/rwas/schema/instructions.js'

export default class RwaRelease extends LedgerCommand {
  static override description = 'Release a legal hold on a lot, as the owner of its class or a holder of CanControl.'
  static override examples = ['<%= config.bin %> rwa release gold#bank/1 1 --reason settled --key-file admin.json']
  static override args = { ...lotArg, ...holdArg }
  static override flags = { ...reasonFlag, ...writeFlags }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(RwaRelease)
    const { lot, hold } = args
    await this.send(flags, ({ read }) => [read(instructions.releaseRwa, { lot, hold, reason: flags.reason })])
  }
}
