/** Owns conditions and order of items: fields by path, numbers and decimal texts by value, other texts by their bytes. */
import type { Predicate, SortKey } from '../../api/index.js'
import { canonicalJson, compareText, type Json, parseNumeric } from '../../codec/index.js'
import { LedgerError } from '../../model/index.js'

type Item = Readonly<Record<string, Json>>

/** The value at a path; undefined where there is none or null. */
function at(item: Json, path: readonly string[]): Json | undefined {
  let here: Json | undefined = item
  for (const name of path) {
    if (here === null || typeof here !== 'object' || Array.isArray(here) || !Object.hasOwn(here, name)) return undefined
    here = (here as Item)[name]
  }
  return here === null ? undefined : here
}

/** Splits a path whose first name must be one of the item's fields; the rest may contain dots in names of metadata. */
function pathOf(field: string, known: ReadonlySet<string>): readonly string[] | LedgerError {
  const dot = field.indexOf('.')
  const first = dot < 0 ? field : field.slice(0, dot)
  if (!known.has(first)) {
    return new LedgerError('invalid_field_path', `items have no field ${first.slice(0, 64)}`, {
      details: { field, known: [...known] },
    })
  }
  // Keys of metadata may hold dots: what follows is one name.
  if (first === 'metadata' && dot >= 0) return [first, field.slice(dot + 1)]
  return field.split('.')
}

/** A number, or an amount written as a text; undefined for anything else. */
function numberOf(json: Json): { readonly mantissa: bigint; readonly scale: number } | undefined {
  if (typeof json === 'number') return { mantissa: BigInt(json), scale: 0 }
  return typeof json === 'string' ? parseNumeric(json) : undefined
}

function compareNumbers(
  a: { readonly mantissa: bigint; readonly scale: number },
  b: { readonly mantissa: bigint; readonly scale: number },
): number {
  const scale = Math.max(a.scale, b.scale)
  const [left, right] = [a, b].map((one) => one.mantissa * 10n ** BigInt(scale - one.scale)) as [bigint, bigint]
  return left < right ? -1 : left > right ? 1 : 0
}

/** Order of two values; undefined when they have none. */
function compare(a: Json, b: Json): number | undefined {
  const [left, right] = [numberOf(a), numberOf(b)]
  if (left !== undefined && right !== undefined) return compareNumbers(left, right)
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b)
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b)
  return undefined
}

const equal = (a: Json | undefined, b: Json): boolean =>
  a === undefined ? b === null : a === b || canonicalJson(a) === canonicalJson(b)

/** True for items that match. */
export type Test = (item: Json) => boolean

const ORDERED: Readonly<Record<string, (order: number) => boolean>> = {
  lt: (order) => order < 0,
  lte: (order) => order <= 0,
  gt: (order) => order > 0,
  gte: (order) => order >= 0,
}

/** The test of a predicate over items with these fields; an error for a field that they do not have. */
export function compilePredicate(predicate: Predicate, known: ReadonlySet<string>): Test | LedgerError {
  switch (predicate.kind) {
    case 'and':
    case 'or': {
      const tests: Test[] = []
      for (const branch of predicate.value) {
        const test = compilePredicate(branch, known)
        if (test instanceof LedgerError) return test
        tests.push(test)
      }
      return predicate.kind === 'and'
        ? (item) => tests.every((test) => test(item))
        : (item) => tests.some((test) => test(item))
    }
    case 'not': {
      const test = compilePredicate(predicate.value, known)
      return test instanceof LedgerError ? test : (item) => !test(item)
    }
    case 'exists': {
      const path = pathOf(predicate.value, known)
      return path instanceof LedgerError ? path : (item) => at(item, path) !== undefined
    }
    case 'in': {
      const path = pathOf(predicate.value.field, known)
      const { values } = predicate.value
      return path instanceof LedgerError ? path : (item) => values.some((one) => equal(at(item, path), one))
    }
    case 'eq':
    case 'ne': {
      const path = pathOf(predicate.value.field, known)
      const { value } = predicate.value
      if (path instanceof LedgerError) return path
      return predicate.kind === 'eq' ? (item) => equal(at(item, path), value) : (item) => !equal(at(item, path), value)
    }
    default: {
      const { field, value } = predicate.value
      const path = pathOf(field, known)
      if (path instanceof LedgerError) return path
      if (numberOf(value) === undefined) {
        return new LedgerError('type_mismatch', `${predicate.kind} compares numbers and amounts`, {
          details: { field },
        })
      }
      const holds = ORDERED[predicate.kind]!
      return (item) => {
        const here = at(item, path)
        const order = here === undefined || numberOf(here) === undefined ? undefined : compare(here, value)
        return order !== undefined && holds(order)
      }
    }
  }
}

/** The order of these keys, ties left as they are; an error for a field that items do not have. */
export function compileSorting(
  keys: readonly SortKey[],
  known: ReadonlySet<string>,
): ((a: Json, b: Json) => number) | LedgerError {
  const paths: { readonly path: readonly string[]; readonly sign: number }[] = []
  for (const { field, order } of keys) {
    const path = pathOf(field, known)
    if (path instanceof LedgerError) return path
    paths.push({ path, sign: order === 'asc' ? 1 : -1 })
  }
  return (a, b) => {
    for (const { path, sign } of paths) {
      const [left, right] = [at(a, path), at(b, path)]
      if (left === undefined || right === undefined) {
        if (left !== right) return left === undefined ? 1 : -1
        continue
      }
      const order = compare(left, right) ?? 0
      if (order !== 0) return sign * order
    }
    return 0
  }
}
