import { writeFlags } from '../../src/cli/command/flags.js'
import { attachFlag, callFlags, contractArg, entrypointArg } from '../../src/cli/contract/forms.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'

export default class ContractCall extends LedgerCommand {
  static override description = 'Call a contract in a transaction, which costs the gas that it used.'
  static override examples = [
    `<%= config.bin %> contract call token@bank transfer --args '{"to":"cw1…","amount":"2.5"}' --key-file alice.json`,
    '<%= config.bin %> contract call escrow@bank fund --attach usd#bank=100 --key-file alice.json',
  ]
  static override args = { ...contractArg, ...entrypointArg }
  static override flags = { ...callFlags, ...attachFlag, ...writeFlags }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ContractCall)
    const settings = await this.settings(flags)
    const { callInstruction } = await import('../../src/cli/contract/call.js')
    await this.send(flags, async (signing) => [await callInstruction(settings, { ...args, ...flags }, signing)])
  }
}
