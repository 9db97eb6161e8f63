/** Owns the checks across the payments of a message: number, control sum, settlement total, and repeated ids. */
import type { Draft, Findings } from './draft.js'
import type { MessageElements } from './extract.js'
import { PAYMENT_ELEMENT, type PaymentFamily, placePath } from './families.js'
import { type FaultInput, type Place, type SplitFaults, WHOLE_BODY } from './fault.js'
import { type Amount, formatAmount, readDecimal, sameAmount, sumOf } from './values/amount.js'
import { attributeOf, childNamed, type XmlElement } from './xml/element.js'
import type { SourceText } from './xml/source.js'

/** Fault of a message with too many payments; `path` is the path of a payment without its number. */
export function paymentCountFault(path: string, at: Place | undefined, count: number, max: number): FaultInput {
  const common = {
    path: `${path}[2]`,
    at: at ?? WHOLE_BODY,
    value: `${count} transactions`,
    reasonCode: 'NARR',
  } as const
  return max === 1
    ? {
        ...common,
        code: 'transactions_several',
        expected: 'one transaction',
        hint: 'A message is booked whole or not at all: send each payment in a separate message.',
      }
    : {
        ...common,
        code: 'transactions_too_many',
        expected: `at most ${max} transactions`,
        hint: 'Send them in several messages.',
      }
}

/** Control figures of a message. */
export interface ControlFigures {
  /** Text and place of a figure; undefined if it is absent or has a fault. */
  figure(name: FigureName): { readonly text: string; readonly path: string; readonly at: Place } | undefined
}
type FigureName = 'NbOfTxs' | 'CtrlSum' | 'TtlIntrBkSttlmAmt'

const CONTRADICTION = 'The figure contradicts the transactions of the message.'

/** Fault of a total whose currency differs from the currency of a payment, without its position. */
export const totalCurrencyFault = {
  code: 'settlement_total_currency',
  expected: 'the currency of the transactions',
  reasonCode: 'AM10',
  hint: CONTRADICTION,
} as const

/**
 * Compare figures with the number and the amounts of the payments; sums are not compared if an amount is unreadable.
 */
export function checkFigures(
  { figure }: ControlFigures,
  amounts: readonly (Amount | undefined)[],
  { faults }: Findings,
): void {
  const compare = (
    name: FigureName,
    expected: string,
    reasonCode: 'AM10' | 'AM18',
    code: string,
    isRight: (text: string) => boolean,
  ): void => {
    const found = figure(name)
    if (found === undefined || isRight(found.text)) return
    const { text, path, at } = found
    faults.add({ code, path, at, value: text.trim(), expected, reasonCode, hint: CONTRADICTION })
  }
  const count = amounts.length
  compare('NbOfTxs', String(count), 'AM18', 'transaction_count', (text) => BigInt(text) === BigInt(count))
  const sum = sumOf(amounts)
  if (sum === undefined) return
  const isSum = (text: string): boolean => {
    const read = readDecimal(text)
    return read !== undefined && sameAmount(read, sum)
  }
  compare('CtrlSum', formatAmount(sum), 'AM10', 'control_sum', isSum)
  compare('TtlIntrBkSttlmAmt', formatAmount(sum), 'AM10', 'settlement_total', isSum)
}

/**
 * Compare the figures of a group header with the payments, and the currency of the total with the currencies of the
 * payments.
 */
export function checkTotals(
  { group, payments }: MessageElements,
  family: PaymentFamily,
  source: SourceText,
  findings: Findings,
): void {
  const { faults } = findings
  const element = (name: FigureName): XmlElement | undefined => {
    const found = childNamed(group, name)
    return found === undefined || faults.covers(placePath(family.body, `G/${name}`)) ? undefined : found
  }
  const figure: ControlFigures['figure'] = (name) => {
    const found = element(name)
    return found && { text: found.text, path: placePath(family.body, `G/${name}`), at: source.place(found.offset) }
  }
  const amounts = payments.map((payment) => childNamed(payment, 'IntrBkSttlmAmt'))
  const total = element('TtlIntrBkSttlmAmt')
  const read = amounts.map((amount) => (amount === undefined ? undefined : readDecimal(amount.text)))
  checkFigures({ figure }, read, findings)
  if (total === undefined || read.includes(undefined)) return
  const currency = attributeOf(total, 'Ccy')
  if (amounts.every((amount) => amount === undefined || attributeOf(amount, 'Ccy') === currency)) return
  faults.add({
    ...totalCurrencyFault,
    path: placePath(family.body, 'G/TtlIntrBkSttlmAmt/@Ccy'),
    at: source.place(total.offset),
    value: total.text.trim(),
  })
}

/** Ids that must be unique among the payments of a message. */
const UNIQUE = ['transactionId', 'uetr'] as const

/** Refuse payments with an id of an earlier payment of the message. */
export function checkRepeated(drafts: readonly (Draft | undefined)[], faults: SplitFaults): void {
  for (const name of UNIQUE) {
    /** Place of the first payment with each id. */
    const first = new Map<string, number>()
    for (const [at, draft] of drafts.entries()) {
      const found = draft?.fields.get(name)
      if (found === undefined) continue
      const { value, where } = found
      const earlier = first.get(value)
      if (earlier === undefined) {
        first.set(value, at + 1)
        continue
      }
      faults.of(at + 1).add({
        code: 'payment_repeated',
        value,
        ...where(),
        expected: `a unique id; ${PAYMENT_ELEMENT}[${earlier}] has the same`,
        reasonCode: 'AM05',
        hint: 'Each payment of a message has its own TxId and UETR.',
      })
    }
  }
}
