/** Owns the output of validation results: a valid message in full, many as one line per fault. */
import type { IsoFault, MessageResult, ParsedMessage } from '../../features/iso20022/message/index.js'
import { formatAmount } from '../../features/iso20022/message/values/amount.js'
import { EXIT, LedgerError } from '../../model/errors.js'
import { pairs } from '../command/output.js'
import { inputName } from '../input/input.js'

/** A valid message as JSON and as text. */
export function messageView(
  message: ParsedMessage,
  warnings: readonly unknown[],
): { readonly view: Record<string, unknown>; readonly text: string } {
  const { family, definition, payment, fields } = message
  if (payment === undefined) {
    const values = Object.fromEntries(fields.map(({ name, value }) => [name, value]))
    const view = { valid: true, family, definition, bookable: false, fields: values, warnings }
    return { view, text: pairs([['valid', definition], ...fields.map(({ name, value }) => [name, value] as const)]) }
  }
  const amount = formatAmount(payment.amount)
  const view = {
    valid: true,
    family,
    definition,
    bookable: true,
    message_id: payment.messageId,
    amount,
    currency: payment.currency,
    settlement_date: payment.settlementDate,
    debtor_iban: payment.debtorIban,
    creditor_iban: payment.creditorIban,
    debtor_bic: payment.debtorBic,
    creditor_bic: payment.creditorBic,
    instructing_bic: payment.instructingBic,
    instructed_bic: payment.instructedBic,
    end_to_end_id: payment.endToEndId,
    uetr: payment.uetr,
    purpose: payment.purpose,
    warnings,
  }
  const text = pairs([
    ['valid', definition],
    ['message id', payment.messageId],
    ['amount', `${amount} ${payment.currency}`],
    ['settlement', payment.settlementDate],
    ['debtor', payment.debtorIban],
    ['creditor', payment.creditorIban],
  ])
  return { view, text }
}

/** Validation result of one of many files. */
export interface ValidationResult {
  readonly file: string
  readonly valid: boolean
  readonly family: string | undefined
  readonly stage: string | undefined
  readonly faults: readonly ReturnType<FaultJson>[]
  readonly warnings: readonly ReturnType<FaultJson>[]
  readonly exit: number
}

type FaultJson = (fault: IsoFault) => Omit<IsoFault, 'reasonCode'> & { readonly reason_code: string }

/** Validation results of files, in their order. */
export async function verdictsOf(
  files: readonly string[],
  parse: (file: string) => Promise<MessageResult>,
  json: FaultJson,
): Promise<ValidationResult[]> {
  const verdicts: ValidationResult[] = []
  /** File of the first payment of each UETR. */
  const uetrs = new Map<string, string>()
  for (const path of files) {
    const file = inputName(path)
    const refuse = (stage: string, faults: readonly IsoFault[], exit: number) =>
      verdicts.push({ file, valid: false, family: undefined, stage, faults: faults.map(json), warnings: [], exit })
    const result = await parse(path).catch(asLedgerError)
    if (result instanceof LedgerError) {
      refuse('unread', [unreadable(file, result)], result.exit)
      continue
    }
    if (!result.ok) {
      refuse(result.stage, result.faults, EXIT.badInput)
      continue
    }
    const { family, payment } = result.message
    const before = payment?.uetr === undefined ? undefined : uetrs.get(payment.uetr)
    if (payment?.uetr !== undefined && before === undefined) uetrs.set(payment.uetr, file)
    const repeated = before === undefined ? [] : [repeatedUetr(payment?.uetr ?? '', before)]
    const warnings = [...result.warnings, ...repeated].map(json)
    verdicts.push({ file, valid: true, family, stage: undefined, faults: [], warnings, exit: EXIT.ok })
  }
  return verdicts
}

/** An error of the catalogue as a value: it is about one file, and the others have their verdicts. Throws what is a bug. */
function asLedgerError(error: unknown): LedgerError {
  if (error instanceof LedgerError) return error
  throw error
}

/** What is told of a file that cannot be read. */
const unreadable = (value: string, { code, message, hint = '' }: LedgerError): IsoFault => ({
  code,
  path: '/',
  line: 0,
  column: 0,
  value,
  expected: `a file that can be read: ${message}`,
  reasonCode: 'NARR',
  hint,
})

const repeatedUetr = (value: string, file: string): IsoFault => ({
  code: 'uetr_duplicate',
  path: 'PmtId/UETR',
  line: 0,
  column: 0,
  value,
  expected: `a UETR of its own: ${file} has the same one`,
  reasonCode: 'DU03',
  hint: 'A gateway warns about it or refuses it.',
})

/** One line per fault and per warning, as compilers print them, and a last line with the count. */
export function validityLines(verdicts: readonly ValidationResult[]): string {
  const lines = verdicts.flatMap(({ file, faults, warnings }) => {
    const lineOf = (one: ReturnType<FaultJson>, kind: string): string =>
      `${file}:${one.line}:${one.column}: ${kind}${one.code} ${one.path}: found "${one.value}", expected ${one.expected} [${one.reason_code}]`
    return [...faults.map((one) => lineOf(one, '')), ...warnings.map((one) => lineOf(one, 'warning: '))]
  })
  const refused = verdicts.filter((one) => !one.valid).length
  lines.push(`${verdicts.length - refused} of ${verdicts.length} valid`)
  return lines.join('\n')
}
