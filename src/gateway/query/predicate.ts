/** Owns conditions and order of items: every comparison of a field follows the one order of its kind. */
import type { Predicate, SortKey } from '../../api/index.js'
import type { Json } from '../../codec/index.js'
import { LedgerError } from '../../model/index.js'
import { compareValues, type Field, type ItemFields, isNumber, valueAt } from './fields.js'

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

/** Why a value can equal nothing in the field. */
function valueFault(name: string, { kind }: Field, value: Json): LedgerError | undefined {
  if (value === null || kind === 'json') return undefined
  if (kind === 'number') return isNumber(value) ? undefined : mismatch(name, 'compared with a number or an amount')
  return typeof value === 'string' ? undefined : mismatch(name, 'compared with a text')
}

/** True when the field of an item has the value; null stands for no value. */
function equals({ path, kind }: Field, item: Json, value: Json): boolean {
  const here = valueAt(item, path)
  if (here === undefined || value === null) return here === undefined && value === null
  return compareValues(kind, here, value) === 0
}

/** Items whose field has one of the values. */
function among(name: string, fields: ItemFields, values: readonly Json[]): Test | LedgerError {
  const field = fields.field(name)
  if (field instanceof LedgerError) return field
  const fault = values.map((value) => valueFault(name, field, value)).find((one) => one !== undefined)
  return fault ?? ((item) => values.some((value) => equals(field, item, value)))
}

/** The test of a predicate over items with these fields; an error for a field that they do not have. */
export function compilePredicate(predicate: Predicate, fields: ItemFields): Test | LedgerError {
  switch (predicate.kind) {
    case 'and':
    case 'or': {
      const tests: Test[] = []
      for (const branch of predicate.value) {
        const test = compilePredicate(branch, fields)
        if (test instanceof LedgerError) return test
        tests.push(test)
      }
      return predicate.kind === 'and'
        ? (item) => tests.every((test) => test(item))
        : (item) => tests.some((test) => test(item))
    }
    case 'not': {
      const test = compilePredicate(predicate.value, fields)
      return test instanceof LedgerError ? test : (item) => !test(item)
    }
    case 'exists': {
      const field = fields.field(predicate.value)
      return field instanceof LedgerError ? field : (item) => valueAt(item, field.path) !== undefined
    }
    case 'in':
      return among(predicate.value.field, fields, predicate.value.values)
    case 'eq':
      return among(predicate.value.field, fields, [predicate.value.value])
    case 'ne': {
      const test = among(predicate.value.field, fields, [predicate.value.value])
      return test instanceof LedgerError ? test : (item) => !test(item)
    }
    default: {
      const { field: name, value } = predicate.value
      const field = fields.field(name)
      if (field instanceof LedgerError) return field
      if (field.kind === 'text' || !isNumber(value)) {
        return mismatch(name, `${predicate.kind} compares numbers and amounts`)
      }
      const holds = ORDERED[predicate.kind]
      return (item) => {
        const here = valueAt(item, field.path)
        return here !== undefined && isNumber(here) && holds(compareValues(field.kind, here, value))
      }
    }
  }
}

/** The order of these keys, ties left as they are; an error for a field that items do not have. */
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
  return (a, b) => {
    for (const { field, sign } of found) {
      const [left, right] = [valueAt(a, field.path), valueAt(b, field.path)]
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
