import { Flags } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { draftedId, subscriptionArgs, subscriptionFlags } from '../../src/cli/subscription/forms.js'
import { mandateFlags } from '../../src/cli/subscription/mandate.js'
import { instructions } from '../../src/features/subscriptions/schema/instructions.js'

export default class SubscriptionChange extends LedgerCommand {
  static override description =
    `Change the plan of a subscription to another of the same provider and asset, or its mandate.
The unused part of a paid period becomes credit, and a period of the new plan begins. The id of the subscription stays the same.`
  static override examples = [
    '<%= config.bin %> subscription change bob@bank/news --plan daily --key-file carol.json',
    '<%= config.bin %> subscription change bob@bank/news --max "5 eur#bank" --key-file carol.json',
  ]
  static override args = subscriptionArgs
  static override flags = {
    plan: Flags.string({ description: 'name of the new plan (default: the current plan)' }),
    max: Flags.string({
      description: 'maximum of a charge, for example "5 eur#bank" (default: the current mandate)',
    }),
    ...mandateFlags,
    ...subscriptionFlags,
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(SubscriptionChange)
    const { agreedPlan } = await import('../../src/cli/subscription/plan.js')
    const { mandateOf } = await import('../../src/cli/subscription/mandate.js')
    const { getView, textOf, viewOf } = await import('../../src/cli/gateway/gateway.js')
    const { account, reference, max } = flags
    await this.send(flags, async (drafting) => {
      const id = await draftedId(drafting, { text: args.subscription, account, reference })
      const view = await getView(drafting.client, ({ subscriptions }) => subscriptions.show, { params: { id } })
      const now = viewOf(view.subscription)
      const [provider = '', before = ''] = [textOf(now.provider), textOf(now.plan)]
      const plan = flags.plan ?? before
      const { hash, terms } = await agreedPlan(drafting, { provider, plan })
      const mandate = max === undefined ? null : await mandateOf({ ...flags, max }, textOf(terms.asset), drafting.asset)
      const { changeSubscriptionPlan } = instructions
      return [drafting.read(changeSubscriptionPlan, { subscription: id, plan, plan_hash: hash, mandate })]
    })
  }
}
