import { Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { getView, withStreams } from '../../src/cli/gateway/gateway.js'
import { followChanges } from '../../src/cli/gateway/tail.js'
import { proposalArg } from '../../src/cli/gov/forms.js'
import { changeLine, statusText } from '../../src/cli/gov/show.js'

export default class GovWatch extends BaseCommand {
  static override description = 'Print each change of a proposal, one line each, NDJSON with --json.'
  static override examples = ['<%= config.bin %> gov watch 1', '<%= config.bin %> gov watch 1 --until enacted']
  static override args = proposalArg
  static override flags = {
    until: Flags.option({
      options: ['voting', 'approved', 'enacted', 'rejected', 'withdrawn', 'cancelled', 'expired', 'failed'] as const,
      description: 'exit once it has this status',
    })(),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(GovWatch)
    const params = { id: String(args.proposal) }
    const exit = await withStreams(await this.settings(flags), (client) =>
      followChanges(this.out, {
        read: () => getView(client, ({ gov }) => gov.proposal, { params }),
        changeOf: changeLine,
        isLast: (view) => statusText(view) === flags.until,
      }),
    )
    this.exitWith(exit)
  }
}
