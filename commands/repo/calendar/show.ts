import { Args } from '@oclif/core'
import { ReadCommand } from '../../../src/cli/command/read-command.js'

export default class RepoCalendarShow extends ReadCommand {
  static override description = 'Show a calendar of business days, with the business date of the last block.'
  static override examples = ['<%= config.bin %> repo calendar show demo']
  static override args = { calendar: Args.string({ description: 'name', required: true, ignoreStdin: true }) }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(RepoCalendarShow)
    await this.show(flags, ({ repo }) => repo.calendar, { params: { name: args.calendar } })
  }
}
