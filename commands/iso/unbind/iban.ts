import { Args } from '@oclif/core'
import { writeFlags } from '../../../src/cli/command/flags.js'
import { LedgerCommand } from '../../../src/cli/ledger/command.js'
import { instructions as iso } from '../../../src/features/iso20022/schema/instructions.js'

export default class IsoUnbindIban extends LedgerCommand {
  static override description = 'Unbind an IBAN from its account: later payments with it are refused.'
  static override examples = ['<%= config.bin %> iso unbind iban BE24290035852938 --key-file admin.json']
  static override args = { iban: Args.string({ description: 'IBAN', required: true, ignoreStdin: true }) }
  static override flags = { ...writeFlags }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(IsoUnbindIban)
    const { ibanOf } = await import('../../../src/cli/iso/bind.js')
    const iban = ibanOf(args.iban)
    await this.send(flags, ({ read }) => [read(iso.unbindIban, { iban })])
  }
}
