import { Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { amountsOf } from '../../src/cli/gateway/directory.js'
import { getView, textOf, viewOf, withStreams } from '../../src/cli/gateway/gateway.js'
import { followChanges } from '../../src/cli/gateway/tail.js'
import { subscriptionArgs, subscriptionFlags, subscriptionId } from '../../src/cli/subscription/forms.js'
import { changeLine, statusText } from '../../src/cli/subscription/show.js'
import type { Json } from '../../src/codec/index.js'

export default class SubscriptionWatch extends BaseCommand {
  static override description =
    'Print each change of the status and the invoice of a subscription, one line each, NDJSON with --json.'
  static override examples = [
    '<%= config.bin %> subscription watch bob@bank/news --account carol@bank',
    '<%= config.bin %> subscription watch bob@bank/news --account carol@bank --until active',
  ]
  static override args = subscriptionArgs
  static override flags = {
    ...subscriptionFlags,
    until: Flags.option({
      options: ['trialing', 'active', 'past_due', 'suspended', 'paused', 'canceled'] as const,
      description: 'exit once it has this status',
    })(),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(SubscriptionWatch)
    const settings = await this.settings(flags)
    const { account, reference, until } = flags
    const exit = await withStreams(settings, async (client) => {
      const id = await subscriptionId(client, settings, { text: args.subscription, account, reference })
      return followChanges(this.out, {
        read: () => getView(client, ({ subscriptions }) => subscriptions.show, { params: { id } }),
        changeOf: changeLine,
        textOf: async (view) => changeLine(view, await amountsOf(client, view as Json)),
        isLast: (view) => statusText(textOf(viewOf(view.subscription).status)) === until,
      })
    })
    this.exitWith(exit)
  }
}
