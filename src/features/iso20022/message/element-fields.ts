/** Owns the lookup of elements by place (families.ts). Paths and positions are computed only for faults. */
import { placePath } from './families.js'
import type { RuleField, RuleFields } from './rules.js'
import { attributeOf, childNamed, childrenNamed, isNil, type XmlElement } from './xml/element.js'
import type { SourceText } from './xml/source.js'

/** A place, split into the part of the message in which it begins, if it names one, and the remaining local names. */
interface Steps {
  readonly part: PartName | undefined
  readonly names: readonly string[]
}

/** Part of a message: application header, group header, payment. */
type PartName = 'H' | 'G' | 'T'

/** Cache of compiled places. It is bounded, because all places are texts in the tables of families and rules. */
const compiled = new Map<string, Steps>()

function stepsOf(place: string): Steps {
  const known = compiled.get(place)
  if (known !== undefined) return known
  const hasPart = /^[HGT]\//.test(place)
  const names = place.split('/')
  const steps = { part: hasPart ? (names.shift() as PartName) : undefined, names }
  compiled.set(place, steps)
  return steps
}

/** Elements of a message that contain the fields of one payment. */
export class PaymentElements implements RuleFields {
  private readonly parts: Readonly<Record<PartName, ElementFields>>

  /** @param number number of the payment in its path */
  constructor(
    header: XmlElement | undefined,
    group: XmlElement | undefined,
    readonly payment: XmlElement | undefined,
    body: string,
    number: number,
    readonly source: SourceText,
  ) {
    const fieldsOf = (part: PartName, element: XmlElement | undefined): ElementFields =>
      new ElementFields(element, () => placePath(body, `${part}/`, number).slice(0, -1), source)
    this.parts = { H: fieldsOf('H', header), G: fieldsOf('G', group), T: fieldsOf('T', payment) }
  }

  /** First element at a place, in document order; of repeated elements on the path only the first is searched. */
  find(place: string): XmlElement | undefined {
    const { part, names } = stepsOf(place)
    let element = this.partOf(part).element
    for (const name of names) element = childNamed(element, name)
    return element
  }

  /** Innermost existing element on the path to a place; undefined if its part is absent. */
  nearest(place: string): XmlElement | undefined {
    const { part, names } = stepsOf(place)
    let { element } = this.partOf(part)
    for (const name of names) {
      const next = childNamed(element, name)
      if (next === undefined) break
      element = next
    }
    return element
  }

  get(place: string): RuleField | undefined {
    const { part, names } = stepsOf(place)
    return this.partOf(part).first(names)
  }

  all(place: string): readonly RuleField[] {
    const { part, names } = stepsOf(place)
    return this.partOf(part).every(names)
  }

  each(place: string): readonly RuleFields[] {
    const { part, names } = stepsOf(place)
    return this.partOf(part).below(names)
  }

  private partOf(part: PartName | undefined): ElementFields {
    if (part === undefined) throw new Error('the place of a field does not begin with a part of the message')
    return this.parts[part]
  }
}

/** Elements below an element. */
class ElementFields implements RuleFields {
  constructor(
    readonly element: XmlElement | undefined,
    private readonly path: () => string,
    private readonly source: SourceText,
  ) {}

  get(place: string): RuleField | undefined {
    return this.first(stepsOf(place).names)
  }

  all(place: string): readonly RuleField[] {
    return this.every(stepsOf(place).names)
  }

  each(place: string): readonly RuleFields[] {
    return this.below(stepsOf(place).names)
  }

  first(names: readonly string[]): RuleField | undefined {
    const found = firstAt(this.element, names, 0)
    return found && this.fieldOf(found, names)
  }

  every(names: readonly string[]): readonly RuleField[] {
    return allAt(this.element, names).map((found) => this.fieldOf(found, names))
  }

  below(names: readonly string[]): readonly RuleFields[] {
    return allAt(this.element, names).map((found) => new ElementFields(found, this.pathOf(found, names), this.source))
  }

  private fieldOf(found: XmlElement, names: readonly string[]): RuleField {
    return new ElementField(found, this.pathOf(found, names), this.source)
  }

  private pathOf(found: XmlElement, names: readonly string[]): () => string {
    return () => `${this.path()}${pathBelow(this.element, names, 0, found) ?? ''}`
  }
}

class ElementField implements RuleField {
  constructor(
    private readonly element: XmlElement,
    private readonly pathOf: () => string,
    private readonly source: SourceText,
  ) {}

  get value(): string {
    return this.element.text.trim()
  }

  get currency(): string {
    return attributeOf(this.element, 'Ccy') ?? ''
  }

  get path(): string {
    return this.pathOf()
  }

  get at(): RuleField['at'] {
    return this.source.place(this.element.offset)
  }
}

/** First element at a path of names, in document order, that is not nil. */
function firstAt(from: XmlElement | undefined, names: readonly string[], depth: number): XmlElement | undefined {
  if (from === undefined) return undefined
  const name = names[depth]
  if (name === undefined) return isNil(from) ? undefined : from
  for (const child of from.children) {
    if (child.local !== name || child.namespace !== from.namespace) continue
    const found = firstAt(child, names, depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}

/** All elements at a path of names, in document order, that are not nil. */
function allAt(from: XmlElement | undefined, names: readonly string[]): readonly XmlElement[] {
  let found: readonly XmlElement[] = from === undefined ? [] : [from]
  for (const name of names) {
    if (found.length === 0) return found
    found = found.flatMap((one) => childrenNamed(one, name))
  }
  return found.filter((element) => !isNil(element))
}

/** Path from one element to a descendant along names; an element with siblings of the same name includes its number. */
function pathBelow(
  from: XmlElement | undefined,
  names: readonly string[],
  depth: number,
  target: XmlElement,
): string | undefined {
  const name = names[depth]
  if (name === undefined) return from === target ? '' : undefined
  const children = childrenNamed(from, name)
  for (const [at, child] of children.entries()) {
    const rest = pathBelow(child, names, depth + 1, target)
    if (rest !== undefined) return `/${name}${children.length === 1 ? '' : `[${at + 1}]`}${rest}`
  }
  return undefined
}
