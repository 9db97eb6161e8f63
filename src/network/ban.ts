/** Owns bans: the time for which the key of a peer is refused, and the message about it. */
import { performance } from 'node:perf_hooks'
import { BAN_MAX_MS, BAN_MIN_MS } from './limits.js'

/** Ban of a key for a limited time. */
export interface Ban {
  /** End of the ban, monotonic ms. */
  readonly untilMs: number
  readonly lastsMs: number
  readonly why: string
}

/** Next ban of a key: twice as long as the last one, unless that ended at least the maximum ban ago. */
export function banAfter(last: Ban | undefined, why: string, monotonicMs: number): Ban {
  const beforeMs = last !== undefined && monotonicMs - last.untilMs < BAN_MAX_MS ? last.lastsMs : 0
  const lastsMs = Math.min(BAN_MAX_MS, Math.max(BAN_MIN_MS, 2 * beforeMs))
  return { untilMs: monotonicMs + lastsMs, lastsMs, why }
}

/** True while a ban lasts. */
export const isInForce = (ban: Ban | undefined, monotonicMs = performance.now()): boolean =>
  ban !== undefined && ban.untilMs > monotonicMs

/** Message about a current ban for the refused side and for operators; undefined without a ban. */
export function banText(ban: Ban | undefined): string | undefined {
  const leftMs = (ban?.untilMs ?? 0) - performance.now()
  return ban === undefined || leftMs <= 0 ? undefined : `banned for another ${Math.ceil(leftMs / 1000)} s: ${ban.why}`
}
