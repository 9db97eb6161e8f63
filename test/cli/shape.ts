/** Owns the shape of a JSON value: keys and kinds of values, nothing that changes from run to run. */

/** Objects whose keys are data, by the key under which they stand. */
const MAPS: ReadonlySet<string> = new Set(['phases', 'counts', 'metadata', 'content', 'tallies', 'keys'])
/** Values that are there or not, as the moment has it: their kind is not compared. */
const MOMENTARY: ReadonlySet<string> = new Set([
  'stall',
  'last_error',
  'round_trip_ms',
  'highest_prepare',
  'highest_prepare_view',
  'locked',
  'note',
  'signers',
  'divergence',
  // A busy machine may change a view, and then demote a proposer.
  'view_change_reasons',
  'demoted',
])

export type Shape = string | readonly Shape[] | { readonly [key: string]: Shape }

/** Shape of a value, so many levels deep; of a list that of all its entries together. */
export function shapeOf(value: unknown, depth = Number.POSITIVE_INFINITY): Shape {
  if (value === null) return 'null'
  if (Array.isArray(value)) {
    const shapes = value.map((one) => shapeOf(one, depth))
    return shapes.length === 0 ? [] : [shapes.reduce(together)]
  }
  if (typeof value !== 'object') return typeof value
  if (depth === 0) return 'object'
  const entries = Object.entries(value).map(([key, inner]): [string, Shape] => {
    if (MOMENTARY.has(key)) return [key, '(of the moment)']
    if (MAPS.has(key) && typeof inner === 'object' && inner !== null && !Array.isArray(inner)) {
      const values = Object.values(inner).map((one) => shapeOf(one, depth - 1))
      return [key, values.length === 0 ? {} : { '*': values.reduce(together) }]
    }
    return [key, shapeOf(inner, depth - 1)]
  })
  return Object.fromEntries(entries)
}

/** The shape that both have: keys of either, kinds of either. */
function together(a: Shape, b: Shape): Shape {
  if (JSON.stringify(a) === JSON.stringify(b)) return a
  if (Array.isArray(a) && Array.isArray(b)) {
    const [first, second] = [a[0] as Shape | undefined, b[0] as Shape | undefined]
    if (first === undefined || second === undefined) return first === undefined ? b : a
    return [together(first, second)]
  }
  if (isRecord(a) && isRecord(b)) {
    const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])]
    const merged = keys.map((key): [string, Shape] => {
      const [left, right] = [a[key], b[key]]
      return left === undefined || right === undefined
        ? [`${key}?`, (left ?? right) as Shape]
        : [key, together(left, right)]
    })
    return Object.fromEntries(merged)
  }
  const kinds = [a, b].map((one) => (typeof one === 'string' ? one : JSON.stringify(one)))
  return [...new Set(kinds.flatMap((kind) => kind.split(' | ')))].toSorted().join(' | ')
}

const isRecord = (shape: Shape): shape is { readonly [key: string]: Shape } =>
  typeof shape === 'object' && !Array.isArray(shape)
