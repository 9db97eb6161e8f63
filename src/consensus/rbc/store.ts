/** Owns the sessions of a node and their bounds: number, bytes with two levels of pressure, lifetime, the stash before INIT. */
import type { ValidatorKey } from '../../model/index.js'
import type { RbcChunk, RbcInit, RbcSignal } from '../messages/index.js'
import { DIGEST_HELD_BYTES, type PayloadLimits, STASH_BYTES_PER_PEER_MAX } from '../payload-limits.js'
import { endSession, heldBytes, type RbcSession, sessionKey } from './session.js'

/** Messages of broadcast that may come before what they belong to. */
export type RbcMessage =
  | { readonly kind: 'rbcInit'; readonly value: RbcInit }
  | { readonly kind: 'rbcChunk'; readonly value: RbcChunk }
  | { readonly kind: 'rbcReady'; readonly value: RbcSignal }
  | { readonly kind: 'rbcDeliver'; readonly value: RbcSignal }

/** A message that waits for its session. */
export interface Stashed {
  readonly from: ValidatorKey
  readonly message: RbcMessage
  readonly bytes: number
}

/** What happened since the start; shown as metrics. */
export interface RbcCounters {
  opened: number
  /** Sessions whose payload this node held when 2f + 1 members were ready. */
  delivered: number
  deliveredBytes: number
  readySent: number
  deliverSent: number
  /** Chunks that were not what their digest says. */
  chunkMismatches: number
  /** Sessions whose chunks were not the payload. */
  invalid: number
  /** Sessions forgotten by age, by pressure; announcements for which there was no room. */
  expired: number
  evicted: number
  refused: number
  /** Messages before their session that were not kept. */
  stashDropped: number
  /** Proposals deferred because of pressure. */
  deferrals: number
  /** Payloads rebuilt from the hashes of their records, and requests for records, chunks and whole payloads. */
  rebuilt: number
  recordRequests: number
  chunkRequests: number
  payloadRequests: number
}

export interface RbcStore {
  readonly limits: PayloadLimits
  readonly sessions: Map<string, RbcSession>
  stash: Stashed[]
  /** Bytes of chunks and announcements in it. */
  stashBytes: number
  readonly counters: RbcCounters
  /** The view whose proposal is being deferred, and since when. */
  deferral: { readonly height: number; readonly view: number; readonly sinceMs: number; armed: boolean } | undefined
}

/** What the store asks before it drops a session, and whom it tells. */
export interface StoreGuard {
  /** True for a session that must stay: certified, or prepared or proposed by this node in the current height. */
  readonly keeps: (session: RbcSession) => boolean
  /** A session was dropped before its height was committed: whoever holds its payload beside it lets go. */
  readonly dropped: (session: RbcSession) => void
}

export const newRbcStore = (limits: PayloadLimits): RbcStore => ({
  limits,
  sessions: new Map(),
  stash: [],
  stashBytes: 0,
  counters: {
    opened: 0,
    delivered: 0,
    deliveredBytes: 0,
    readySent: 0,
    deliverSent: 0,
    chunkMismatches: 0,
    invalid: 0,
    expired: 0,
    evicted: 0,
    refused: 0,
    stashDropped: 0,
    deferrals: 0,
    rebuilt: 0,
    recordRequests: 0,
    chunkRequests: 0,
    payloadRequests: 0,
  },
  deferral: undefined,
})

/** Bytes held by sessions; what waits for one has a bound of its own, or strangers to a view would defer its proposals. */
export function storedBytes(store: RbcStore): number {
  let sum = 0
  for (const session of store.sessions.values()) sum += heldBytes(session)
  return sum
}

/** 0: normal. 1: the soft limit is passed, proposals wait. 2: the hard limit is passed, sessions are evicted. */
export function pressureOf(store: RbcStore): 0 | 1 | 2 {
  const bytes = storedBytes(store)
  if (bytes >= store.limits.storeHardBytes) return 2
  return bytes >= store.limits.storeSoftBytes ? 1 : 0
}

