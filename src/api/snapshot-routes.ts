/** Owns the rows of the snapshots that a node offers to peers: their list, and the request to create one. */
import { type AnyRoute, defineRoute, routeTable } from './route.js'
import { snapshotStatus } from './schema/snapshots.js'

export const SNAPSHOTS = {
  list: defineRoute({
    id: 'node.snapshots',
    method: 'GET',
    path: '/v1/node/snapshots',
    summary: 'Snapshots that the node offers to new peers, newest first, and the one in progress',
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
    summary: 'Start a snapshot at the current height while the node runs; one in progress continues',
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
