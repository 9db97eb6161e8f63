import { Flags } from '@oclif/core'
import { ReadCommand } from '../../../src/cli/command/read-command.js'

export default class ConsensusEvidenceList extends ReadCommand {
  static override description =
    'Show proven faults on the chain, newest first. With --json each contains the two signed messages.'
  static override examples = [
    '<%= config.bin %> consensus evidence list',
    '<%= config.bin %> consensus evidence list --kind DoubleProposal --limit 5 --json',
  ]
  static override flags = {
    limit: Flags.integer({ description: 'maximum number of records', default: 50, min: 1, max: 1000 }),
    offset: Flags.integer({ description: 'number of records to skip', default: 0, min: 0 }),
    kind: Flags.string({ description: 'only faults of this kind' }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(ConsensusEvidenceList)
    const { limit, offset, kind } = flags
    await this.show(flags, ({ peers }) => peers.evidence, { query: { limit, offset, kind } })
  }
}
