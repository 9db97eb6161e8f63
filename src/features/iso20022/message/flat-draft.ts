/** Owns the payments of a flat body: the pairs of each payment, and its fields, which are checked by type. */
import type { Draft, Findings, LocatedValue } from './draft.js'
import { DraftFields } from './draft-fields.js'
import { type FieldName, type FieldRow, PAYMENT_ELEMENT, type PaymentFamily } from './families.js'
import { type FaultInput, WHOLE_BODY } from './fault.js'
import { type FlatBody, FORM_WORDS, type Pair } from './flat.js'
import { AMOUNT_KEY, CURRENCY_KEY, isMisnumbered, type KeyTarget, splitKey, targetOf } from './flat-keys.js'
import { type LocatedPin, PinCollector, type PinName, repeatedPin } from './pins.js'
import { checkRules } from './rules.js'
import { type ControlFigures, checkFigures, totalCurrencyFault } from './several.js'
import { parseAmount } from './values/amount.js'
import { collapse } from './values/blanks.js'
import { canonicalIban } from './values/iban.js'
import { leafType } from './values/leaf.js'

/** Type of a line of remittance, as in XML. */
const REMITTANCE_TYPE = 'text140'
/** Keys of the control figures of a message with several payments. */
const FIGURES = { NbOfTxs: 'count', CtrlSum: 'number', TtlIntrBkSttlmAmt: 'amount' } as const
const TOTAL = 'TtlIntrBkSttlmAmt'
const BATCH_KEY = 'BtchBookg'

/** A pair whose key does not include the number of a payment. */
interface OwnPair {
  readonly pair: Pair
  readonly key: string
  readonly place: number | undefined
  readonly target: KeyTarget | undefined
}

/** Key that is the same for pairs with the same meaning. */
const meaningOf = ({ pair, target }: OwnPair): string => {
  switch (target?.kind) {
    case 'field':
      return target.row.name
    case 'amount':
      return AMOUNT_KEY
    case 'currency':
      return CURRENCY_KEY
    case 'pin':
      return target.name ?? pair.key
    default:
      return pair.key
  }
}

const pinOf = ({ value, path, at }: Pair, name: PinName): LocatedPin => ({ name, raw: value, path, at })

const unknownPin = (pair: Pair): FaultInput => ({
  ...pair,
  code: 'pin_unknown',
  expected: 'LedgerId, SourceAccountId, … after SplmtryData/',
  reasonCode: 'NARR',
})

const repeatedField = (pair: Pair): FaultInput => ({ ...pair, code: 'field_repeated', expected: `${pair.key} once` })

const unknownField = (pair: Pair): FaultInput => ({
  ...pair,
  code: 'field_unknown',
  expected: 'a key of the flat form',
  hint: 'It is not read.',
})

const isFigure = (key: string): key is keyof typeof FIGURES => Object.hasOwn(FIGURES, key)

/** True for a value that a message has once for all of its payments. */
const isOfMessage = ({ target, key }: OwnPair): boolean =>
  target === undefined
    ? isFigure(key) || key === BATCH_KEY
    : target.kind === 'pin' ||
      target.kind === 'definition' ||
      (target.kind === 'field' && hasPlace(target.row, ['G/', 'H/']))

const hasPlace = ({ places }: FieldRow, parts: readonly string[]): boolean =>
  places.some((place) => parts.some((part) => place.startsWith(part)))

/** Payments of a flat body. If there are several, their keys begin with `CdtTrfTxInf[n]/`. */
export class FlatPayments {
  /** Number of payments; 1 for a body without numbers. */
  readonly count: number
  private readonly all: readonly OwnPair[]
  private readonly ofMessage: readonly OwnPair[]
  /** Pairs of `ofMessage` that apply to each payment, one per meaning; set by `checkGroup`. */
  private readonly common: OwnPair[] = []
  private readonly byPlace = new Map<number, OwnPair[]>()

