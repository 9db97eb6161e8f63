/** Owns the assignment of handlers to routes, and the errors for unknown paths and methods. */
import type { AnyHandler, AnyRoute } from '../api/index.js'
import type { NodeServices } from '../api/services.js'
import { LedgerError } from '../model/index.js'
import { queryHandler } from './handlers/by-query.js'
import { AnswerTypes, offersOf } from './negotiate.js'

/** Route with its handler. */
export interface Route {
  readonly row: AnyRoute
  readonly handler: AnyHandler<NodeServices>
  readonly answerTypes: AnswerTypes<string>
}

/** True for routes with a stream, which have no handler of their own. */
export const isStream = (row: AnyRoute): boolean => row.format === 'sse' || row.format === 'websocket'

/** Placeholder handler of a stream. Refuses a WebSocket request without an upgrade. */
const streamHandler: AnyHandler<NodeServices> = () =>
  new LedgerError('upgrade_required', 'this path serves a WebSocket')

const pathPattern = (path: string): RegExp =>
  new RegExp(`^${path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{[a-z_]+\}/g, '[^/]+')}$`)

const parametersIn = (path: string): number => path.split('{').length - 1

const METHODS = ['GET', 'POST', 'DELETE'] as const

export class RouteIndex {
  /** Served routes, in table order. */
  readonly routes: readonly Route[]
  private readonly paths: readonly {
    readonly pattern: RegExp
    readonly row: AnyRoute
    readonly off: string | undefined
  }[]

  /** Throws if the table and the handlers do not match, which is a bug and thus detected at start. */
  constructor(
    rows: readonly AnyRoute[],
    handlers: ReadonlyMap<string, AnyHandler<NodeServices>>,
    streams: ReadonlySet<string>,
    disabledFeatures: readonly string[],
    withheld: readonly string[] = [],
  ) {
    const ids = new Set<string>()
    const places = new Set<string>()
    const routes: Route[] = []
    /** Reason why a route is not served. */
    const offBecause = ({ id, feature }: AnyRoute): string | undefined => {
      if (feature !== undefined && disabledFeatures.includes(feature))
        return `the feature ${feature} is disabled on this node`
      return withheld.includes(id) ? 'this node is not configured for this route' : undefined
    }
    for (const row of rows) {
      const place = `${row.method} ${row.path.replace(/\{[a-z_]+\}/g, '{}')}`
      if (ids.has(row.id) || places.has(place)) throw new Error(`duplicate route ${row.id} (${place})`)
      if (row.format.startsWith('binary') && (row.frame === undefined || row.response === undefined)) {
        throw new Error(`route ${row.id} responds in codec and requires a response and a frame`)
      }
      ids.add(row.id)
      places.add(place)
      const byQuery = row.answer === undefined ? undefined : queryHandler(row.answer)
      const handler = isStream(row) ? streamHandler : (handlers.get(row.id) ?? byQuery)
      if (offBecause(row) !== undefined) continue
      if (handler === undefined) throw new Error(`route ${row.id} has no handler`)
      if (isStream(row) && !streams.has(row.id)) throw new Error(`route ${row.id} has no stream`)
      const answerTypes = new AnswerTypes([...offersOf(row.format), ...Object.keys(row.renders ?? {})])
      routes.push({ row, handler, answerTypes })
    }
    for (const id of handlers.keys()) if (!ids.has(id)) throw new Error(`handler ${id} has no route`)
    for (const id of streams) if (!ids.has(id)) throw new Error(`stream ${id} has no route`)
    this.routes = routes
    this.paths = rows.map((row) => ({ pattern: pathPattern(row.path), row, off: offBecause(row) }))
  }

  /** Paths without parameters, with the methods that they lack and that a path with parameters would match. */
  get reserved(): readonly { readonly method: AnyRoute['method']; readonly path: string }[] {
    const served = this.paths.filter(({ off }) => off === undefined)
    const fixed = [...new Set(served.map(({ row }) => row.path).filter((path) => parametersIn(path) === 0))]
    return fixed.flatMap((path) =>
      METHODS.filter((method) => {
        const taking = served.filter(({ row, pattern }) => row.method === method && pattern.test(path))
        return taking.length > 0 && taking.every(({ row }) => row.path !== path)
      }).map((method) => ({ method, path })),
    )
  }

  /** Error for a request without a route, and the allowed methods of the path. */
  refusal(method: string, path: string): { readonly error: LedgerError; readonly allow: string | undefined } {
    const matching = this.paths.filter(({ pattern }) => pattern.test(path))
    // Fixed words of a path win over parameters.
    const fewest = Math.min(...matching.map(({ row }) => parametersIn(row.path)))
    const here = matching.filter(({ row }) => parametersIn(row.path) === fewest)
    const methods = here.filter(({ off }) => off === undefined).map(({ row }) => row.method as string)
    if (methods.length > 0) {
      const allow = [...new Set(methods.flatMap((name) => (name === 'GET' ? ['GET', 'HEAD'] : [name])))].join(', ')
      const error = new LedgerError('method_not_allowed', `this path does not support ${method}`, {
        hint: `Supported: ${allow}.`,
      })
      return { error, allow }
    }
    const off = here[0]?.off
    const error =
      off === undefined
        ? new LedgerError('route_not_found', 'no route matches this path')
        : new LedgerError('route_not_enabled', off)
    return { error, allow: undefined }
  }
}
