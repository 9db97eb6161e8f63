/** Owns the request schedule of block sync: one range per peer, several peers at once, inside a window (docs/design/consensus.md 9). */
import type { ValidatorKey } from '../model/index.js'
import {
  STATUS_INTERVAL_MS,
  SYNC_BUFFER_BYTES,
  SYNC_PEERS_MAX,
  SYNC_RANGE_BLOCKS,
  SYNC_RANGE_BYTES,
  SYNC_REST_MAX_MS,
  SYNC_TIMEOUT_MS,
  SYNC_WINDOW_BLOCKS,
} from './limits.js'
import { arm, type StepContext, send } from './step-context.js'
import type { SyncPeer, SyncState } from './sync-state.js'

/** Record of a peer, created if new; undefined if the table is full. */
export function syncPeerOf(sync: SyncState, key: ValidatorKey): SyncPeer | undefined {
  const known = sync.peers.get(key)
  if (known !== undefined || sync.peers.size >= SYNC_PEERS_MAX) return known
  const never = Number.NEGATIVE_INFINITY
  const fresh: SyncPeer = {
    height: 0,
    claimed: 0,
    asked: undefined,
    askedAtMs: never,
    hintedAtMs: never,
    failures: 0,
    restsUntilMs: never,
    barredUntilMs: never,
  }
  sync.peers.set(key, fresh)
  return fresh
}

/** Request the missing ranges of the window, lowest gap first, each from the best free peer. */
export function askForBlocks(ctx: StepContext): void {
  const { state } = ctx
  const { sync } = state
  giveUpLate(ctx)
  for (let gap = nextGap(ctx, state.context.height); gap !== undefined; gap = nextGap(ctx, gap.from)) {
    const source = sourceOf(ctx, gap.from)
    // A peer with a later block has this one too.
    if (source === undefined) break
    // The next block is always requested; later ones must fit the budget.
    if (gap.from > state.context.height && reservedBytes(sync) + SYNC_RANGE_BYTES > SYNC_BUFFER_BYTES) break
    const [key, peer] = source
    const count = Math.min(SYNC_RANGE_BLOCKS, gap.count, peer.height - gap.from)
    peer.asked = { from: gap.from, count, sentAtMs: state.nowMs, late: false }
    peer.askedAtMs = state.nowMs
    sync.catchingUp = true
    send(ctx, key, { kind: 'syncRequest', value: { from: gap.from, count } })
  }
  armTimer(ctx)
}

/** Release overdue ranges for other peers, and pause the peers that did not respond. */
function giveUpLate(ctx: StepContext): void {
  const { nowMs, sync } = ctx.state
  for (const peer of sync.peers.values()) {
    if (peer.asked === undefined || peer.asked.late || nowMs - peer.asked.sentAtMs < SYNC_TIMEOUT_MS) continue
    peer.asked.late = true
    restAfterSilence(peer, nowMs)
  }
}

/** Pause of a peer in ms, growing with each missing response. */
export function restAfterSilence(peer: SyncPeer, nowMs: number): void {
  peer.restsUntilMs = nowMs + Math.min(SYNC_REST_MAX_MS, SYNC_TIMEOUT_MS * 2 ** Math.min(peer.failures, 8))
  peer.failures += 1
}

/** First missing range of the window from a height on that is not requested. */
function nextGap(ctx: StepContext, from: number): { readonly from: number; readonly count: number } | undefined {
  const { context, sync } = ctx.state
  const end = context.height + SYNC_WINDOW_BLOCKS
  const asked = [...sync.peers.values()].flatMap((peer) =>
    peer.asked === undefined || peer.asked.late ? [] : [peer.asked],
  )
  const isCovered = (height: number): boolean =>
    sync.blocks.has(height) || asked.some((range) => height >= range.from && height < range.from + range.count)
  let start = from
  while (start < end && isCovered(start)) start += 1
  if (start === end) return undefined
  let beyond = start + 1
  while (beyond < end && !isCovered(beyond)) beyond += 1
  return { from: start, count: beyond - start }
}

/** Best free peer for the blocks from a height on; among equals, a member is preferred to a registered peer. */
function sourceOf(ctx: StepContext, height: number): Source | undefined {
  const { context, nowMs, sync } = ctx.state
  const isHead = height === context.height
  let best: Source | undefined
  for (const one of sync.peers) {
    const [, peer] = one
    if (peer.height <= height || nowMs < peer.barredUntilMs) continue
    if (nowMs < peer.restsUntilMs && !(isHead && nowMs - peer.askedAtMs >= STATUS_INTERVAL_MS)) continue
    if (peer.asked !== undefined && !peer.asked.late) continue
    if (best === undefined || isBetterSource(ctx, one, best)) best = one
  }
  return best
}

type Source = readonly [ValidatorKey, SyncPeer]

function isBetterSource({ state }: StepContext, [key, peer]: Source, [otherKey, than]: Source): boolean {
  const { nowMs, context } = state
  const rests = nowMs < peer.restsUntilMs
  if (rests !== nowMs < than.restsUntilMs) return !rests
  if (peer.failures !== than.failures) return peer.failures < than.failures
  // Among equally reliable peers members are preferred to other registered peers.
  const votes = context.committee.keys.includes(key)
  if (votes !== context.committee.keys.includes(otherKey)) return votes
  return peer.askedAtMs < than.askedAtMs
}

/** Bytes in the buffer, plus the maximum size of the responses in flight. */
function reservedBytes(sync: SyncState): number {
  let bytes = sync.bufferedBytes
  for (const { asked } of sync.peers.values()) if (asked !== undefined && !asked.late) bytes += SYNC_RANGE_BYTES
  return bytes
}

/** Arm the timer for the oldest request in flight. */
function armTimer(ctx: StepContext): void {
  const { nowMs, sync } = ctx.state
  if (sync.timerArmed) return
  let dueMs = sync.blocks.size > 0 ? nowMs + SYNC_TIMEOUT_MS : undefined
  for (const { asked } of sync.peers.values()) {
    if (asked !== undefined && !asked.late) {
      dueMs = Math.min(dueMs ?? Number.POSITIVE_INFINITY, asked.sentAtMs + SYNC_TIMEOUT_MS)
    }
  }
  if (dueMs === undefined) return
  sync.timerArmed = true
  arm(ctx, 'sync', Math.max(0, dueMs - nowMs))
}
