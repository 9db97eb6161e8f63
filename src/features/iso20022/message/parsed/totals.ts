/** Owns the control figures of families that are parsed: numbers of transactions, control sums and totals of fields. */
import type { FaultList } from '../fault.js'
import { type Amount, formatAmount, readDecimal, sameAmount, sumOf } from '../values/amount.js'
import type { LocatedField, ReadGroup } from './read.js'
import type { Totals } from './table.js'

/** Content of a group that has control figures. */
interface Held {
  count: number
  readonly amounts: (Amount | undefined)[]
}

const plain = (name: string): string => name.replace(/\[[0-9]+\]/g, '')

/** Compare the declared totals of a message with its content. Absent totals and amounts are skipped. */
export function checkParsedTotals({ values, counts }: ReadGroup, totals: readonly Totals[], faults: FaultList): void {
  if (totals.length === 0) return
  const byName = new Map(values.map((field) => [field.name, field]))
  for (const rule of totals) {
    for (const [holder, held] of heldBy(rule, values, counts)) checkHolder(byName, rule, holder, held, faults)
  }
}

/** Groups and amounts, by the group that has their figures: its name with a trailing slash, or '' for the message. */
function heldBy(
  { within, of, amount }: Totals,
  values: readonly LocatedField[],
  counts: ReadGroup['counts'],
): ReadonlyMap<string, Held> {
  const base = within === '' ? '' : `${within}/`
  const found = new Map<string, Held>()
  const at = (name: string): Held => {
    const holder = within === '' ? '' : name.slice(0, name.indexOf('/') + 1)
    const held = found.get(holder) ?? { count: 0, amounts: [] }
    found.set(holder, held)
    return held
  }
  for (const [name, count] of counts) if (plain(name) === `${base}${of}`) at(name).count += count
  for (const { name, value } of values) {
    if (plain(name) === `${base}${of}/${amount}`) at(name).amounts.push(readDecimal(value))
  }
  return found
}

function checkHolder(
  byName: ReadonlyMap<string, LocatedField>,
  rule: Totals,
  holder: string,
  { count, amounts }: Held,
  faults: FaultList,
): void {
  const refuse = (field: LocatedField, code: string, expected: string, reasonCode: 'AM10' | 'AM18'): void =>
    faults.add({
      ...field,
      code,
      expected,
      reasonCode,
      hint: 'The figure contradicts the transactions of the message.',
    })
  const stated = byName.get(`${holder}${rule.count}`)
  if (stated !== undefined && BigInt(stated.value) !== BigInt(count)) {
    refuse(stated, 'transaction_count', String(count), 'AM18')
  }
  const sum = amounts.length === count ? sumOf(amounts) : undefined
  if (sum === undefined) return
  for (const name of rule.sums) {
    const field = byName.get(`${holder}${name}`)
    if (field !== undefined && !equalsSum(field.value, sum)) refuse(field, 'control_sum', formatAmount(sum), 'AM10')
  }
}

function equalsSum(text: string, sum: Amount): boolean {
  const read = readDecimal(text)
  return read !== undefined && sameAmount(read, sum)
}