  constructor(
    private readonly body: FlatBody,
    private readonly family: PaymentFamily,
  ) {
    this.all = body.pairs.map((pair): OwnPair => {
      const { place, key } = splitKey(pair.key)
      return { pair, key, place, target: targetOf(key, family) }
    })
    this.ofMessage = this.all.filter(({ place }) => place === undefined)
    for (const one of this.all) {
      if (one.place === undefined) continue
      const own = this.byPlace.get(one.place)
      if (own === undefined) this.byPlace.set(one.place, [one])
      else own.push(one)
    }
    this.count = Math.max(1, body.listed ?? 0, ...this.byPlace.keys())
  }

  get batchBooking(): boolean {
    const value = this.ofMessage.find(({ key }) => key === BATCH_KEY)?.pair.value
    return value === 'true' || value === '1'
  }

  /** Refuse a body with a key whose number does not belong to a payment; the fault names the first such key. */
  checkNumbers({ faults }: Findings): void {
    const wrong = this.ofMessage.find(({ key }) => isMisnumbered(key))
    if (wrong === undefined) return
    faults.add({
      ...wrong.pair,
      code: 'payment_number',
      expected: `${PAYMENT_ELEMENT}[n]/ and a key, with n from 1 on`,
      hint: 'The payments of a message are numbered from 1 on, without a gap.',
    })
  }

  /**
   * Refuse values of the message that each of several payments must have separately, and duplicate values; report keys
   * that are not read. Runs before the payments are read.
   */
  checkGroup(findings: Findings): void {
    const { faults, warnings } = findings
    const seen = new Set<string>()
    for (const one of this.ofMessage) {
      const { pair, key, target } = one
      const meaning = meaningOf(one)
      if (target !== undefined && !isOfMessage(one)) {
        faults.add({
          ...pair,
          code: 'field_place',
          expected: `${PAYMENT_ELEMENT}[n]/${pair.key} for each payment`,
          hint: 'A message of several payments has it in each of them.',
        })
      } else if (target?.kind === 'pin' && target.name === undefined) faults.add(unknownPin(pair))
      else if (seen.has(meaning)) {
        const isPin = target?.kind === 'pin' && target.name !== undefined
        faults.add(isPin ? repeatedPin(pinOf(pair, target.name)) : repeatedField(pair))
      } else if (target !== undefined) this.common.push(one)
      else if (key === BATCH_KEY) checked(pair, 'boolean', findings)
      else if (!isFigure(key)) warnings.add(unknownField(pair))
      seen.add(meaning)
    }
  }

  /** Compare the control figures of a message with its payments. */
  checkTotals(drafts: readonly (Draft | undefined)[], findings: Findings): void {
    const amounts = drafts.map((draft) => {
      const { amount, currency } = draft ?? {}
      const parsed = amount && currency && parseAmount(amount.value, currency.value)
      return parsed?.ok === true ? parsed.amount : undefined
    })
    const figure: ControlFigures['figure'] = (name) => {
      const found = this.ofMessage.find(({ key }) => key === name)?.pair
      const value = found && checked(found, FIGURES[name], findings)
      return found && value && { text: value.value, path: found.path, at: found.at }
    }
    checkFigures({ figure }, amounts, findings)
    const total = figure(TOTAL)
    const currencies = new Set(drafts.map((draft) => draft?.currency?.value))
    if (total === undefined || currencies.has(undefined) || currencies.size === 1) return
    findings.faults.add({
      ...totalCurrencyFault,
      path: total.path,
      at: total.at,
      value: total.text,
    })
  }

  /**
   * Fields of the payment at an index, with the common fields of the message if it has several payments; undefined if
   * no key has its number.
   */
  draft(place: number, isOneOfSeveral: boolean, findings: Findings): Draft | undefined {
    const draft = new FlatDraft(this.family, findings)
    if (!isOneOfSeveral) {
      for (const one of this.all) draft.add(one)
      return draft.finish(this.body.form, '')
    }
    const path = `/${PAYMENT_ELEMENT}[${place}]`
    const own = this.byPlace.get(place)
    if (own === undefined) {
      findings.faults.add({
        code: 'payment_missing',
        path,
        at: WHOLE_BODY,
        expected: 'values of each payment, and no gap in the numbers',
      })
      return undefined
    }
    for (const one of this.common) draft.add(one)
    for (const one of own) draft.add(one)
    return draft.finish(this.body.form, path)
  }
}

