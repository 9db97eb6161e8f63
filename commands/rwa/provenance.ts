import { ListCommand } from '../../src/cli/command/list-command.js'
import { pageFlags } from '../../src/cli/gateway/pages.js'
import { lotArg, lotPath } from '../../src/cli/rwa/forms.js'

export default class RwaProvenance extends ListCommand {
  static override description = 'List the ancestors of a lot, newest first.'
  static override examples = ['<%= config.bin %> rwa provenance gold#bank/5']
  static override args = lotArg
  static override flags = pageFlags

  async run(): Promise<void> {
    const { args, flags } = await this.parse(RwaProvenance)
    const columns = { LOT: 'lot', STATUS: 'status', REFERENCE: 'reference', CAUSE: 'cause', HEIGHT: 'spent_height' }
    await this.list(flags, ({ rwas }) => rwas.provenance, columns, { texts: { params: lotPath(args.lot) } })
  }
}
