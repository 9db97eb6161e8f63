import { Args } from '@oclif/core'
import { ReadCommand } from '../../src/cli/command/read-command.js'
import { hashOf } from '../../src/cli/input/values.js'

export default class ConsensusCommitQc extends ReadCommand {
  static override description = 'Show the commit certificate of a block.'
  static override examples = [
    '<%= config.bin %> consensus commit-qc 5f0c...',
    '<%= config.bin %> consensus commit-qc 5f0c... --json',
  ]
  static override args = { hash: Args.string({ description: 'hash of the block', required: true, ignoreStdin: true }) }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ConsensusCommitQc)
    await this.show(flags, ({ peers }) => peers.commitQc, { params: { hash: hashOf(args.hash) } })
  }
}
