import { BaseCommand } from '../../src/cli/command/base-command.js'
import { callFlags, contractArg, entrypointArg } from '../../src/cli/contract/forms.js'
import { accountFlag } from '../../src/cli/input/texts.js'
import { EXIT } from '../../src/model/errors.js'

export default class ContractView extends BaseCommand {
  static override description = 'Run a view of a contract on the last committed state: free and unsigned.'
  static override examples = ['<%= config.bin %> contract view token@bank totalSupply']
  static override args = { ...contractArg, ...entrypointArg }
  static override flags = {
    ...callFlags,
    caller: accountFlag({ description: 'account of the caller (default: the owner of the contract)' }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ContractView)
    const { printTrial } = await import('../../src/cli/contract/trial.js')
    const isGood = await printTrial(await this.settings(flags), this.out, ({ contracts }) => contracts.view, {
      ...args,
      ...flags,
    })
    if (!isGood) this.exitWith(EXIT.rejected)
  }
}
