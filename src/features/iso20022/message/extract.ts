/** Owns the reading of payment fields from a message tree whose structure and values are checked already. */
import type { Draft, Findings, LocatedValue } from './draft.js'
import { ElementFields, type PlaceStart } from './element-fields.js'
import type { Envelope } from './envelope.js'
import {
  AMOUNT_PLACE,
  type FieldName,
  type FieldRow,
  INSTRUCTION_PLACE,
  type PaymentFamily,
  placePath,
} from './families.js'
import { isPinName, PinCollector } from './pins.js'
import { checkRules, REMARKS } from './rules.js'
import { canonicalBic } from './values/bic.js'
import { collapse } from './values/blanks.js'
import { canonicalIban, checkIban } from './values/iban.js'
import { attributeOf, childrenNamed, isNil, type XmlElement } from './xml/element.js'
import type { SourceText } from './xml/source.js'

/** Reads all fields; what is required and absent, or stands twice with different values, becomes a fault. */
export function extractDraft(envelope: Envelope, family: PaymentFamily, source: SourceText, findings: Findings): Draft {
  return new Extraction(envelope, family, source, findings).run()
}

class Extraction {
  private readonly body: XmlElement
  private readonly transaction: XmlElement | undefined

  constructor(
    private readonly envelope: Envelope,
    private readonly family: PaymentFamily,
    private readonly source: SourceText,
    private readonly findings: Findings,
  ) {
    const document = envelope.document.element
    this.body = childrenNamed(document, family.body)[0] ?? document
    this.transaction = childrenNamed(this.body, 'CdtTrfTxInf')[0]
  }

  run(): Draft {
    const rules = new ElementFields((place) => this.placed(place), this.source)
    checkRules(rules, this.family.rules, this.findings.faults)
    checkRules(rules, REMARKS, this.findings.warnings)
    const fields = new Map<FieldName, LocatedValue>()
    for (const row of this.family.fields) {
      const found = this.field(row)
      if (found !== undefined) fields.set(row.name, found)
    }
    const amountElement = this.find(AMOUNT_PLACE)
    const path = placePath(this.family.body, AMOUNT_PLACE)
    const code = amountElement === undefined ? undefined : attributeOf(amountElement, 'Ccy')
    return {
      fields,
      amount: amountElement === undefined ? undefined : this.sound(amountElement.text, path, amountElement),
      currency:
        code === undefined || amountElement === undefined ? undefined : this.sound(code, `${path}/@Ccy`, amountElement),
      instructions: rules.all(INSTRUCTION_PLACE).map(({ value }) => value),
      remittance: childrenNamed(this.find('T/RmtInf'), 'Ustrd').map((line) => line.text),
      pins: this.pins(),
    }
  }

  /** The first place that has a value; a second place must say the same. */
  private field(row: FieldRow): LocatedValue | undefined {
    const { faults, warnings } = this.findings
    const paths = row.places.map((place) => placePath(this.family.body, place))
    const present = row.places.flatMap((place, at): LocatedValue[] => {
      const element = this.find(place)
      return element === undefined || isNil(element)
        ? []
        : [{ value: element.text, path: paths[at] ?? '', at: this.source.place(element.offset) }]
    })
    const [first, ...others] = present
    if (first !== undefined) {
      // A place that breaks a rule of the message is no second opinion.
      if (faults.covers(first.path)) return undefined
      for (const other of others) {
        if (canonical(row, other.value) === canonical(row, first.value)) continue
        faults.add({
          code: 'field_conflict',
          ...other,
          expected: `the same as in ${first.path}`,
          reasonCode: row.reason,
          hint: 'Group header and transaction contradict each other.',
        })
      }
      const problem = row.rule?.(first.value)
      if (problem === undefined) return first
      faults.add({ ...problem, ...first, reasonCode: row.reason })
      return undefined
    }
    const fallback = row.fallback === undefined ? undefined : this.find(row.fallback)
    if (fallback !== undefined && row.fallback !== undefined && checkIban(fallback.text) === undefined) {
      const found = {
        value: fallback.text,
        path: placePath(this.family.body, row.fallback),
        at: this.source.place(fallback.offset),
      }
      warnings.add({
        code: 'iban_in_other',
        ...found,
        expected: 'the IBAN in the element IBAN',
        reasonCode: row.reason,
        hint: 'Accepted, because it is a valid IBAN.',
      })
      return found
    }
    const path = paths[0] ?? ''
    if (row.required && !paths.some((place) => faults.covers(place))) {
      const [parent, value] = this.nearest(row.places[0] ?? '')
      faults.add({
        code: 'field_required',
        path,
        at: this.source.place(parent.offset),
        value,
        expected: `a value (${row.type})`,
        reasonCode: row.reason,
        hint: row.hint,
      })
    }
    return undefined
  }

