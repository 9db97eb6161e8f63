import { Flags } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { planArg, planText, referenceFlag } from '../../src/cli/subscription/forms.js'
import { mandateFlags } from '../../src/cli/subscription/mandate.js'
import { instructions } from '../../src/features/subscriptions/schema/instructions.js'

export default class SubscriptionCreate extends LedgerCommand {
  static override description =
    `Subscribe to a plan within a mandate: the provider charges the prices of the plan, and at most --max at a time.
The terms are shown before the key signs their hash. Without a trial the first charge is made at once.`
  static override examples = [
    '<%= config.bin %> subscription create bob@bank/news --max "1 eur#bank" --key-file carol.json',
    '<%= config.bin %> subscription create bob@bank/cloud --max "20 eur#bank" --max-total "200 eur#bank" --valid-until 2027-12-31 --key-file carol.json',
  ]
  static override args = planArg
  static override flags = {
    max: Flags.string({ description: 'maximum of a charge, for example "1 eur#bank"', required: true }),
    ...mandateFlags,
    ...referenceFlag,
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(SubscriptionCreate)
    const { agreedPlan } = await import('../../src/cli/subscription/plan.js')
    const { mandateOf } = await import('../../src/cli/subscription/mandate.js')
    const { textOf } = await import('../../src/cli/gateway/gateway.js')
    const named = planText(args.plan)
    await this.send(flags, async (drafting) => {
      const provider = await drafting.account(named.provider)
      const { plan } = named
      const { hash, terms } = await agreedPlan(drafting, { provider, plan })
      const mandate = await mandateOf(flags, textOf(terms.asset), drafting.asset)
      const { reference } = flags
      return [drafting.read(instructions.subscribe, { provider, plan, plan_hash: hash, reference, mandate })]
    })
  }
}
