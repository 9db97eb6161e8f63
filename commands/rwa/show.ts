import { ReadCommand } from '../../src/cli/command/read-command.js'
import { lotArg, lotPath } from '../../src/cli/rwa/forms.js'

export default class RwaShow extends ReadCommand {
  static override description = 'Show a lot, live or spent: its holder, quantity, papers, holds and parents.'
  static override examples = ['<%= config.bin %> rwa show gold#bank/1']
  static override args = lotArg

  async run(): Promise<void> {
    const { args, flags } = await this.parse(RwaShow)
    await this.show(flags, ({ rwas }) => rwas.lot, { params: lotPath(args.lot) })
  }
}
