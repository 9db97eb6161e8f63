/** Owns the fields of an element tree as the rules between elements see them. */

import type { RuleField, RuleFields } from './rules.js'
import { attributeOf, childrenNamed, isNil, type XmlElement } from './xml/element.js'
import type { SourceText } from './xml/source.js'

/** An element with its path, as faults show it. */
export interface PlacedElement {
  readonly element: XmlElement
  readonly path: string
}

/** Where a place begins, and the local names from there on. */
export type PlaceStart = (place: string) => {
  readonly from: PlacedElement | undefined
  readonly names: readonly string[]
}

export class ElementFields implements RuleFields {
  constructor(
    private readonly startOf: PlaceStart,
    private readonly source: SourceText,
  ) {}

  get(place: string): RuleField | undefined {
    return this.all(place)[0]
  }

  all(place: string): readonly RuleField[] {
    return this.find(place).map(({ element, path }) => ({
      value: element.text.trim(),
      currency: attributeOf(element, 'Ccy') ?? '',
      path,
      at: this.source.place(element.offset),
    }))
  }

  each(place: string): readonly RuleFields[] {
    return this.find(place).map(
      (from) => new ElementFields((below) => ({ from, names: below.split('/') }), this.source),
    )
  }

  private find(place: string): readonly PlacedElement[] {
    const { from, names } = this.startOf(place)
    let found: readonly PlacedElement[] = from === undefined ? [] : [from]
    for (const name of names) found = found.flatMap((one) => below(one, name))
    return found.filter(({ element }) => !isNil(element))
  }
}

/** Children of a name; where there are several, each has its number in its path. */
function below({ element, path }: PlacedElement, name: string): readonly PlacedElement[] {
  const children = childrenNamed(element, name)
  const isOne = children.length === 1
  return children.map((child, at) => ({ element: child, path: `${path}/${name}${isOne ? '' : `[${at + 1}]`}` }))
}
