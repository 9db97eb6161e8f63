/** Owns lookup of a route table row by method and path, so that any response is checked by its schema. */
import type { AnyRoute } from '../api/index.js'
import { routes } from './routes.js'

const isRow = (value: object): value is AnyRoute => 'method' in value && typeof value.method === 'string'

const rowsOf = (table: object): AnyRoute[] =>
  Object.values(table).flatMap((one: object) => (isRow(one) ? [one] : rowsOf(one)))

let all: readonly AnyRoute[] | undefined
/** All rows of the table. */
export const allRoutes = (): readonly AnyRoute[] => {
  all ??= rowsOf(routes)
  return all
}

/** A row with what its paths look like. */
interface Known {
  readonly row: AnyRoute
  readonly pattern: RegExp
}
let known: readonly Known[] | undefined

/** Fixed paths before those with parameters: `/v1/x/count` is no `/v1/x/{id}`. */
const patternsOf = (): readonly Known[] =>
  allRoutes()
    .toSorted((a, b) => Number(a.path.includes('{')) - Number(b.path.includes('{')))
    .map((row) => {
      const words = row.path
        .split('/')
        .map((word) => (word.startsWith('{') ? '[^/]+' : word.replace(/[.*+?^$()|[\]\\]/g, '\\$&')))
      return { row, pattern: new RegExp(`^${words.join('/')}$`) }
    })

/** Row of a request; undefined for a path of another release. */
export function routeOf(method: string, path: string): AnyRoute | undefined {
  known ??= patternsOf()
  const [place = ''] = path.split('?')
  return known.find(({ row, pattern }) => row.method === method && pattern.test(place))?.row
}
