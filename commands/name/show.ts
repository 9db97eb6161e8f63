import { Flags } from '@oclif/core'
import { ReadCommand } from '../../src/cli/command/read-command.js'
import { nameArg, readableName } from '../../src/cli/names/forms.js'

export default class NameShow extends ReadCommand {
  static override description = `Show a name: its owner, its account, its standing and its terms.
An assigned name belongs to the owner of its domain, who can give it to another account.`
  static override examples = ['<%= config.bin %> name show desk@bank', '<%= config.bin %> name show desk@bank --at 120']
  static override args = nameArg
  static override flags = { at: Flags.integer({ description: 'height (default: the last one)', min: 0 }) }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(NameShow)
    const texts = { params: { name: await readableName(args.name) }, query: { at: flags.at } }
    await this.show(flags, ({ names }) => names.name, texts)
  }
}
