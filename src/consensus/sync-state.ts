/** Owns the state of block sync: claims of peers, requests in flight, and blocks that wait for execution. */
import type { CommittedBlock, ValidatorKey } from '../model/index.js'
import type { HeightContext } from './height.js'

/** A range that was asked of a peer. */
export interface SyncAsked {
  readonly from: number
  readonly count: number
  readonly sentAtMs: number
  /** Not answered in time: others are asked for it, the answer still counts when it comes. */
  late: boolean
}

/** A peer as a source of blocks. Nothing here was proven: a claim only decides whom we ask. */
export interface SyncPeer {
  /** Height that it says it is deciding: it should have every block below. */
  height: number
  /** The greatest such height: `height` falls when it serves less than it said. */
  claimed: number
  asked: SyncAsked | undefined
  askedAtMs: number
  /** Last time that a claim of it started a request: once a second, until a good block of it shows that claims are worth it. */
  hintedAtMs: number
  /** Bad or missing answers since the last good block; the peer with the fewest is asked first. */
  failures: number
  /** Silent of late: asked before this time only for our next block, and only where no other peer has it. */
  restsUntilMs: number
  /** Served bad blocks, or none where it claimed some: not asked before this time. */
  barredUntilMs: number
}

/** A block that waits for its turn: only the blocks before it fix the committee that it is verified with. */
export interface SyncedBlock {
  readonly block: CommittedBlock
  readonly from: ValidatorKey
  /** Of its certificate; the body is checked when its turn comes. */
  status: 'waiting' | 'verifying' | 'verified'
}

/** State of block sync, carried over heights. */
export interface SyncState {
  readonly peers: Map<ValidatorKey, SyncPeer>
  /** By height, ours and above. */
  readonly blocks: Map<number, SyncedBlock>
  /** Bytes of the bodies in `blocks`. */
  bufferedBytes: number
  timerArmed: boolean
  /** From the first request until nobody claims a greater height: the last block is asked for like those before it. */
  catchingUp: boolean
}

export const newSyncState = (): SyncState => ({
  peers: new Map(),
  blocks: new Map(),
  bufferedBytes: 0,
  timerArmed: false,
  catchingUp: false,
})

/**
 * True while this node is behind the chain: verified blocks wait for their turn, or f + 1 members say that they decide a
 * height beyond the next one, so that one correct member does. What fewer peers claim moves nothing.
 */
export function isSyncing(
  sync: SyncState,
  { height, committee }: Pick<HeightContext, 'height' | 'committee'>,
): boolean {
  for (const [at, { status }] of sync.blocks) if (at > height && status === 'verified') return true
  let ahead = 0
  for (const key of committee.keys) if ((sync.peers.get(key)?.claimed ?? 0) > height + 1) ahead += 1
  return ahead > committee.faults
}

/** Takes a block out of the buffer. */
export function dropSynced(sync: SyncState, height: number): void {
  const held = sync.blocks.get(height)
  if (held === undefined) return
  sync.blocks.delete(height)
  sync.bufferedBytes -= held.block.body.length
}
