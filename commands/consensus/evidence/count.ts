import { ReadCommand } from '../../../src/cli/command/read-command.js'

export default class ConsensusEvidenceCount extends ReadCommand {
  static override description = 'Show the number of proven faults on the chain.'
  static override examples = [
    '<%= config.bin %> consensus evidence count',
    '<%= config.bin %> consensus evidence count --json',
  ]

  async run(): Promise<void> {
    const { flags } = await this.parse(ConsensusEvidenceCount)
    await this.show(flags, ({ peers }) => peers.evidenceCount)
  }
}
