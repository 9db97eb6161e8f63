/** Owns the notation of field tables: required fields of a family that is only parsed, and their places (specification 4.4). */
import { type LeafType, leafType } from '../values/leaf.js'

/** Forms in which a field is required. */
export type Need = 'both' | 'xml' | 'flat' | 'none'

/** Position in XML, relative to the group, and its type if it differs from the type of the field. */
export interface FieldPlace {
  readonly path: readonly string[]
  readonly leaf: LeafType
  readonly type: string
}

/** One field. */
export interface Field {
  /** Path of local names relative to the group: the key of the flat form. */
  readonly name: string
  readonly type: string
  readonly leaf: LeafType
  readonly need: Need
  /** Maximum number of values. */
  readonly max: number
  /** Places in XML, in order of precedence. */
  readonly places: readonly FieldPlace[]
  /** Path of an alternative: the field may be absent if each element that could contain this path has it. */
  readonly unless: readonly string[] | undefined
}

/** Fields that belong together, and nested repeating groups. */
export interface FieldGroup {
  /** Path relative to the enclosing group; empty for the whole message. */
  readonly path: readonly string[]
  readonly min: number
  readonly max: number
  readonly fields: readonly Field[]
  readonly groups: readonly FieldGroup[]
}

/** Control figures that must agree with the content of groups; fields are given by their names. */
export interface Totals {
  /** Name of the group that contains the figures; '' for the message. */
  readonly within: string
  /** Groups that are counted and summed, below `within`. */
  readonly of: string
  /** Amount field of such a group. */
  readonly amount: string
  readonly count: string
  readonly sums: readonly string[]
}

/** A family that is parsed and validated, without an endpoint. */
export interface ParsedFamily {
  readonly family: string
  readonly title: string
  /** Allowed children of Document; empty: any name (custom profile). */
  readonly bodies: readonly string[]
  readonly group: FieldGroup
  readonly totals: readonly Totals[]
}

const LINE =
  /^( *)(?:(\S+)\[([0-9]+),([0-9]+|\*)\]|(req|xml|flat|opt) ([A-Za-z0-9@/]+)(?:\{([0-9]+|\*)\})? (\S+)(?: = (.+?))?(?: unless (\S+))?)$/
const NEEDS: Readonly<Record<string, Need>> = { req: 'both', xml: 'xml', flat: 'flat', opt: 'none' }

/**
 * Compile a table. A line is a field, `need name type`, with `{n}` for at most n values, `= place | place:type` if its
 * XML position differs, and `unless path` if it may be absent when another one is present; or a group, `Path[min,max]`,
 * whose lines are indented by two blanks. A bound of `*` is limited only by the body. Needs: `req` in every form, `xml`
 * or `flat` in that form only, `opt`. Types are those of values/leaf.ts.
 *
 * @throws Error on an invalid line or an unknown type: the tables are source code, so that is a bug
 */
export function fieldTable(text: string): FieldGroup {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  let at = 0
  const read = (path: readonly string[], min: number, max: number, indent: number): FieldGroup => {
    const fields: Field[] = []
    const groups: FieldGroup[] = []
    for (;;) {
      const line = lines[at]
      const match = line === undefined ? null : LINE.exec(line)
      if (line !== undefined && match === null) throw new Error(`field table has a bad line: ${line}`)
      if (match === null || (match[1] ?? '').length < indent) return { path, min, max, fields, groups }
      if ((match[1] ?? '').length > indent) throw new Error(`field table has a bad indent: ${line}`)
      at += 1
      const [, , group, low, high, need = '', name = '', many = '1', type = '', places = name, unless] = match
      if (group !== undefined) groups.push(read(group.split('/'), Number(low), boundOf(high), indent + 2))
      else fields.push({ ...field(need, name, type, boundOf(many), places), unless: unless?.split('/') })
    }
  }
  const group = read([], 1, 1, 0)
  if (at < lines.length) throw new Error(`field table has a bad indent: ${lines[at]}`)
  return group
}

const boundOf = (text: string | undefined): number => (text === '*' ? Number.POSITIVE_INFINITY : Number(text))

function field(need: string, name: string, type: string, max: number, places: string): Omit<Field, 'unless'> {
  return {
    name,
    type,
    leaf: typeOf(type),
    need: NEEDS[need] ?? 'none',
    max,
    places: places.split(' | ').map((place) => {
      const [path = '', own = type] = place.split(':')
      return { path: path.split('/'), leaf: typeOf(own), type: own }
    }),
  }
}

function typeOf(name: string): LeafType {
  const leaf = leafType(name)
  if (leaf === undefined) throw new Error(`field table has no type ${name}`)
  return leaf
}
