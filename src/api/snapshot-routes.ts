/** Owns the rows of the snapshots that a node keeps for peers: what there is, and the order to make one. */
import { type AnyRoute, defineRoute, routeTable } from './route.js'
import { snapshotStatus } from './schema/snapshots.js'

export const SNAPSHOTS = {
  list: defineRoute({
    id: 'node.snapshots',
    method: 'GET',
    path: '/v1/node/snapshots',
    summary: 'Snapshots that the node keeps for peers that start, newest first, and the one under way',
    access: 'public',
    profile: 'status',
    format: 'json',
    response: snapshotStatus,
    whileHalted: true,
  }),
  make: defineRoute({
    id: 'node.snapshots.make',
    method: 'POST',
    path: '/v1/node/snapshots',
    summary: 'Begins a snapshot at the height of the node; payments go on. One that is under way goes on',
    access: 'operator',
    format: 'json',
    audited: true,
    response: snapshotStatus,
    success: 202,
    errors: ['not_found'],
  }),
} as const

/** Rows of this file. */
export const SNAPSHOT_ROUTES: readonly AnyRoute[] = routeTable(...Object.values(SNAPSHOTS))