  private sound(value: string, path: string, element: XmlElement): LocatedValue | undefined {
    return this.findings.faults.covers(path) ? undefined : { value, path, at: this.source.place(element.offset) }
  }

  private start(place: string): XmlElement | undefined {
    if (place.startsWith('H/')) return this.envelope.header?.element
    return place.startsWith('G/') ? childrenNamed(this.body, 'GrpHdr')[0] : this.transaction
  }

  private placed(place: string): ReturnType<PlaceStart> {
    const element = this.start(place)
    const path = placePath(this.family.body, place.slice(0, place.indexOf('/') + 1)).slice(0, -1)
    return { from: element && { element, path }, names: place.split('/').slice(1) }
  }

  private find(place: string): XmlElement | undefined {
    let element = this.start(place)
    for (const name of place.split('/').slice(1)) element = childrenNamed(element, name)[0]
    return element
  }

  /** The innermost element on the way to a place, and what stands there instead. */
  private nearest(place: string): [element: XmlElement, value: string] {
    let element = this.start(place)
    if (element === undefined) return [this.body, '']
    for (const name of place.split('/').slice(1)) {
      const next: XmlElement | undefined = childrenNamed(element, name)[0]
      if (next === undefined) break
      element = next
    }
    return [element, element.children.map((child) => child.local).join(' ')]
  }

  /** Pins of the transaction's supplementary data, or of the message's: with one transaction both mean the same payment. */
  private pins() {
    const pins = new PinCollector(this.findings.faults)
    const transactionPath = placePath(this.family.body, 'T/')
    const bodyPath = `/Document/${this.family.body}/`
    const holders: [XmlElement | undefined, string][] = [
      [this.transaction, transactionPath],
      [this.body, bodyPath],
    ]
    for (const [holder, base] of holders) {
      childrenNamed(holder, 'SplmtryData').forEach((data, at) => {
        for (const envelope of childrenNamed(data, 'Envlp')) {
          for (const root of envelope.children)
            this.pinsOf(root, `${base}SplmtryData[${at + 1}]/Envlp/${root.local}`, pins)
        }
      })
    }
    return pins.result()
  }

  private pinsOf(root: XmlElement, path: string, pins: PinCollector): void {
    const own = root.children.filter((child) => child.namespace === root.namespace)
    if (!own.some((child) => isPinName(child.local))) return
    for (const child of own) {
      const at = this.source.place(child.offset)
      const place = `${path}/${child.local}`
      if (isPinName(child.local)) {
        if (child.interrupted !== undefined || child.children.length > 0) {
          this.findings.faults.add({
            code: 'pin_value',
            path: place,
            at,
            value: child.interrupted ?? child.local,
            expected: 'the value alone',
            reasonCode: 'NARR',
          })
        } else pins.add(child.local, child.text, place, at)
      } else {
        this.findings.warnings.add({
          code: 'pin_unknown',
          path: place,
          at,
          value: child.local,
          expected: 'a name of the pins',
          reasonCode: 'NARR',
          hint: 'It is not read.',
        })
      }
    }
  }
}

function canonical(row: FieldRow, value: string): string {
  if (row.type === 'bic') return canonicalBic(value)
  return row.type === 'iban' ? canonicalIban(value) : collapse(value)
}
