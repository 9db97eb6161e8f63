/** Owns the printing of validation results: a valid message in full, many messages as one line per fault. */
import { faultJson } from '../../features/iso20022/message/fault.js'
import type {
  IsoFault,
  MessageResult,
  ParsedMessage,
  Payment,
  ReadPayment,
} from '../../features/iso20022/message/index.js'
import { totalsOf } from '../../features/iso20022/message/sums.js'
import { formatAmount } from '../../features/iso20022/message/values/amount.js'
import { EXIT, LedgerError } from '../../model/errors.js'
import { inputName } from '../input/input.js'
import { pairs } from '../terminal/output.js'

/** Valid message as JSON and as text. `isAll`: true to include every fault of a payment instead of only the first. */
export function messageView(
  message: ParsedMessage,
  warnings: readonly unknown[],
  isAll: boolean,
): { readonly view: Record<string, unknown>; readonly text: string } {
  const { family, definition, booked, fields } = message
  const head = { valid: true, family, definition, bookable: booked !== undefined }
  if (booked === undefined) {
    const values = Object.fromEntries(fields.map(({ name, value }) => [name, value]))
    const view = { ...head, fields: values, warnings }
    return { view, text: pairs([['valid', definition], ...fields.map(({ name, value }) => [name, value] as const)]) }
  }
  const { messageId, payments } = booked
  const [first] = payments
  if (payments.length === 1 && first?.ok === true) {
    const view = { ...head, message_id: messageId, ...paymentJson(first.payment), warnings }
    return { view, text: pairs([['valid', definition], ['message id', messageId], ...paymentLines(first.payment)]) }
  }
  const { faults, reasons } = refusals(payments, isAll)
  const sound = payments.flatMap((one) => (one.ok ? [one.payment] : []))
  const sums = [...totalsOf(sound)].map(([currency, amount]) => ({ currency, amount: formatAmount(amount) }))
  const view = {
    ...head,
    message_id: messageId,
    number_of_transactions: payments.length,
    accepted: sound.length,
    rejected: payments.length - sound.length,
    reasons,
    sums,
    transactions: payments.map((one, at) => ({
      place: at + 1,
      accepted: one.ok,
      ...(one.ok ? paymentJson(one.payment) : { reason_code: one.faults[0]?.reasonCode }),
    })),
    faults: faults.map(faultJson),
    warnings,
  }
  const counts = Object.entries(reasons).map(([reason, count]) => `${count} ${reason}`)
  const text = pairs([
    ['valid', definition],
    ['message id', messageId],
    ['payments', String(payments.length)],
    ...sums.map(({ currency, amount }) => ['sum', `${amount} ${currency}`] as const),
    ['rejected', counts.length === 0 ? undefined : counts.join(', ')],
  ])
  return { view, text: [text, ...faults.map((one) => faultLine('', faultJson(one), ''))].join('\n') }
}

const paymentJson = (payment: Payment) => ({
  amount: formatAmount(payment.amount),
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
})

const paymentLines = (payment: Payment): (readonly [string, string])[] => [
  ['amount', `${formatAmount(payment.amount)} ${payment.currency}`],
  ['settlement', payment.settlementDate],
  ['debtor', payment.debtorIban],
  ['creditor', payment.creditorIban],
]

/** Faults of refused payments, either the first or all of each payment, and the number of payments per reason. */
export function refusals(
  payments: readonly ReadPayment[],
  isAll: boolean,
): { readonly faults: readonly IsoFault[]; readonly reasons: Readonly<Record<string, number>> } {
  const faults: IsoFault[] = []
  const reasons: Record<string, number> = {}
  for (const one of payments) {
    const [first] = one.ok ? [] : one.faults
    if (one.ok || first === undefined) continue
    reasons[first.reasonCode] = (reasons[first.reasonCode] ?? 0) + 1
    faults.push(...(isAll ? one.faults : [first]))
  }
  return { faults, reasons }
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

/** Validation results of files, in order. */
export async function validateFiles(
  files: readonly string[],
  parse: (file: string) => Promise<MessageResult>,
  json: FaultJson,
  isAll: boolean,
): Promise<ValidationResult[]> {
  const results: ValidationResult[] = []
  /** File of the first payment of each UETR. */
  const uetrs = new Map<string, string>()
  for (const path of files) {
    const file = inputName(path)
    const refuse = (stage: string, faults: readonly IsoFault[], exit: number) =>
      results.push({ file, valid: false, family: undefined, stage, faults: faults.map(json), warnings: [], exit })
    const result = await parse(path).catch(asLedgerError)
    if (result instanceof LedgerError) {
      refuse('unread', [unreadable(file, result)], result.exit)
      continue
    }
    if (!result.ok) {
      refuse(result.stage, allFaults(result, isAll), EXIT.badInput)
      continue
    }
    const { family, booked } = result.message
    const repeated: IsoFault[] = []
    for (const one of booked?.payments ?? []) {
      const uetr = one.ok ? one.payment.uetr : undefined
      if (uetr === undefined) continue
      const before = uetrs.get(uetr)
      if (before === undefined) uetrs.set(uetr, file)
      else if (before !== file) repeated.push(repeatedUetr(uetr, before))
    }
    const warnings = [...result.warnings, ...repeated].map(json)
    const { faults } = refusals(booked?.payments ?? [], isAll)
    const exit = faults.length === 0 ? EXIT.ok : EXIT.badInput
    results.push({ file, valid: true, family, stage: undefined, faults: faults.map(json), warnings, exit })
  }
  return results
}

/**
 * Faults of a refused message. For a message with several payments, the first fault of each faulty payment, or all
 * faults.
 */
export function allFaults(
  { faults, payments = [] }: Extract<MessageResult, { ok: false }>,
  isAll: boolean,
): readonly IsoFault[] {
  if (!isAll) return faults
  const ofPayments = new Set(payments.flatMap((one) => (one.ok ? [] : one.faults)))
  return [...faults.filter((fault) => !ofPayments.has(fault)), ...ofPayments]
}

/** Catalogue error as a value, since it concerns one file only. Rethrows bugs. */
function asLedgerError(error: unknown): LedgerError {
  if (error instanceof LedgerError) return error
  throw error
}

/** Result for a file that cannot be read. */
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

const faultLine = (where: string, one: ReturnType<FaultJson>, kind: string): string =>
  `${where}${one.line}:${one.column}: ${kind}${one.code} ${one.path}: found "${one.value}", expected ${one.expected} [${one.reason_code}]`

/** One line per fault and per warning, in the format of compilers, and a last line with the count. */
export function validityLines(results: readonly ValidationResult[]): string {
  const lines = results.flatMap(({ file, faults, warnings }) => {
    const lineOf = (one: ReturnType<FaultJson>, kind: string): string => faultLine(`${file}:`, one, kind)
    return [...faults.map((one) => lineOf(one, '')), ...warnings.map((one) => lineOf(one, 'warning: '))]
  })
  const refused = results.filter((one) => !one.valid).length
  lines.push(`${results.length - refused} of ${results.length} valid`)
  return lines.join('\n')
}
