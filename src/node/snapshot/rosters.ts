/** Owns the selection of rosters and epochs for a snapshot: as many that prove its headers as fit in its frames. */
import { keyListHash } from '../../consensus/index.js'
import { rosterStarts, rosters, SINGLETON_KEY } from '../../executor/index.js'
import { rosterEpochKey, rosterKey } from '../../ledger/indexes.js'
import { epochOfIndex, type RosterEpoch, rosterList, rosterOfIndex } from '../../ledger/roster-index.js'
import { FIRST_VOTED_HEIGHT, keyString, type SignedGenesis, type ValidatorKey } from '../../model/index.js'
import type { FrozenState } from '../../state/index.js'
import { genesisRoster } from './chain.js'
import { CHUNK_ITEMS_MAX, FRAME_MAX_BYTES } from './format.js'

/** Bytes of the roster frame reserved for the count. */
const COUNT_BYTES = 16

/** Maximum sizes of the epochs frame and the rosters frame. */
export interface NamedBounds {
  readonly items: number
  readonly rosterBytes: number
}
const FRAME_BOUNDS: NamedBounds = { items: CHUNK_ITEMS_MAX, rosterBytes: FRAME_MAX_BYTES - COUNT_BYTES }

/** Epoch with its first height. */
interface NamedEpoch {
  readonly height: number
  readonly epoch: RosterEpoch
}

/** Rosters and epochs of a snapshot. */
export interface Named {
  readonly rosters: readonly (readonly ValidatorKey[])[]
  /** Ordered by height. */
  readonly epochs: readonly NamedEpoch[]
}

type Source = Pick<FrozenState, 'height' | 'get' | 'indexGet' | 'indexRange'>

/** Set of key lists within a size limit: validators that are elected again share one list. */
class RosterRoom {
  private readonly lists = new Map<string, readonly ValidatorKey[]>()
  private bytes = 0
  constructor(private readonly bounds: NamedBounds) {}

  get rosters(): readonly (readonly ValidatorKey[])[] {
    return [...this.lists.values()]
  }

  /** Add a list; false if it does not fit. */
  take(roster: readonly ValidatorKey[]): boolean {
    const id = keyString(keyListHash(roster))
    if (this.lists.has(id)) return true
    const { length } = rosterList.encode(roster)
    if (this.lists.size >= this.bounds.items || this.bytes + length > this.bounds.rosterBytes) return false
    this.lists.set(id, roster)
    this.bytes += length
    return true
  }
}

/**
 * Roster of genesis, the rosters still in the state, and the indexed epochs with their rosters. If they exceed the
 * frames, the newest ones are selected: with them a block that an operator trusts proves the later headers.
 */
export async function namedRosters(
  genesis: SignedGenesis,
  state: Source,
  step: () => Promise<void>,
  bounds: NamedBounds = FRAME_BOUNDS,
): Promise<Named> {
  const room = new RosterRoom(bounds)
  room.take(genesisRoster(genesis))
  for (const start of (state.get(rosterStarts, SINGLETON_KEY) ?? []).toReversed()) {
    const row = state.get(rosters, start)
    if (row !== undefined && !room.take(row.roster)) break
  }
  return { epochs: await notedEpochs(state, room, step, bounds.items), rosters: room.rosters }
}

/** True if validators were elected; rosters missing in the state are read from the index only in this case. */
async function hasEpochs(state: Source): Promise<boolean> {
  const range = { gte: rosterEpochKey(FIRST_VOTED_HEIGHT), lt: rosterEpochKey(state.height + 1), limit: 1 }
  for await (const _ of state.indexRange(range)) return true
  return false
}

/** Newest indexed epochs, as many as fit with their rosters. */
async function notedEpochs(
  state: Source,
  room: RosterRoom,
  step: () => Promise<void>,
  limit: number,
): Promise<NamedEpoch[]> {
  if (!(await hasEpochs(state))) return []
  const indexGet = (key: Uint8Array) => state.indexGet(key)
  const found: NamedEpoch[] = []
  const range = { gte: rosterKey(FIRST_VOTED_HEIGHT), lt: rosterKey(state.height + 1), reverse: true, limit }
  for await (const [key] of state.indexRange(range)) {
    await step()
    const height = key.readUIntBE(key.length - 6, 6)
    const roster = rosterOfIndex(indexGet, height)
    if (roster !== undefined && !room.take(roster)) break
    const epoch = epochOfIndex(indexGet, height)
    if (epoch !== undefined) found.push({ height, epoch })
  }
  return found.toReversed()
}
