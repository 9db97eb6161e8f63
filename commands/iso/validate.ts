import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/base-command.js'
import { inputName, readInput } from '../../src/cli/input.js'
import { faultsOf } from '../../src/cli/iso.js'
import { pairs } from '../../src/cli/output.js'

export default class IsoValidate extends BaseCommand {
  static override description = `Check a message without a node: form, structure, values, totals.
A refused message exits 4 with every fault of its stage: path, line, what was found, what is expected, ISO reason.`
  static override examples = [
    '<%= config.bin %> iso validate payment.xml',
    '<%= config.bin %> iso validate - --family pacs.008 --json < payment.xml',
  ]
  static override args = {
    file: Args.string({ description: 'message, or - for standard input', required: true, ignoreStdin: true }),
  }
  static override flags = {
    family: Flags.option({ options: ['pacs.008', 'pacs.009'] as const, description: 'the only family accepted' })(),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(IsoValidate)
    const { MAX_BODY_BYTES, faultJson, formatAmount, parsePayment } = await import(
      '../../src/features/iso20022/message/index.js'
    )
    // One byte more than the parser takes, so that it is the parser that refuses what is larger.
    const body = await readInput(args.file, Math.max(MAX_BODY_BYTES + 1, 32 * 1024 * 1024))
    const result = parsePayment(body, flags.family === undefined ? {} : { family: flags.family })
    if (!result.ok) throw faultsOf(inputName(args.file), result.stage, result.faults)
    const { payment, warnings } = result
    const view = {
      valid: true,
      family: payment.family,
      definition: payment.definition,
      message_id: payment.messageId,
      amount: formatAmount(payment.amount),
      currency: payment.currency,
      settlement_date: payment.settlementDate,
      debtor_iban: payment.debtorIban,
      creditor_iban: payment.creditorIban,
      end_to_end_id: payment.endToEndId,
      uetr: payment.uetr,
      warnings: warnings.map(faultJson),
    }
    const text = pairs([
      ['valid', payment.definition],
      ['message id', payment.messageId],
      ['amount', `${view.amount} ${payment.currency}`],
      ['settlement', payment.settlementDate],
      ['debtor', payment.debtorIban],
      ['creditor', payment.creditorIban],
    ])
    for (const one of warnings) this.out.note(`note: ${one.path}: ${one.code}, expected ${one.expected}`)
    this.out.result(view, text)
  }
}
