import { BaseCommand } from '../../src/cli/command/base-command.js'
import { cellsOf } from '../../src/cli/command/columns.js'
import { directoryOf } from '../../src/cli/gateway/directory.js'
import { withGateway } from '../../src/cli/gateway/gateway.js'
import { agreementArgs, agreementId, partyFlag } from '../../src/cli/repo/forms.js'
import { agreementFields, agreementWithExposure } from '../../src/cli/repo/show.js'
import { pairs } from '../../src/cli/terminal/output.js'
import type { Json } from '../../src/codec/index.js'

export default class RepoShow extends BaseCommand {
  static override description = 'Show an agreement: parties, terms, status, contents of its vault, and exposure.'
  static override examples = ['<%= config.bin %> repo show R1', '<%= config.bin %> repo show R1 --json']
  static override args = agreementArgs
  static override flags = partyFlag

  async run(): Promise<void> {
    const { args, flags } = await this.parse(RepoShow)
    const settings = await this.settings(flags)
    await withGateway(settings, async (client) => {
      const view = await agreementWithExposure(client, await agreementId(client, args.agreement, flags.account))
      const names = await directoryOf(client, settings.gateway, view as Json)
      const cells = cellsOf(agreementFields, view, names)
      this.out.result(view, pairs(Object.keys(agreementFields).map((title, at) => [title, cells[at]])))
    })
  }
}
