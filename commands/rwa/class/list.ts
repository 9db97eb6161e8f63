import { ListCommand } from '../../../src/cli/command/list-command.js'
import { pageFlags } from '../../../src/cli/gateway/pages.js'

export default class RwaClassList extends ListCommand {
  static override description = 'List classes of real-world assets in the order of their ids.'
  static override examples = ['<%= config.bin %> rwa class list']
  static override flags = pageFlags

  async run(): Promise<void> {
    const { flags } = await this.parse(RwaClassList)
    const columns = {
      CLASS: 'id',
      UNIT: 'unit',
      QUANTITY: 'total_quantity',
      LOTS: 'lots',
      HOLDERS: 'holders',
      PAUSED: 'paused',
    }
    await this.list(flags, ({ rwas }) => rwas.classes, columns)
  }
}
