/** Owns the sessions of a node and their bounds: number, bytes with two levels of pressure, lifetime, the stash before INIT. */
import type { ValidatorKey } from '../../model/index.js'
import type { RbcChunk, RbcInit, RbcSignal } from '../messages/index.js'
import { DIGEST_HELD_BYTES, type PayloadLimits, STASH_BYTES_PER_PEER_MAX } from '../payload-limits.js'
import { endSession, heldBytes, type RbcSession, sessionKey } from './session.js'

/** Broadcast messages that may arrive before their session. */
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

/** Counters since the start, for metrics. */
export interface RbcCounters {
  opened: number
  /** Sessions whose payload this node had when 2f + 1 members were ready. */
  delivered: number
  deliveredBytes: number
  readySent: number
  deliverSent: number
  /** Chunks that did not match their digest. */
  chunkMismatches: number
  /** Sessions whose chunks did not form the payload. */
  invalid: number
  /** Sessions removed by age and by pressure; announcements refused by a full store. */
  expired: number
  evicted: number
  refused: number
  /** Early messages that were not stored. */
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
  /** Bytes of stored chunks and announcements. */
  stashBytes: number
  readonly counters: RbcCounters
  /** View whose proposal is deferred, and the start of the deferral. */
  deferral: { readonly height: number; readonly view: number; readonly sinceMs: number; armed: boolean } | undefined
}

/** Callbacks of an eviction. */
export interface StoreGuard {
  /** True for a session that must be kept: certified, or prepared or proposed by this node in the current height. */
  readonly keeps: (session: RbcSession) => boolean
  /** Called if a session is evicted before its height is committed, to release other references to its payload. */
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

/** Bytes of sessions. Early messages have a separate bound, so that they cannot defer proposals. */
export function storedBytes(store: RbcStore): number {
  let sum = 0
  for (const session of store.sessions.values()) sum += heldBytes(session)
  return sum
}

/** 0: normal. 1: above the soft limit, proposals are deferred. 2: above the hard limit, sessions are evicted. */
export function pressureOf(store: RbcStore): 0 | 1 | 2 {
  const bytes = storedBytes(store)
  if (bytes >= store.limits.storeHardBytes) return 2
  return bytes >= store.limits.storeSoftBytes ? 1 : 0
}

/** Add a session; false if the store is full. */
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
 * Evict until the store is below its hard limit: early messages first, then the oldest unprotected sessions. Returns the evicted
 * messages.
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

/** Remove expired sessions. */
export function expireSessions(store: RbcStore, nowMs: number, guard: StoreGuard): void {
  for (const session of [...store.sessions.values()]) {
    if (nowMs - session.openedAtMs < store.limits.ttlMs || (!session.hasEnded && guard.keeps(session))) continue
    if (!session.hasEnded) store.counters.expired += 1
    dropSession(store, session, guard)
  }
}

/** End the sessions of a committed height; returns the early messages that were waiting for them. */
export function endSessions(store: RbcStore, height: number): readonly Stashed[] {
  for (const session of store.sessions.values()) if (session.height <= height && !session.hasEnded) endSession(session)
  return keepStashed(store, (one) => one.message.value.height > height)
}

/** Memory of a message in bytes, above the common overhead. */
function stashedBytes({ kind, value }: RbcMessage): number {
  if (kind === 'rbcChunk') return value.bytes.length
  return kind === 'rbcInit' ? value.digests.length * DIGEST_HELD_BYTES : 0
}

/** Store a message until its session is announced; evicts the oldest messages of the same peer and returns them. */
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

/** Retain the early messages that satisfy a condition; returns the others. */
function keepStashed(store: RbcStore, wanted: (one: Stashed) => boolean): readonly Stashed[] {
  if (store.stash.length === 0) return NONE
  const gone = store.stash.filter((one) => !wanted(one))
  store.stash = store.stash.filter(wanted)
  store.stashBytes = store.stash.reduce((sum, one) => sum + one.bytes, 0)
  return gone
}

/** Remove and return the early messages that satisfy a condition. */
export function takeStashed(store: RbcStore, wanted: (message: RbcMessage) => boolean): readonly Stashed[] {
  return keepStashed(store, (one) => !wanted(one.message))
}

function oldest(store: RbcStore, wanted: (session: RbcSession) => boolean): RbcSession | undefined {
  // Sessions are in the order in which they were opened.
  for (const session of store.sessions.values()) if (wanted(session)) return session
  return undefined
}

/** Remove a session. */
export function dropSession(store: RbcStore, session: RbcSession, guard: StoreGuard): void {
  store.sessions.delete(sessionKey(session.height, session.view, session.payloadHash))
  if (!session.hasEnded) guard.dropped(session)
}