class FlatDraft {
  private readonly fields = new Map<FieldName, LocatedValue>()
  private readonly remittance: string[] = []
  private readonly instructions: LocatedValue[] = []
  private readonly pins: PinCollector
  private readonly seen = new Set<string>()
  private amount: LocatedValue | undefined
  private currency: LocatedValue | undefined

  constructor(
    private readonly family: PaymentFamily,
    private readonly findings: Findings,
  ) {
    this.pins = new PinCollector(findings.faults)
  }

  add(one: OwnPair): void {
    const { findings } = this
    const { pair, key, place, target } = one
    const { faults, warnings } = findings
    switch (target?.kind) {
      case 'remittance': {
        const line = checked(pair, REMITTANCE_TYPE, findings)
        if (line !== undefined) this.remittance.push(line.value)
        return
      }
      case 'instruction': {
        const code = checked(pair, 'id4', findings)
        if (code !== undefined) this.instructions.push(code)
        return
      }
      case 'pin':
        if (target.name !== undefined) this.pins.add(pinOf(pair, target.name))
        else faults.add(unknownPin(pair))
        return
    }
    const row = target?.kind === 'field' ? target.row : undefined
    if (place !== undefined && row !== undefined && !hasPlace(row, ['T/'])) {
      faults.add({ ...pair, code: 'field_place', expected: `${key} once, without the number of a payment` })
      return
    }
    const meaning = meaningOf(one)
    if (this.seen.has(meaning)) {
      faults.add(repeatedField(pair))
      return
    }
    this.seen.add(meaning)
    if (target?.kind === 'amount') this.amount = checked(pair, 'amount', findings)
    else if (target?.kind === 'currency') this.currency = checked(pair, 'currency', findings)
    else if (row !== undefined) {
      const value = row.type === 'iban' ? canonicalIban(pair.value) : pair.value
      const found = checked({ ...pair, value }, row.type, findings, row)
      if (found !== undefined) this.fields.set(row.name, found)
    } else if (target === undefined) warnings.add(unknownField(pair))
  }

  /** Draft of the fields, with a fault for each required value that is absent; `path` is the path of the payment. */
  finish(form: FlatBody['form'], path: string): Draft {
    const { family, findings, fields, seen, amount, currency, remittance, instructions } = this
    const missing = (key: string, reasonCode: FieldRow['reason'], at: string): void => {
      if (findings.faults.covers(`${at}/${key}`)) return
      findings.faults.add({
        code: 'field_required',
        path: `${at}/${key}`,
        at: WHOLE_BODY,
        expected: FORM_WORDS[form].field(`${at}/${key}`.slice(1)),
        reasonCode,
        hint: 'The message cannot be booked without it.',
      })
    }
    for (const row of family.fields) {
      if (row.required && !seen.has(row.name)) missing(row.flat, row.reason, hasPlace(row, ['T/']) ? path : '')
    }
    if (!seen.has(AMOUNT_KEY)) missing(AMOUNT_KEY, 'AM12', path)
    if (!seen.has(CURRENCY_KEY)) missing(CURRENCY_KEY, 'AM11', path)
    checkRules(new DraftFields(family, fields, instructions), family.rules, findings.faults)
    return {
      fields,
      amount,
      currency,
      remittance,
      instructions: instructions.map(({ value }) => value),
      pins: this.pins.result(),
    }
  }
}

/** Types whose values keep surrounding blanks; values of all other types are trimmed. */
const FREE_TEXT = /^(?:text|id)[0-9]+$/

function checked(raw: Pair, type: string, { faults }: Findings, row?: FieldRow): LocatedValue | undefined {
  const { path, at } = raw
  const value = FREE_TEXT.test(type) ? raw.value : collapse(raw.value)
  const problem = leafType(type)?.check(value) ?? row?.rule?.(value)
  if (problem === undefined) return { value, where: () => ({ path, at }) }
  const code = value === '' ? 'value_missing' : problem.code
  faults.add({ ...problem, code, path, at, value, reasonCode: row?.reason ?? problem.reasonCode })
  return undefined
}
