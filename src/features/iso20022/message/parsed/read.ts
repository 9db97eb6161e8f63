/** Owns the reading of a message by its field table, from XML or from flat pairs: all values and all faults. */
import type { FaultList, Place } from '../fault.js'
import { attributeOf, isNil, type XmlElement } from '../xml/element.js'
import type { Field, FieldGroup, FieldPlace } from './table.js'

/** A decoded message. */
export interface ReadGroup {
  readonly values: readonly LocatedField[]
  /** Number of groups by name; names include the numbers of the enclosing groups, from 1. */
  readonly counts: ReadonlyMap<string, number>
}

/** A value with its place. */
export interface LocatedField extends FieldValue {
  readonly path: string
  readonly at: Place
}

/** A decoded value. */
export interface FieldValue {
  /** Key of the flat form, with numbers from 1 where a group repeats. */
  readonly name: string
  readonly value: string
}

/** Context of reading, apart from the table and the tree. */
export interface ReadContext {
  readonly form: 'xml' | 'flat'
  readonly faults: FaultList
  readonly warnings: FaultList
  readonly placeOf: (element: XmlElement) => Place
}

/** Maximum number of values in a message, far above the number in real messages. */
const VALUES_MAX = 20_000

/** Read a group with its content. `path`: path of the element as shown in faults. */
export function readGroup(group: FieldGroup, element: XmlElement, path: string, context: ReadContext): ReadGroup {
  const reading = new Reading(context)
  reading.group(group, element, path, '')
  return reading
}

/** Children at a path of local names, in the namespace of their parent element. */
export function childrenAt(element: XmlElement, path: readonly string[]): XmlElement[] {
  let found = [element]
  for (const name of path) {
    found = found.flatMap((one) =>
      one.children.filter((child) => child.local === name && child.namespace === one.namespace),
    )
  }
  return found
}

interface Hit {
  readonly element: XmlElement
  readonly value: string
  readonly place: FieldPlace
}

class Reading implements ReadGroup {
  readonly values: LocatedField[] = []
  readonly counts = new Map<string, number>()

  constructor(private readonly context: ReadContext) {}

  group(group: FieldGroup, element: XmlElement, path: string, name: string): void {
    for (const field of group.fields) this.field(field, element, path, name)
    for (const inner of group.groups) {
      const found = childrenAt(element, inner.path)
      const where = `${path}/${inner.path.join('/')}`
      this.counts.set(`${name}${inner.path.join('/')}`, found.length)
      if (found.length < inner.min || found.length > inner.max) {
        const at = found[inner.max] ?? element
        this.context.faults.add({
          code: found.length < inner.min ? 'element_missing' : 'element_repeated',
          path: where,
          at: this.context.placeOf(at),
          value: String(found.length),
          expected: `${inner.min} or more of ${inner.path.join('/')}`,
        })
      }
      found.slice(0, inner.max).forEach((one, at) => {
        this.group(inner, one, `${where}[${at + 1}]`, `${name}${inner.path.join('/')}[${at + 1}]/`)
      })
    }
  }

  private field(field: Field, element: XmlElement, path: string, name: string): void {
    const { form, faults, placeOf } = this.context
    const hits = this.hits(field, element)
    const [first] = hits
    const placePath = (place: FieldPlace | undefined): string =>
      `${path}/${form === 'flat' ? field.name : (place?.path.join('/') ?? field.name)}`
    if (first === undefined) {
      if ((field.need !== 'both' && field.need !== form) || isNeedless(field, element)) return
      faults.add({
        code: 'field_required',
        path: placePath(field.places[0]),
        at: placeOf(element),
        expected: `a value (${field.type})`,
        hint:
          field.places.length > 1 && form === 'xml'
            ? `Or ${field.places
                .slice(1)
                .map((one) => one.path.join('/'))
                .join(', ')}.`
            : undefined,
      })
      return
    }
    // Places inside repeated elements yield several values only if the field may repeat.
    const taken = field.max === 1 ? [first] : hits
    if (taken.length > field.max) {
      faults.add({
        code: 'element_repeated',
        path: placePath(first.place),
        at: placeOf(taken[field.max]?.element ?? element),
        value: String(taken.length),
        expected: `at most ${field.max}`,
      })
    }
    for (const hit of taken.slice(0, field.max)) this.value(field, hit, placePath(hit.place), name)
  }

  private value(field: Field, hit: Hit, path: string, name: string): void {
    const { faults, warnings, placeOf } = this.context
    const { element, value, place } = hit
    const leaf = this.context.form === 'flat' ? field.leaf : place.leaf
    if (element.interrupted !== undefined && (leaf.exact || element.interrupted === 'cdata')) {
      faults.add({
        code: 'markup_in_value',
        path,
        at: placeOf(element),
        value: element.interrupted,
        expected: 'the value alone',
      })
      return
    }
    const problem = isNil(element) ? NIL : leaf.check(value)
    const at = placeOf(element)
    if (problem !== undefined) {
      faults.add({ ...problem, path, at, value })
      return
    }
    const remark = leaf.remark?.(value)
    if (remark !== undefined) warnings.add({ ...remark, path, at, value })
    if (this.values.length < VALUES_MAX) this.values.push({ name: `${name}${field.name}`, value, path, at })
  }

  /** Values of the first place that has any. */
  private hits(field: Field, element: XmlElement): Hit[] {
    const { form } = this.context
    const places = form === 'flat' ? [{ ...field.places[0], path: field.name.split('/') } as FieldPlace] : field.places
    for (const place of places) {
      const last = place.path.at(-1) ?? ''
      const isAttribute = last.startsWith('@')
      const found = childrenAt(element, isAttribute ? place.path.slice(0, -1) : place.path)
      const hits = found.flatMap((one): Hit[] => {
        if (isAttribute) {
          const value = attributeOf(one, last.slice(1))
          return value === undefined ? [] : [{ element: one, value, place }]
        }
        return one.children.length > 0 ? [] : [{ element: one, value: one.text, place }]
      })
      if (hits.length > 0) return hits
    }
    return []
  }
}

/** True if a field may be absent because each element that could contain its alternative (`unless`) has it. */
function isNeedless({ unless }: Field, element: XmlElement): boolean {
  if (unless === undefined) return false
  const holders = childrenAt(element, unless.slice(0, -1))
  return holders.length > 0 && holders.every((holder) => childrenAt(holder, unless.slice(-1)).length > 0)
}

const NIL = { code: 'value_nil', expected: 'a value', reasonCode: 'FF01' as const }
