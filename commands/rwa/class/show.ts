import { ReadCommand } from '../../../src/cli/command/read-command.js'
import { classArg } from '../../../src/cli/rwa/forms.js'

export default class RwaClassShow extends ReadCommand {
  static override description = 'Show a class: its terms, the powers of its issuer, its quantity and income.'
  static override examples = ['<%= config.bin %> rwa class show gold#bank']
  static override args = classArg

  async run(): Promise<void> {
    const { args, flags } = await this.parse(RwaClassShow)
    await this.show(flags, ({ rwas }) => rwas.class, { params: { id: args.class } })
  }
}
