import { ListCommand } from '../../src/cli/command/list-command.js'
import { pageFlags } from '../../src/cli/gateway/pages.js'
import { eventNameOf } from '../../src/cli/rwa/classes.js'
import { lotArg, lotPath } from '../../src/cli/rwa/forms.js'

export default class RwaHistory extends ListCommand {
  static override description = 'List the events of a lot in the blocks that the node stores, newest first.'
  static override examples = ['<%= config.bin %> rwa history gold#bank/1']
  static override args = lotArg
  static override flags = pageFlags

  async run(): Promise<void> {
    const { args, flags } = await this.parse(RwaHistory)
    const columns = { HEIGHT: 'height', TIME: 'time_ms', EVENT: { named: eventNameOf }, TRANSACTION: 'transaction' }
    await this.list(flags, ({ rwas }) => rwas.history, columns, { texts: { params: lotPath(args.lot) } })
  }
}
