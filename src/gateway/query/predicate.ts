/** Owns conditions and order of items: every comparison of a field follows the order of its kind. */
import type { Predicate, SortKey } from '../../api/index.js'
import type { Json } from '../../codec/index.js'
import { LedgerError } from '../../model/index.js'
import { Comparable, compareValues, type Field, type ItemFields, ItemValues, valueAt } from './fields.js'

/** True for items that match. */
export type Test = (item: Json) => boolean

const ORDERED: Readonly<Record<'lt' | 'lte' | 'gt' | 'gte', (order: number) => boolean>> = {
  lt: (order) => order < 0,
  lte: (order) => order <= 0,
  gt: (order) => order > 0,
  gte: (order) => order >= 0,
}

const mismatch = (field: string, message: string): LedgerError =>
  new LedgerError('type_mismatch', `${field}: ${message}`, { details: { field } })

/** Reason why no value of the field can equal a value. */
function valueFault({ name, kind, words }: Field, { json, number }: Comparable): LedgerError | undefined {
  if (json === null || kind === 'json') return undefined
  if (kind === 'number') return number === undefined ? mismatch(name, 'compared with a number or an amount') : undefined
  if (kind === 'boolean') return typeof json === 'boolean' ? undefined : mismatch(name, 'compared with true or false')
  if (typeof json !== 'string') return mismatch(name, 'compared with a text')
  return words === undefined || words.includes(json) ? undefined : mismatch(name, `one of ${words.join(', ')}`)
}

/** Shared inputs of conditions on the same items. */
interface Scope {
  readonly fields: ItemFields
  readonly values: ItemValues
}

/** Items whose field has one of the values; null means absent. */
function among({ fields, values }: Scope, name: string, given: readonly Json[]): Test | LedgerError {
  const field = fields.field(name)
  if (field instanceof LedgerError) return field
  const wanted = given.map((value) => new Comparable(value))
  const fault = wanted.map((one) => valueFault(field, one)).find((one) => one !== undefined)
  if (fault !== undefined) return fault
  const takesNone = given.includes(null)
  const some = wanted.filter(({ json }) => json !== null)
  return (item) => {
    const here = values.of(item, field)
    return here === undefined ? takesNone : some.some((one) => compareValues(field.kind, here, one) === 0)
  }
}

/** Compile the predicate for items with these fields; an error for an unknown field. */
export const compilePredicate = (predicate: Predicate, fields: ItemFields): Test | LedgerError =>
  compile(predicate, { fields, values: new ItemValues() })

function compile(predicate: Predicate, scope: Scope): Test | LedgerError {
  const { fields, values } = scope
  switch (predicate.kind) {
    case 'and':
    case 'or': {
      const tests: Test[] = []
      for (const branch of predicate.value) {
        const test = compile(branch, scope)
        if (test instanceof LedgerError) return test
        tests.push(test)
      }
      return predicate.kind === 'and'
        ? (item) => tests.every((test) => test(item))
        : (item) => tests.some((test) => test(item))
    }
    case 'not': {
      const test = compile(predicate.value, scope)
      return test instanceof LedgerError ? test : (item) => !test(item)
    }
    case 'exists': {
      const field = fields.field(predicate.value)
      return field instanceof LedgerError ? field : (item) => valueAt(item, field.path) !== undefined
    }
    case 'in':
      return among(scope, predicate.value.field, predicate.value.values)
    case 'eq':
      return among(scope, predicate.value.field, [predicate.value.value])
    case 'ne': {
      const test = among(scope, predicate.value.field, [predicate.value.value])
      return test instanceof LedgerError ? test : (item) => !test(item)
    }
    default: {
      const { field: name, value } = predicate.value
      const field = fields.field(name)
      if (field instanceof LedgerError) return field
      const bound = new Comparable(value)
      if (field.kind === 'text' || field.kind === 'boolean' || bound.number === undefined) {
        return mismatch(name, `${predicate.kind} compares numbers and amounts`)
      }
      const holds = ORDERED[predicate.kind]
      return (item) => {
        const here = values.of(item, field)
        return here?.number !== undefined && holds(compareValues(field.kind, here, bound))
      }
    }
  }
}

/** Order by these keys, stable for equal items; an error for an unknown field. */
export function compileSorting(
  keys: readonly SortKey[],
  fields: ItemFields,
): ((a: Json, b: Json) => number) | LedgerError {
  const found: { readonly field: Field; readonly sign: number }[] = []
  for (const { field: name, order } of keys) {
    const field = fields.field(name)
    if (field instanceof LedgerError) return field
    found.push({ field, sign: order === 'asc' ? 1 : -1 })
  }
  const made = new WeakMap<object, readonly (Comparable | undefined)[]>()
  const keysOf = (item: Json): readonly (Comparable | undefined)[] => {
    const known = made.get(item as object)
    if (known !== undefined) return known
    const own = found.map(({ field: { path } }) => {
      const value = valueAt(item, path)
      return value === undefined ? undefined : new Comparable(value)
    })
    made.set(item as object, own)
    return own
  }
  return (a, b) => {
    const [own, others] = [keysOf(a), keysOf(b)]
    for (const [at, { field, sign }] of found.entries()) {
      const [left, right] = [own[at], others[at]]
      if (left === undefined || right === undefined) {
        if (left !== right) return left === undefined ? 1 : -1
        continue
      }
      const order = compareValues(field.kind, left, right)
      if (order !== 0) return sign * order
    }
    return 0
  }
}
