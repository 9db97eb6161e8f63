/** Owns the reading of payment fields from a message tree whose structure and values are already checked. */
import type { Draft, Findings, LocatedValue } from './draft.js'
import { PaymentElements } from './element-fields.js'
import type { Envelope } from './envelope.js'
import {
  AMOUNT_PLACE,
  type FieldName,
  type FieldRow,
  INSTRUCTION_PLACE,
  PAYMENT_ELEMENT,
  type PaymentFamily,
  placePath,
} from './families.js'
import { isPinName, type LocatedPin, PinCollector, repeatedPin } from './pins.js'
import { checkRules, REMARKS } from './rules.js'
import { canonicalBic } from './values/bic.js'
import { collapse } from './values/blanks.js'
import { canonicalIban, checkIban } from './values/iban.js'
import { attributeOf, childNamed, childrenNamed, isNil, type XmlElement } from './xml/element.js'
import type { SourceText } from './xml/source.js'

/** Elements of a message, each looked up once. */
export interface MessageElements {
  /** The AppHdr element. */
  readonly header: XmlElement | undefined
  readonly body: XmlElement
  readonly group: XmlElement | undefined
  /** One element per payment, in document order. */
  readonly payments: readonly XmlElement[]
}

/** Look up the elements of a message. */
export const elementsOf = ({ header }: Envelope, body: XmlElement): MessageElements => ({
  header: header?.element,
  body,
  group: childNamed(body, 'GrpHdr'),
  payments: childrenNamed(body, PAYMENT_ELEMENT),
})

/** Pins in the supplementary data of a message, at most one per name; they apply to all payments of the message. */
export function messagePins(
  { body }: MessageElements,
  family: PaymentFamily,
  source: SourceText,
  findings: Findings,
): readonly LocatedPin[] {
  const pins = new Map<string, LocatedPin>()
  for (const pin of pinsIn(body, `/Document/${family.body}/`, source, findings)) {
    if (pins.has(pin.name)) findings.faults.add(repeatedPin(pin))
    else pins.set(pin.name, pin)
  }
  return [...pins.values()]
}

/**
 * Read the fields of the payment at a place, from 1; a required field that is absent, and contradictory values, are
 * faults.
 */
export function extractDraft(
  message: MessageElements,
  ofMessage: readonly LocatedPin[],
  place: number,
  family: PaymentFamily,
  source: SourceText,
  findings: Findings,
): Draft {
  return new Extraction(message, ofMessage, place, family, source, findings).run()
}

class Extraction {
  private readonly elements: PaymentElements

  constructor(
    private readonly message: MessageElements,
    private readonly ofMessage: readonly LocatedPin[],
    private readonly place: number,
    private readonly family: PaymentFamily,
    private readonly source: SourceText,
    private readonly findings: Findings,
  ) {
    const { header, group, payments } = message
    this.elements = new PaymentElements(header, group, payments[place - 1], family.body, place, source)
  }

  run(): Draft {
    const { elements } = this
    checkRules(elements, this.family.rules, this.findings.faults)
    checkRules(elements, REMARKS, this.findings.warnings)
    const fields = new Map<FieldName, LocatedValue>()
    for (const row of this.family.fields) {
      const found = this.field(row)
      if (found !== undefined) fields.set(row.name, found)
    }
    const amount = elements.find(AMOUNT_PLACE)
    const code = amount === undefined ? undefined : attributeOf(amount, 'Ccy')
    return {
      fields,
      amount: amount === undefined ? undefined : this.sound(amount.text, AMOUNT_PLACE, amount),
      currency:
        code === undefined || amount === undefined ? undefined : this.sound(code, `${AMOUNT_PLACE}/@Ccy`, amount),
      instructions: elements.all(INSTRUCTION_PLACE).map(({ value }) => value),
      remittance: childrenNamed(elements.find('T/RmtInf'), 'Ustrd').map((line) => line.text),
      pins: this.pins(),
    }
  }

