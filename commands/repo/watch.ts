import { Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { amountsOf } from '../../src/cli/gateway/directory.js'
import { getView, withStreams } from '../../src/cli/gateway/gateway.js'
import { followChanges } from '../../src/cli/gateway/tail.js'
import { agreementArgs, agreementId, partyFlag } from '../../src/cli/repo/forms.js'
import { changeLine, statusText } from '../../src/cli/repo/show.js'
import type { Json } from '../../src/codec/index.js'

export default class RepoWatch extends BaseCommand {
  static override description = 'Print each change of an agreement, one line each, NDJSON with --json.'
  static override examples = ['<%= config.bin %> repo watch R1', '<%= config.bin %> repo watch R1 --until closed']
  static override args = agreementArgs
  static override flags = {
    ...partyFlag,
    until: Flags.option({
      options: ['waiting', 'open', 'late', 'defaulted', 'closed'] as const,
      description: 'exit once it has this status',
    })(),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(RepoWatch)
    const exit = await withStreams(await this.settings(flags), async (client) => {
      const id = await agreementId(client, args.agreement, flags.account)
      return followChanges(this.out, {
        read: () => getView(client, ({ repo }) => repo.agreement, { params: { id } }),
        changeOf: changeLine,
        textOf: async (view) => changeLine(view, await amountsOf(client, view as Json)),
        isLast: (view) => statusText(view) === flags.until,
      })
    })
    this.exitWith(exit)
  }
}
