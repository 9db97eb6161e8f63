import { Flags } from '@oclif/core'
import { ReadCommand } from '../../src/cli/command/read-command.js'

export default class ConsensusCertificates extends ReadCommand {
  static override description = 'Show the latest commit certificates, newest first.'
  static override examples = [
    '<%= config.bin %> consensus certificates',
    '<%= config.bin %> consensus certificates --limit 3 --json',
  ]
  static override flags = {
    limit: Flags.integer({ description: 'maximum number of heights', default: 20, min: 1, max: 128 }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(ConsensusCertificates)
    await this.show(flags, ({ peers }) => peers.certificates, { query: { limit: flags.limit } })
  }
}