  /** Value of the first place that has one; a value at any other place must be the same. */
  private field(row: FieldRow): LocatedValue | undefined {
    const { faults, warnings } = this.findings
    let first: LocatedValue | undefined
    const others: LocatedValue[] = []
    for (const place of row.places) {
      const element = this.elements.find(place)
      if (element === undefined || isNil(element)) continue
      const located = this.located(element.text, place, element)
      if (first === undefined) first = located
      else others.push(located)
    }
    if (first !== undefined) {
      // A value that breaks a rule of the message is not compared with others.
      if (this.isFaulty(first)) return undefined
      for (const other of others) {
        if (canonical(row, other.value) === canonical(row, first.value)) continue
        faults.add({
          code: 'field_conflict',
          value: other.value,
          ...other.where(),
          expected: `the same as in ${first.where().path}`,
          reasonCode: row.reason,
          hint: 'Group header and transaction contradict each other.',
        })
      }
      const problem = row.rule?.(first.value)
      if (problem === undefined) return first
      faults.add({ ...problem, value: first.value, ...first.where(), reasonCode: row.reason })
      return undefined
    }
    const fallback = row.fallback === undefined ? undefined : this.elements.find(row.fallback)
    if (fallback !== undefined && row.fallback !== undefined && checkIban(fallback.text) === undefined) {
      const found = this.located(fallback.text, row.fallback, fallback)
      warnings.add({
        code: 'iban_in_other',
        value: found.value,
        ...found.where(),
        expected: 'the IBAN in the element IBAN',
        reasonCode: row.reason,
        hint: 'Accepted, because it is a valid IBAN.',
      })
      return found
    }
    if (row.required) this.missing(row)
    return undefined
  }

  private missing(row: FieldRow): void {
    const { faults } = this.findings
    const paths = row.places.map((place) => this.pathOf(place))
    if (paths.some((path) => faults.covers(path))) return
    const near = this.elements.nearest(row.places[0] ?? '')
    faults.add({
      code: 'field_required',
      path: paths[0] ?? '',
      at: this.source.place((near ?? this.message.body).offset),
      value: near === undefined ? '' : near.children.map((child) => child.local).join(' '),
      expected: `a value (${row.type})`,
      reasonCode: row.reason,
      hint: row.hint,
    })
  }

  private sound(value: string, place: string, element: XmlElement): LocatedValue | undefined {
    const located = this.located(value, place, element)
    return this.isFaulty(located) ? undefined : located
  }

  private isFaulty({ where }: LocatedValue): boolean {
    const { faults } = this.findings
    return faults.hasAny && faults.covers(where().path)
  }

  private located(value: string, place: string, element: XmlElement): LocatedValue {
    return { value, where: () => ({ path: this.pathOf(place), at: this.source.place(element.offset) }) }
  }

  private pathOf(place: string): string {
    return placePath(this.family.body, place, this.place)
  }

  /** Pins of the payment and of the message. */
  private pins() {
    const pins = new PinCollector(this.findings.faults)
    for (const pin of pinsIn(this.elements.payment, this.pathOf('T/'), this.source, this.findings)) pins.add(pin)
    for (const pin of this.ofMessage) pins.add(pin)
    return pins.result()
  }
}

/** Pins in the supplementary data of an element; `base` is its path. */
function* pinsIn(
  holder: XmlElement | undefined,
  base: string,
  source: SourceText,
  findings: Findings,
): Generator<LocatedPin> {
  for (const [at, data] of childrenNamed(holder, 'SplmtryData').entries()) {
    for (const envelope of childrenNamed(data, 'Envlp')) {
      for (const root of envelope.children)
        yield* pinsOf(root, `${base}SplmtryData[${at + 1}]/Envlp/${root.local}`, source, findings)
    }
  }
}

function* pinsOf(
  root: XmlElement,
  path: string,
  source: SourceText,
  { faults, warnings }: Findings,
): Generator<LocatedPin> {
  const own = root.children.filter((child) => child.namespace === root.namespace)
  if (!own.some((child) => isPinName(child.local))) return
  for (const child of own) {
    const at = source.place(child.offset)
    const place = `${path}/${child.local}`
    if (!isPinName(child.local)) {
      warnings.add({
        code: 'pin_unknown',
        path: place,
        at,
        value: child.local,
        expected: 'a name of the pins',
        reasonCode: 'NARR',
        hint: 'It is not read.',
      })
    } else if (child.interrupted !== undefined || child.children.length > 0) {
      faults.add({
        code: 'pin_value',
        path: place,
        at,
        value: child.interrupted ?? child.local,
        expected: 'the value alone',
        reasonCode: 'NARR',
      })
    } else yield { name: child.local, raw: child.text, path: place, at }
  }
}

function canonical(row: FieldRow, value: string): string {
  if (row.type === 'bic') return canonicalBic(value)
  return row.type === 'iban' ? canonicalIban(value) : collapse(value)
}
