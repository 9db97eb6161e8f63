/** Owns the counters of relays, and of the relays of each domain. */
import type { ExecContext } from '../../../executor/contract.js'
import type { RelayHealth, RelayManifest } from '../schema/records.js'
import type { RelayCounters, RelayTotals } from '../schema/views.js'
import { relays, relayTotalsRows } from './tables.js'

export const NO_COUNTERS: RelayCounters = { registrations: 0n, manifestUpdates: 0n, healthReports: 0n, failovers: 0n }
const NO_TOTALS: RelayTotals = { healthy: 0n, degraded: 0n, unavailable: 0n, unreported: 0n, counters: NO_COUNTERS }

export const counted = (counters: RelayCounters, what: keyof RelayCounters): RelayCounters => ({
  ...counters,
  [what]: counters[what] + 1n,
})

function countRelay(ctx: ExecContext, relay: string, what: keyof RelayCounters): void {
  const row = ctx.get(relays, relay)
  if (row !== undefined) ctx.set(relays, relay, { ...row, counters: counted(row.counters, what) })
}

/** Update the counters of a domain; `from` and `to`: health states of one of its relays. */
export function countDomain(
  ctx: ExecContext,
  domain: string,
  what: keyof RelayCounters,
  from?: RelayHealth | 'unreported',
  to?: RelayHealth | 'unreported',
): void {
  const before = ctx.get(relayTotalsRows, domain) ?? NO_TOTALS
  const next = { ...before, counters: counted(before.counters, what) }
  if (from !== undefined) next[from] -= 1n
  if (to !== undefined) next[to] += 1n
  ctx.set(relayTotalsRows, domain, next)
}

/** Count a manifest for its domain and each relay in it. */
export function countManifest(ctx: ExecContext, domain: string, { hops }: RelayManifest): void {
  countDomain(ctx, domain, 'manifestUpdates')
  for (const { relayId } of hops) countRelay(ctx, relayId, 'manifestUpdates')
}

/** Count a failover for its domain and each relay that the call no longer uses. */
export function countFailover(ctx: ExecContext, domain: string, before: RelayManifest, after: RelayManifest): void {
  countDomain(ctx, domain, 'failovers')
  const kept = new Set(after.hops.map((hop) => hop.relayId))
  for (const { relayId } of before.hops) if (!kept.has(relayId)) countRelay(ctx, relayId, 'failovers')
}
