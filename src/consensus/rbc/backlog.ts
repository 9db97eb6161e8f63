/** Owns the backlog of broadcast sessions per lane and dataspace: transactions, chunks, bytes (specification 1.7). */
import type { PayloadBreakdown } from '../messages/index.js'
import { missingChunks, type RbcSession } from './session.js'

/** Backlog of a lane or dataspace in one session, or in all sessions. */
export interface Backlog {
  readonly transactions: number
  readonly totalChunks: number
  readonly pendingChunks: number
  readonly payloadBytes: number
  readonly teu: number
}

/** A lane or a dataspace with its backlog. */
export interface BacklogOf<K> extends Backlog {
  readonly key: K
}

/** Divide whole chunks by bytes; the largest remainders get the rest, the first of equal ones. */
export function apportion(chunks: number, weights: readonly number[]): number[] {
  const total = weights.reduce((sum, one) => sum + one, 0)
  if (total === 0) return weights.map((_, index) => (index === 0 ? chunks : 0))
  const parts = weights.map((weight) => Math.floor((chunks * weight) / total))
  let left = chunks - parts.reduce((sum, one) => sum + one, 0)
  const order = weights
    .map((weight, index) => ({ index, rest: (chunks * weight) % total }))
    .sort((a, b) => b.rest - a.rest || a.index - b.index)
  for (const { index } of order) {
    if (left === 0) break
    parts[index] = (parts[index] ?? 0) + 1
    left -= 1
  }
  return parts
}

const NONE: Backlog = { transactions: 0, totalChunks: 0, pendingChunks: 0, payloadBytes: 0, teu: 0 }

const plus = (a: Backlog, b: Backlog): Backlog => ({
  transactions: a.transactions + b.transactions,
  totalChunks: a.totalChunks + b.totalChunks,
  pendingChunks: a.pendingChunks + b.pendingChunks,
  payloadBytes: a.payloadBytes + b.payloadBytes,
  teu: a.teu + b.teu,
})

function backlogBy<K>(sessions: Iterable<RbcSession>, keyOf: (share: PayloadBreakdown) => K): BacklogOf<K>[] {
  const sums = new Map<K, Backlog>()
  for (const session of sessions) {
    const weights = session.shares.map((share) => share.payloadBytes)
    const total = apportion(session.digests.length, weights)
    const pending = apportion(session.hasEnded ? 0 : missingChunks(session).length, weights)
    for (const [index, share] of session.shares.entries()) {
      const { transactions, payloadBytes, teu } = share
      const part = {
        transactions,
        totalChunks: total[index] ?? 0,
        pendingChunks: pending[index] ?? 0,
        payloadBytes,
        teu,
      }
      const key = keyOf(share)
      sums.set(key, plus(sums.get(key) ?? NONE, part))
    }
  }
  return [...sums].map(([key, sum]) => ({ key, ...sum }))
}

/** Backlog of each lane over these sessions. */
export const laneBacklog = (sessions: Iterable<RbcSession>): BacklogOf<number>[] =>
  backlogBy(sessions, (share) => share.lane).sort((a, b) => a.key - b.key)

/** Backlog of each dataspace over these sessions. */
export const dataspaceBacklog = (sessions: Iterable<RbcSession>): BacklogOf<bigint>[] =>
  backlogBy(sessions, (share) => share.dataspace).sort((a, b) => (a.key < b.key ? -1 : 1))
