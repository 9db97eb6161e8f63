import { BaseCommand } from '../../src/cli/command/base-command.js'
import { attachFlag, callFlags, contractArg, entrypointArg } from '../../src/cli/contract/forms.js'
import { accountFlag } from '../../src/cli/input/texts.js'
import { EXIT } from '../../src/model/errors.js'

export default class ContractSimulate extends BaseCommand {
  static override description =
    'Simulate a call on the last committed state: result, gas, events, and the place of a trap.'
  static override examples = ['<%= config.bin %> contract simulate token@bank totalSupply']
  static override args = { ...contractArg, ...entrypointArg }
  static override flags = {
    ...callFlags,
    ...attachFlag,
    caller: accountFlag({ description: 'account of the caller (default: the owner of the contract)' }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ContractSimulate)
    const { printTrial } = await import('../../src/cli/contract/trial.js')
    const isGood = await printTrial(await this.settings(flags), this.out, ({ contracts }) => contracts.simulate, {
      ...args,
      ...flags,
    })
    if (!isGood) this.exitWith(EXIT.rejected)
  }
}
