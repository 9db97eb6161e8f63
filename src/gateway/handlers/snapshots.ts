/** Owns handlers of the snapshots that a node keeps for peers. */
import { handle, SNAPSHOTS } from '../../api/index.js'
import type { NodeServices } from '../../api/services.js'
import { LedgerError } from '../../model/index.js'

export const snapshotHandlers = [
  handle(SNAPSHOTS.list, ({ services }: { services: NodeServices }) => ({ value: services.snapshots() })),
  handle(SNAPSHOTS.make, ({ services }: { services: NodeServices }) => {
    const begun = services.beginSnapshot()
    return begun instanceof LedgerError ? begun : { value: begun }
  }),
]
