import { ReadCommand } from '../../src/cli/command/read-command.js'

export default class ConsensusPacemaker extends ReadCommand {
  static override description = 'Show the timer of the current view, in milliseconds.'
  static override examples = ['<%= config.bin %> consensus pacemaker', '<%= config.bin %> consensus pacemaker --json']

  async run(): Promise<void> {
    const { flags } = await this.parse(ConsensusPacemaker)
    await this.show(flags, ({ consensus }) => consensus.pacemaker)
  }
}
