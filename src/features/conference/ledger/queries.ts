/** Owns the queries of conferences. */

import { accountOfCursor } from '../../../api/cursors.js'
import type { Page } from '../../../api/paging.js'
import type { QueryContext, QueryRun } from '../../../executor/reads.js'
import { ANSWER_BYTES_MAX, fittingAnswer, limitOf, SCAN_MAX, scanTable } from '../../../ledger/table-page.js'
import { type AccountId, formatAddress, NO_METADATA } from '../../../model/index.js'
import { type Call, conferenceIdOf, SIGNALS_MAX } from '../schema/records.js'
import * as views from '../schema/views.js'
import type { NO_COUNTERS } from './relay-counters.js'
import { hpkeFingerprint } from './relays.js'
import {
  admissions,
  callMetadataRows,
  calls,
  descriptions,
  manifests,
  nullifiers,
  type RelayRow,
  relays,
  relayTotalsRows,
  rosters,
  signals,
} from './tables.js'

export const conferenceCallsQuery: QueryRun<views.CallsQuery, Page<views.CallItem>> = async (ctx, query) => {
  const isWanted = (call: Call): boolean =>
    (query.domain === undefined || call.domain === query.domain) &&
    (query.status === undefined || call.status === query.status)
  const page = { limit: limitOf(query.limit), after: query.after }
  const { items, after } = await scanTable(ctx, calls, page, (id, call) => (isWanted(call) ? { id, call } : undefined))
  return { items, nextCursor: after, height: ctx.height }
}

export const conferenceCallQuery: QueryRun<views.CallQuery, views.CallView> = async ({ reader }, { id }) => {
  const call = reader.get(calls, id)
  if (call === undefined) return undefined
  return {
    id: conferenceIdOf(call.domain, call.name),
    call,
    description: reader.get(descriptions, id),
    metadata: reader.get(callMetadataRows, id) ?? NO_METADATA,
    relayManifest: reader.get(manifests, id),
  }
}

export const conferenceAdmissionQuery: QueryRun<views.AdmissionQuery, views.AdmissionView> = async (
  { reader, height },
  { id, nullifier },
) => {
  const call = reader.get(calls, id)
  if (call === undefined) return undefined
  return {
    id,
    keys: reader.get(admissions, id) ?? [],
    admissionRoot: call.admissionRoot,
    roster: reader.get(rosters, id) ?? [],
    rosterRoot: call.rosterRoot,
    nullifier: nullifier === undefined ? undefined : reader.get(nullifiers, { call: id, nullifier }),
    height,
  }
}

export const conferenceSignalsQuery: QueryRun<views.SignalsQuery, Page<views.SignalView>> = async (ctx, query) => {
  const { id, afterMs = -1, kind } = query
  const call = ctx.reader.get(calls, id)
  if (call === undefined) return undefined
  const limit = limitOf(query.limit, views.SIGNAL_PAGE_MAX)
  const items: views.SignalView[] = []
  let left = ANSWER_BYTES_MAX
  const oldest = Math.max(0, call.signalCount - SIGNALS_MAX)
  let index = Math.max(oldest, query.after === undefined ? 0 : Number(query.after) + 1)
  for (let seen = 0; index < call.signalCount && seen < SCAN_MAX; index += 1, seen += 1) {
    const row = ctx.reader.get(signals, { call: id, index })
    // All rows read count, including unwanted ones: a page is read without a pause.
    left -= row?.body.length ?? 0
    if (left < 0 && seen > 0) break
    if (row === undefined || row.atMs <= afterMs || (kind !== undefined && row.kind !== kind)) continue
    if (items.length === limit) break
    items.push({ index, ...row })
  }
  return { items, nextCursor: index < call.signalCount ? String(index - 1) : undefined, height: ctx.height }
}

const itemOf = (relayId: AccountId, relay: RelayRow): views.RelayItem => ({
  relayId,
  domain: relay.domain,
  bandwidthClass: relay.bandwidthClass,
  hpkeFingerprint: hpkeFingerprint(relay.hpkePublicKey),
  status: relay.lastReport?.status,
  reportedAtMs: relay.lastReport?.reportedAtMs,
})

/** Address prefix of the chain, because positions in the list of relays are addresses. */
const prefixOf = ({ codec }: QueryContext): string => codec.addressPrefix ?? ''

export const conferenceRelaysQuery: QueryRun<views.RelaysQuery, Page<views.RelayItem>> = async (ctx, query) => {
  const limit = limitOf(query.limit)
  const place = query.after === undefined ? undefined : accountOfCursor(query.after)
  const rows = await ctx.rows(relays, { after: place, limit: limit + 1 })
  const shown = fittingAnswer(rows.slice(0, limit), ({ bytes }) => bytes)
  const last = shown.at(-1)
  return {
    items: shown.map(({ key, value }) => itemOf(key, value)),
    nextCursor: rows.length > shown.length && last !== undefined ? formatAddress(last.key, prefixOf(ctx)) : undefined,
    height: ctx.height,
  }
}

export const conferenceRelayQuery: QueryRun<views.RelayQuery, views.RelayView> = async ({ reader }, { relayId }) => {
  const relay = reader.get(relays, relayId)
  if (relay === undefined) return undefined
  const { hpkePublicKey, lastReport, counters } = relay
  return { relay: itemOf(relayId, relay), hpkePublicKey, lastReport, counters }
}

export const conferenceRelayHealthQuery: QueryRun<Record<string, never>, views.RelayHealthView> = async (ctx) => {
  const rows = await ctx.rows(relayTotalsRows, { limit: views.DOMAINS_MAX })
  const domains = rows.map(({ key: domain, value: totals }) => ({ domain, totals }))
  const sum = (of: (totals: views.RelayTotals) => bigint): bigint =>
    domains.reduce((all, { totals }) => all + of(totals), 0n)
  const counter = (what: keyof typeof NO_COUNTERS): bigint => sum(({ counters }) => counters[what])
  return {
    healthyTotal: sum(({ healthy }) => healthy),
    degradedTotal: sum(({ degraded }) => degraded),
    unavailableTotal: sum(({ unavailable }) => unavailable),
    unreportedTotal: sum(({ unreported }) => unreported),
    reportsTotal: counter('healthReports'),
    registrationsTotal: counter('registrations'),
    failoversTotal: counter('failovers'),
    domains,
    height: ctx.height,
  }
}