/** Takes a new session; false when there is no room for one. */
export function addSession(store: RbcStore, session: RbcSession, guard: StoreGuard): boolean {
  const { sessions, limits, counters } = store
  while (sessions.size >= limits.sessions) {
    const ended = oldest(store, (one) => one.hasEnded)
    const victim = ended ?? oldest(store, (one) => !guard.keeps(one))
    if (victim === undefined) {
      counters.refused += 1
      return false
    }
    if (ended === undefined) counters.evicted += 1
    dropSession(store, victim, guard)
  }
  sessions.set(sessionKey(session.height, session.view, session.payloadHash), session)
  counters.opened += 1
  return true
}

/**
 * Brings the store below its hard limit: what waits for a session first, then the oldest sessions that nothing protects. Returns
 * what waited.
 */
export function relieve(store: RbcStore, guard: StoreGuard): readonly Stashed[] {
  if (pressureOf(store) < 2) return NONE
  const gone = keepStashed(store, () => false)
  while (pressureOf(store) === 2) {
    const victim = oldest(store, (one) => heldBytes(one) > 0 && !guard.keeps(one))
    if (victim === undefined) break
    store.counters.evicted += 1
    dropSession(store, victim, guard)
  }
  return gone
}

/** Forgets sessions whose time is over. */
export function expireSessions(store: RbcStore, nowMs: number, guard: StoreGuard): void {
  for (const session of [...store.sessions.values()]) {
    if (nowMs - session.openedAtMs < store.limits.ttlMs || (!session.hasEnded && guard.keeps(session))) continue
    if (!session.hasEnded) store.counters.expired += 1
    dropSession(store, session, guard)
  }
}

/** The height is committed: its sessions end, what waited for them goes and is returned. */
export function endSessions(store: RbcStore, height: number): readonly Stashed[] {
  for (const session of store.sessions.values()) if (session.height <= height && !session.hasEnded) endSession(session)
  return keepStashed(store, (one) => one.message.value.height > height)
}

/** Memory that a message takes beside what is the same for all. */
function stashedBytes({ kind, value }: RbcMessage): number {
  if (kind === 'rbcChunk') return value.bytes.length
  return kind === 'rbcInit' ? value.digests.length * DIGEST_HELD_BYTES : 0
}

/** Keeps a message until its session is announced; the oldest ones of the same peer make room and are returned. */
export function stashMessage(store: RbcStore, from: ValidatorKey, message: RbcMessage): readonly Stashed[] {
  const { stash, limits } = store
  const bytes = stashedBytes(message)
  let held = 0
  let heldBytes = bytes
  for (const one of stash) {
    if (one.from !== from) continue
    held += 1
    heldBytes += one.bytes
  }
  const gone: Stashed[] = []
  while (held >= limits.stashMessages || heldBytes > STASH_BYTES_PER_PEER_MAX) {
    const place = stash.findIndex((one) => one.from === from)
    if (place < 0) break
    held -= 1
    heldBytes -= stash[place]?.bytes ?? 0
    gone.push(...dropStashed(store, place))
  }
  stash.push({ from, message, bytes })
  store.stashBytes += bytes
  return gone
}

function dropStashed(store: RbcStore, index: number): readonly Stashed[] {
  const gone = store.stash.splice(index, 1)
  for (const { bytes } of gone) store.stashBytes -= bytes
  store.counters.stashDropped += gone.length
  return gone
}

const NONE: readonly Stashed[] = []

/** Keeps what is wanted of what waits; returns the rest. */
function keepStashed(store: RbcStore, wanted: (one: Stashed) => boolean): readonly Stashed[] {
  if (store.stash.length === 0) return NONE
  const gone = store.stash.filter((one) => !wanted(one))
  store.stash = store.stash.filter(wanted)
  store.stashBytes = store.stash.reduce((sum, one) => sum + one.bytes, 0)
  return gone
}

/** Takes out what waited and is wanted now. */
export function takeStashed(store: RbcStore, wanted: (message: RbcMessage) => boolean): readonly Stashed[] {
  return keepStashed(store, (one) => !wanted(one.message))
}

function oldest(store: RbcStore, wanted: (session: RbcSession) => boolean): RbcSession | undefined {
  // Sessions stand in the order in which they were opened.
  for (const session of store.sessions.values()) if (wanted(session)) return session
  return undefined
}

/** Forgets a session. */
export function dropSession(store: RbcStore, session: RbcSession, guard: StoreGuard): void {
  store.sessions.delete(sessionKey(session.height, session.view, session.payloadHash))
  if (!session.hasEnded) guard.dropped(session)
}
