/** Owns the control figures of a group header: number of transactions, control sum and settlement total. */
import type { Findings } from './draft.js'
import { type PaymentFamily, placePath } from './families.js'
import { type Amount, formatAmount, readDecimal, sameAmount, sumOf } from './values/amount.js'
import { attributeOf, childrenNamed, type XmlElement } from './xml/element.js'
import type { SourceText } from './xml/source.js'

/** Compares the figures with the transactions; a message of several transactions is refused whole. */
export function checkTotals(body: XmlElement, family: PaymentFamily, source: SourceText, { faults }: Findings): void {
  const header = childrenNamed(body, 'GrpHdr')[0]
  const transactions = childrenNamed(body, 'CdtTrfTxInf')
  const second = transactions[1]
  if (second !== undefined) {
    faults.add({
      code: 'transactions_several',
      path: `/Document/${family.body}/CdtTrfTxInf[2]`,
      at: source.place(second.offset),
      value: `${transactions.length} transactions`,
      expected: 'one transaction',
      reasonCode: 'NARR',
      hint: 'A message is booked whole or not at all: send each payment in a message of its own.',
    })
  }
  const element = (name: string): XmlElement | undefined => {
    const found = childrenNamed(header, name)[0]
    return found === undefined || faults.covers(placePath(family.body, `G/${name}`)) ? undefined : found
  }
  const refuse = (found: XmlElement, name: string, expected: string, reasonCode: 'AM10' | 'AM18', code: string) =>
    faults.add({
      code,
      path: placePath(family.body, `G/${name}`),
      at: source.place(found.offset),
      value: found.text.trim(),
      expected,
      reasonCode,
      hint: 'The figure contradicts the transactions of the message.',
    })

  const count = element('NbOfTxs')
  if (count !== undefined && BigInt(count.text) !== BigInt(transactions.length)) {
    refuse(count, 'NbOfTxs', String(transactions.length), 'AM18', 'transaction_count')
  }
  const amounts = transactions.map((transaction) => childrenNamed(transaction, 'IntrBkSttlmAmt')[0])
  const sum = sumOf(amounts.map((amount) => (amount === undefined ? undefined : readDecimal(amount.text))))
  if (sum === undefined) return
  const control = element('CtrlSum')
  if (control !== undefined && !matches(control.text, sum))
    refuse(control, 'CtrlSum', formatAmount(sum), 'AM10', 'control_sum')
  const settlement = element('TtlIntrBkSttlmAmt')
  if (settlement === undefined) return
  if (!matches(settlement.text, sum))
    refuse(settlement, 'TtlIntrBkSttlmAmt', formatAmount(sum), 'AM10', 'settlement_total')
  const currency = attributeOf(settlement, 'Ccy')
  if (amounts.some((amount) => amount !== undefined && attributeOf(amount, 'Ccy') !== currency)) {
    refuse(
      settlement,
      'TtlIntrBkSttlmAmt/@Ccy',
      'the currency of the transactions',
      'AM10',
      'settlement_total_currency',
    )
  }
}

function matches(text: string, sum: Amount): boolean {
  const read = readDecimal(text)
  return read !== undefined && sameAmount(read, sum)
}
