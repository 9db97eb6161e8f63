/** Owns the state of block sync: claims of peers, requests in flight, and blocks that wait for execution. */
import type { CommittedBlock, ValidatorKey } from '../model/index.js'
import type { HeightContext } from './height.js'

/** Range requested from a peer. */
export interface SyncAsked {
  readonly from: number
  readonly count: number
  readonly sentAtMs: number
  /** True if overdue: the range is requested from other peers, and a late response still counts. */
  late: boolean
}

/** Peer as a source of blocks. Claims are unproven and only decide which peer to ask. */
export interface SyncPeer {
  /** Height that it claims to decide, so that it should have every lower block. */
  height: number
  /** Greatest height that it claimed to decide; `height` falls if it serves less than it claimed. */
  claimed: number
  asked: SyncAsked | undefined
  askedAtMs: number
  /** Last time that one of its claims started a request: once a second until it has served a valid block. */
  hintedAtMs: number
  /** Invalid or missing responses since the last valid block; the peer with the fewest is asked first. */
  failures: number
  /** Paused for silence: before this time it is asked only for our next block, and only if no other peer has it. */
  restsUntilMs: number
  /** Paused for invalid or missing blocks: not asked before this time. */
  barredUntilMs: number
}

/** Block that waits for its predecessors, which determine the committee that verifies it. */
export interface SyncedBlock {
  readonly block: CommittedBlock
  readonly from: ValidatorKey
  /** Status of its certificate; the body is checked at execution. */
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
  /** True from the first request until no peer claims a greater height. */
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
 * True while this node is behind the chain: verified blocks are waiting, or f + 1 members, of which one is correct, claim to decide a
 * height above the next one. Claims of fewer peers have no effect.
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

/** Remove a block from the buffer. */
export function dropSynced(sync: SyncState, height: number): void {
  const held = sync.blocks.get(height)
  if (held === undefined) return
  sync.blocks.delete(height)
  sync.bufferedBytes -= held.block.body.length
}
