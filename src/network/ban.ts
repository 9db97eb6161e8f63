/** Owns bans: the duration for which the key of a peer is refused, and its message. */
import { performance } from 'node:perf_hooks'
import { BAN_MAX_MS, BAN_MIN_MS } from './limits.js'

/** A key that is refused for a while. */
export interface Ban {
  /** Monotonic ms. */
  readonly untilMs: number
  readonly lastsMs: number
  readonly why: string
}

/** The ban that follows another: twice as long, unless that one is over for as long as the longest. */
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
