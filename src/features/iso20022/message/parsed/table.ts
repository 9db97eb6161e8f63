/** Owns the notation of field tables: what a family that is only parsed must hold, and where (specification 4.4). */
import { type LeafType, leafType } from '../values/leaf.js'

/** In which form a field must be there. */
export type Need = 'both' | 'xml' | 'flat' | 'none'

/** A place in XML, relative to the group; its type when it differs from that of the field. */
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
  /** Values at most. */
  readonly max: number
  /** Places in XML, in order of precedence. */
  readonly places: readonly FieldPlace[]
}

/** Fields that belong together, and groups that repeat inside. */
export interface FieldGroup {
  /** Path relative to the group around it; empty for the whole message. */
  readonly path: readonly string[]
  readonly min: number
  readonly max: number
  readonly fields: readonly Field[]
  readonly groups: readonly FieldGroup[]
}

/** A family that is parsed and validated, and has no endpoint. */
export interface ParsedFamily {
  readonly family: string
  readonly title: string
  /** Children of Document that may hold it; none: whatever the sender uses (own profile). */
  readonly bodies: readonly string[]
  readonly group: FieldGroup
}

const LINE =
  /^( *)(?:(\S+)\[([0-9]+),([0-9]+)\]|(req|xml|flat|opt) ([A-Za-z0-9@/]+)(?:\{([0-9]+)\})? (\S+)(?: = (.+))?)$/
const NEEDS: Readonly<Record<string, Need>> = { req: 'both', xml: 'xml', flat: 'flat', opt: 'none' }

/**
 * Compiles a table. A line is a field, `need name type`, with `{n}` for at most n values and `= place | place:type` when
 * XML has it elsewhere; or a group, `Path[min,max]`, whose lines are indented by two blanks. Needs: `req` in every form,
 * `xml` or `flat` in that form only, `opt`. Types are those of values/leaf.ts.
 *
 * @throws Error on a line or a type that is none: the tables are source, so that is a bug
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
      const [, , group, low, high, need = '', name = '', many, type = '', places] = match
      if (group !== undefined) groups.push(read(group.split('/'), Number(low), Number(high), indent + 2))
      else fields.push(field(need, name, type, many === undefined ? 1 : Number(many), places ?? name))
    }
  }
  const group = read([], 1, 1, 0)
  if (at < lines.length) throw new Error(`field table has a bad indent: ${lines[at]}`)
  return group
}

function field(need: string, name: string, type: string, max: number, places: string): Field {
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
