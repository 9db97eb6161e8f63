import { Args, Flags } from '@oclif/core'
import { writeFlags } from '../../../src/cli/command/flags.js'
import { LedgerCommand } from '../../../src/cli/ledger/command.js'
import { termsFlags } from '../../../src/cli/subscription/plan.js'
import { instructions } from '../../../src/features/subscriptions/schema/instructions.js'

export default class SubscriptionPlanCreate extends LedgerCommand {
  static override description = `Create a plan that accounts can subscribe to. Its terms never change.
The key is that of the provider, which pays for the runs that charge its subscribers.`
  static override examples = [
    '<%= config.bin %> subscription plan create news --every 30d --amount "5 eur#bank" --retry 1d --retry 3d --key-file bob.json',
    '<%= config.bin %> subscription plan create cloud --monthly 31 --unit GB --unit-price "0.05 eur#bank" --included 10 --bill previous --key-file bob.json',
    '<%= config.bin %> subscription plan create news --from plan.json --key-file bob.json',
  ]
  static override args = {
    name: Args.string({ description: 'name of the plan, unique for its provider', required: true, ignoreStdin: true }),
  }
  static override flags = {
    ...termsFlags,
    from: Flags.string({
      description: 'file with the terms in JSON, or - for standard input; replaces the other flags',
      helpValue: 'FILE',
    }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(SubscriptionPlanCreate)
    const { readJsonInput } = await import('../../../src/cli/input/json.js')
    const { termsOfFile, termsOfFlags } = await import('../../../src/cli/subscription/plan.js')
    const file = flags.from === undefined ? undefined : termsOfFile(await readJsonInput(flags.from))
    await this.send(flags, async (drafting) => {
      const terms = file ?? (await termsOfFlags(flags, drafting))
      return [drafting.read(instructions.createPlan, { plan: args.name, terms })]
    })
  }
}
