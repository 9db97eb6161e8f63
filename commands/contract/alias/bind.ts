import { Args } from '@oclif/core'
import { writeFlags } from '../../../src/cli/command/flags.js'
import { accountArg } from '../../../src/cli/input/texts.js'
import { LedgerCommand } from '../../../src/cli/ledger/command.js'
import { instructions as contracts } from '../../../src/features/contracts/schema/instructions.js'

export default class ContractAliasBind extends LedgerCommand {
  static override description = 'Bind an alias to a contract of its domain, replacing an earlier binding.'
  static override examples = ['<%= config.bin %> contract alias bind token@bank cw1… --key-file alice.json']
  static override args = {
    alias: Args.string({ description: 'alias label@domain', required: true, ignoreStdin: true }),
    address: accountArg({ description: 'address of the contract', required: true, ignoreStdin: true }),
  }
  static override flags = writeFlags

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ContractAliasBind)
    await this.send(flags, ({ read }) => [read(contracts.bindContractAlias, { ...args })])
  }
}
