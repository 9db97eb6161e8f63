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

/** Row with the pattern of its paths. */
interface Known {
  readonly row: AnyRoute
  readonly pattern: RegExp
}
let known: readonly Known[] | undefined

/** Shape of a path: 0 for a fixed word, 1 for a parameter. */
const shapeOf = ({ path }: AnyRoute): string =>
  path
    .split('/')
    .map((word) => (word.startsWith('{') ? 1 : 0))
    .join('')

/**
 * Fixed words of a path win over parameters, as in the router: `/v1/x/classes/a` does not match
 * `/v1/x/{class}/{number}`.
 */
const patternsOf = (): readonly Known[] =>
  allRoutes()
    .toSorted((a, b) => (shapeOf(a) < shapeOf(b) ? -1 : 1))
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
