/** Owns the notation of the structure tables: the children of an element, their order and number. */
import { type LeafType, leafType } from '../values/leaf.js'

/**
 * A table: type name to content. A sequence lists its children in order, `Name?:Type`; a choice starts with `|` and has
 * exactly one of them. `?` is 0..1, `*` 0..n, `+` 1..n, `{0,10}` a range, nothing 1..1. A type is a name of the table or
 * of values/leaf.ts; `any` is one element of any namespace, `open` any content.
 */
export type TypeTable = Readonly<Record<string, string>>

/** One child of a sequence or choice. */
export interface Member {
  readonly name: string
  readonly min: number
  readonly max: number
  readonly content: Content
}

/** Elements in order, or one of them. */
export interface Group<Kind extends 'sequence' | 'choice' = 'sequence' | 'choice'> {
  readonly kind: Kind
  readonly members: readonly Member[]
  /** Place of each child in `members`. */
  readonly index: ReadonlyMap<string, number>
}

/** Compiled content of an element. */
export type Content =
  | { readonly kind: 'leaf'; readonly leaf: LeafType }
  | { readonly kind: 'any' | 'open' }
  | Group<'sequence'>
  | Group<'choice'>

const TOKEN = /^([A-Za-z][A-Za-z0-9]*)(\?|\*|\+|\{([0-9]+),([0-9]+)\})?:(\S+)$/

/**
 * Compile a table, beginning with one of its types.
 *
 * @throws Error on an unknown token or type name, which is a bug because the tables are source code
 */
export function compile(table: TypeTable, start: string): Content {
  const done = new Map<string, Content>()
  const open = new Set<string>()
  const content = (name: string): Content => {
    const known = done.get(name)
    if (known !== undefined) return known
    const made = make(name)
    done.set(name, made)
    return made
  }
  const make = (name: string): Content => {
    if (name === 'any' || name === 'open') return { kind: name }
    const source = Object.hasOwn(table, name) ? table[name] : undefined
    if (source === undefined) {
      const leaf = leafType(name)
      if (leaf === undefined) throw new Error(`structure table has no type ${name}`)
      return { kind: 'leaf', leaf }
    }
    if (open.has(name)) throw new Error(`structure type ${name} contains itself`)
    open.add(name)
    const isChoice = source.startsWith('|')
    const members = source
      .replace(/^\|/, '')
      .trim()
      .split(/\s+/)
      .map((token): Member => {
        const match = TOKEN.exec(token)
        if (match === null) throw new Error(`structure type ${name} has a bad token ${token}`)
        const [, child = '', times, low, high, type = ''] = match
        const [min, max] =
          low !== undefined && high !== undefined ? [Number(low), Number(high)] : (TIMES[times ?? ''] ?? [1, 1])
        return { name: child, min, max, content: content(type) }
      })
    open.delete(name)
    return {
      kind: isChoice ? 'choice' : 'sequence',
      members,
      index: new Map(members.map((member, at) => [member.name, at])),
    }
  }
  return content(start)
}

const TIMES: Readonly<Record<string, readonly [number, number]>> = {
  '': [1, 1],
  '?': [0, 1],
  '*': [0, Number.POSITIVE_INFINITY],
  '+': [1, Number.POSITIVE_INFINITY],
}
