import { Flags } from '@oclif/core'
import { sleep } from '../../src/base/sleep.js'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { amountsOf, NO_NAMES } from '../../src/cli/gateway/directory.js'
import { getView, textOf, viewOf, withStreams } from '../../src/cli/gateway/gateway.js'
import { subscriptionArgs, subscriptionFlags, subscriptionId } from '../../src/cli/subscription/forms.js'
import { changeLine, statusText } from '../../src/cli/subscription/show.js'
import { INTERRUPTED, interruptible } from '../../src/cli/terminal/interrupt.js'
import { leaveWithReader } from '../../src/cli/terminal/standard-output.js'
import type { Json } from '../../src/codec/index.js'

/** Delay between two polls of a subscription, in ms. */
const LOOK_MS = 500

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
    leaveWithReader()
    const exit = await withStreams(settings, async (client) => {
      const id = await subscriptionId(client, settings, { text: args.subscription, account, reference })
      return interruptible(async (signal) => {
        for (let shown = ''; !signal.aborted; ) {
          const view = await getView(client, ({ subscriptions }) => subscriptions.show, { params: { id } })
          const change = changeLine(view)
          if (change !== shown) {
            const names = this.out.json ? NO_NAMES : await amountsOf(client, view as Json)
            this.out.line(view as Json, changeLine(view, names))
          }
          shown = change
          if (statusText(textOf(viewOf(view.subscription).status)) === until) return 0
          await sleep(LOOK_MS, { signal })
        }
        return INTERRUPTED
      })
    })
    this.exitWith(exit)
  }
}
