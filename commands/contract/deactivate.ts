import { Flags } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { contractArg } from '../../src/cli/contract/forms.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { instructions as contracts } from '../../src/features/contracts/schema/instructions.js'

export default class ContractDeactivate extends LedgerCommand {
  static override description =
    'Deactivate a contract that you own: it can no longer be called; its state and its account are kept.'
  static override examples = [
    '<%= config.bin %> contract deactivate token@bank --reason replaced --key-file alice.json',
  ]
  static override args = contractArg
  static override flags = {
    reason: Flags.string({ description: 'reason, for other users', default: '' }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ContractDeactivate)
    const settings = await this.settings(flags)
    await this.send(flags, async ({ read }) => {
      const { addressOf } = await import('../../src/cli/contract/forms.js')
      const { withGateway } = await import('../../src/cli/gateway/gateway.js')
      const address = await withGateway(settings, (client) => addressOf(client, args.contract))
      return [read(contracts.deactivateContract, { address, reason: flags.reason })]
    })
  }
}
