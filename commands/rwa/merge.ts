import { Args } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { lotsOf } from '../../src/cli/rwa/forms.js'
import { instructions } from '../../src/features/rwas/schema/instructions.js'

export default class RwaMerge extends LedgerCommand {
  static override description =
    'Join lots of the same class, grade and expiry into a new one with the papers of the first. The key must hold them.'
  static override examples = ['<%= config.bin %> rwa merge gold#bank/1 gold#bank/2 --key-file alice.json']
  static override args = {
    lot: Args.string({ description: 'lots, as name#domain/number', required: true, ignoreStdin: true }),
  }
  static override flags = writeFlags
  static override strict = false

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(RwaMerge)
    const lots = lotsOf(argv)
    await this.send(flags, ({ read }) => [read(instructions.mergeRwa, { lots })])
  }
}
