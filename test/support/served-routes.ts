/** Owns the routes of every node: its own, and those of the core features with their handlers. */

import { routesOf } from '../../src/api/feature.js'
import type { AnyHandler } from '../../src/api/handler.js'
import type { AnyRoute } from '../../src/api/route.js'
import type { NodeServices } from '../../src/api/services.js'
import type { StreamSource } from '../../src/api/stream-source.js'
import { FEATURE_SCHEMAS } from '../../src/features/composed.js'
import * as declared from '../../src/features/node.js'
import type { AnyService, ServiceContext } from '../../src/features/service.js'
import { OWN_ROUTES } from '../../src/gateway/index.js'

const parts = FEATURE_SCHEMAS.filter(({ abi }) => abi === 'core')
const names = new Set(parts.map(({ name }) => name))
const all: readonly AnyService[] = Object.values(declared)
// Core features need only the services of a request; pages are not routes.
const context = {} as ServiceContext
const config = { enabled: false }
const opened = await Promise.all(all.filter(({ name }) => names.has(name)).map((one) => one.open(context, config)))

/** Gateway inputs for the core. */
export const CORE: {
  readonly routes: readonly AnyRoute[]
  readonly handlers: ReadonlyMap<string, AnyHandler<NodeServices>>
  readonly streams: ReadonlyMap<string, StreamSource>
} = {
  routes: parts.flatMap(routesOf),
  handlers: new Map(opened.flatMap((one) => [...(one?.handlers ?? [])])),
  streams: new Map(opened.flatMap((one) => [...(one?.streams ?? [])])),
}

const opensNames = await declared.names.open(context, undefined as never)

/** The same with the routes of names. */
export const CORE_AND_NAMES: typeof CORE = {
  routes: [...CORE.routes, ...FEATURE_SCHEMAS.filter(({ name }) => name === 'names').flatMap(routesOf)],
  handlers: new Map([...CORE.handlers, ...(opensNames?.handlers ?? [])]),
  streams: CORE.streams,
}

/** Rows served by every node. */
export const SERVED_ROUTES: readonly AnyRoute[] = [...OWN_ROUTES, ...CORE.routes]
