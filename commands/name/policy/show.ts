import { Args } from '@oclif/core'
import { ReadCommand } from '../../../src/cli/command/read-command.js'

export default class NamePolicyShow extends ReadCommand {
  static override description = 'Show the policy of the names of a domain: who gives them, prices and terms.'
  static override examples = ['<%= config.bin %> name policy show bank']
  static override args = { domain: Args.string({ description: 'domain', required: true, ignoreStdin: true }) }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(NamePolicyShow)
    await this.show(flags, ({ names }) => names.policy, { params: { domain: args.domain } })
  }
}
