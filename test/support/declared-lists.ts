/**
 * Owns the bounds in the declaration of a record: the paths of its lists, maps and small integers, and their
 * capacities.
 */
import type { Schema } from '../../src/codec/index.js'

/** List, map or small integer in a record; `path`: `roles.tokens`, `calendar.pages[].page`. */
export interface DeclaredBound {
  readonly path: string
  readonly type: string
  /** Maximum items of a list or a map; undefined for a number. */
  readonly items: number | undefined
}

/** Split at commas outside of brackets. */
function parts(text: string): string[] {
  const found: string[] = []
  let depth = 0
  let from = 0
  for (let at = 0; at <= text.length; at += 1) {
    const char = text[at]
    if (char === '(' || char === '{') depth += 1
    if (char === ')' || char === '}') depth -= 1
    if ((char !== ',' || depth > 0) && char !== undefined) continue
    found.push(text.slice(from, at).trim())
    from = at + 1
  }
  return found.filter((part) => part !== '')
}

/** Lists, maps and small integers of a schema, by its canonical description. */
export function declaredBounds(name: string, schema: Schema<unknown>): DeclaredBound[] {
  const [root = '', ...lines] = schema.describe().trimEnd().split('\n')
  const types = new Map(lines.map((line) => [line.slice(0, line.indexOf(' = ')), line.slice(line.indexOf(' = ') + 3)]))
  const found: DeclaredBound[] = []
  const walk = (path: string, type: string): void => {
    const named = types.get(type)
    if (named !== undefined) return walk(path, named)
    const [, word = type, inner = ''] = /^(\w+) ?[({](.*)[)}]$/s.exec(type) ?? []
    if (/^u(8|16|32)$/.test(type)) found.push({ path, type, items: undefined })
    if (word === 'struct') {
      for (const field of parts(inner)) {
        const colon = field.indexOf(': ')
        walk(`${path}.${field.slice(0, colon)}`, field.slice(colon + 2))
      }
    } else if (word === 'enum') {
      for (const variant of parts(inner)) {
        const [, kind = '', of] = /^\d+ (\w+)(?:: (.*))?$/s.exec(variant) ?? []
        if (of !== undefined) walk(`${path}.${kind}`, of)
      }
    } else if (word === 'list' || word === 'map') {
      const items = parts(inner)
      found.push({ path, type, items: Number(items.at(-1)) })
      for (const item of items.slice(0, -1)) walk(`${path}[]`, item)
    } else if (word === 'option' || word === 'bounded') walk(path, parts(inner)[0] ?? '')
  }
  walk(name, root)
  return found
}

/** Number of items of every list or map at a path of a value; `kind` of an enum is part of the path. */
export function itemsAt(value: unknown, path: readonly string[]): number[] {
  const [step, ...rest] = path
  if (step === undefined) return Array.isArray(value) ? [value.length] : value instanceof Map ? [value.size] : []
  if (step === '[]') {
    const items = value instanceof Map ? [...value.values()] : Array.isArray(value) ? value : []
    return items.flatMap((item) => itemsAt(item, rest))
  }
  if (typeof value !== 'object' || value === null) return []
  const record = value as { readonly kind?: unknown; readonly value?: unknown; readonly [field: string]: unknown }
  return itemsAt(record.kind === step ? record.value : record[step], rest)
}

/** Steps of a path below the name of its table. */
export const stepsOf = (path: string): string[] => path.replaceAll('[]', '.[]').split('.').slice(1)
