import { Args } from '@oclif/core'
import { writeFlags } from '../../../src/cli/command/flags.js'
import { LedgerCommand } from '../../../src/cli/ledger/command.js'
import { instructions as contracts } from '../../../src/features/contracts/schema/instructions.js'

export default class ContractAliasRelease extends LedgerCommand {
  static override description = 'Release an alias from its contract.'
  static override examples = ['<%= config.bin %> contract alias release token@bank --key-file alice.json']
  static override args = {
    alias: Args.string({ description: 'alias label@domain', required: true, ignoreStdin: true }),
  }
  static override flags = writeFlags

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ContractAliasRelease)
    await this.send(flags, ({ read }) => [read(contracts.releaseContractAlias, { ...args })])
  }
}
