import { Args, Flags } from '@oclif/core'
import { secretFlags, WebhookCommand } from '../../src/cli/webhook/command.js'

export default class WebhookCreate extends WebhookCommand {
  static override description =
    `Add a webhook: the node sends committed events to your endpoint, at least once and in order.
Each --filter is a comma-separated list of event fields, as for \`events watch\`; an event that matches one of the filters is sent.`
  static override examples = [
    '<%= config.bin %> webhook create https://bank.example/hooks --filter kind=Transferred --secret-out hook.secret --key-file alice.json',
    '<%= config.bin %> webhook create https://bank.example/hooks --filter subject=asset,asset=eur#bank --from-height 1 --key-file alice.json',
  ]
  static override args = {
    url: Args.string({ description: 'https URL of the endpoint', required: true, ignoreStdin: true }),
  }
  static override flags = {
    filter: Flags.string({ description: 'field=value,...; may be repeated', multiple: true, helpValue: 'FILTER' }),
    'from-height': Flags.integer({
      aliases: ['from'],
      deprecateAliases: true,
      description: 'first height of the events (default: the next block)',
      min: 1,
    }),
    ...secretFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(WebhookCreate)
    const { filtersJson } = await import('../../src/cli/webhook/filters.js')
    const filters = await filtersJson(await this.settings(flags), flags.filter ?? [])
    const record = await this.ask(
      flags,
      ({ create }) => create,
      {},
      { url: args.url, filters, from: flags['from-height'] ?? null },
    )
    await this.secretResult(record, flags['secret-out'], `webhook ${String(record.id)} is active`)
  }
}
