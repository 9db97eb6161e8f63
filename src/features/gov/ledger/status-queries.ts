/** Owns the queries of governance apart from proposals: status, tracks, locks, accounts, council, namespaces, peers. */
import type { Page } from '../../../api/paging.js'
import type { Numeric } from '../../../codec/index.js'
import { quorumOf } from '../../../consensus/index.js'
import type { QueryContext, QueryRun } from '../../../executor/reads.js'
import { peers } from '../../../executor/tables.js'
import { ZERO } from '../../../ledger/money.js'
import { assertHeld, nowOf } from '../../../ledger/query.js'
import { limitOf, SCAN_MAX } from '../../../ledger/table-page.js'
import { accountRoles, definitions, roles, tokens } from '../../../ledger/tables.js'
import { type AccountId, add, GENESIS_HEIGHT, isEvent, type Token, tokenKey } from '../../../model/index.js'
import { events } from '../schema/events.js'
import type { Held, Track } from '../schema/records.js'
import * as views from '../schema/views.js'
import { GOV_ACCOUNT, stateOf } from './account.js'
import { isSeated, lastCouncil, weightOf } from './council.js'
import { accountOfPeer, electorOfPeer, rosterPeers } from './electorates.js'
import { actsOf, firstActOf, lockedDefinitions } from './indexes.js'
import { freeMsOf, freeOf } from './locks.js'
import { approvals, type GovState, type Lock, locks, namespaces, ready, seals, tracks } from './tables.js'

/** Permissions of the governance account, including those of its roles. */
function permissionsOf({ reader }: QueryContext): readonly Token[] {
  const own = reader.get(tokens, GOV_ACCOUNT) ?? []
  const ofRoles = (reader.get(accountRoles, GOV_ACCOUNT) ?? []).flatMap((role) => reader.get(roles, role)?.tokens ?? [])
  return [...new Map([...own, ...ofRoles].map((token) => [tokenKey(token), token])).values()]
}

const assetsOf = (state: GovState | undefined): readonly string[] => [
  ...new Set(
    (state?.tracks ?? []).flatMap(({ electorate: { kind, value } }) => (kind === 'asset' ? [value.definition] : [])),
  ),
]

export const statusQuery: QueryRun<Record<string, never>, views.StatusView> = async (ctx) => {
  const state = stateOf(ctx.reader)
  const atMs = await nowOf(ctx)
  const next = state?.open[0]
  const office = lastCouncil(ctx.reader)
  const isInOffice = office !== undefined && atMs < office.council.untilMs
  return {
    account: GOV_ACCOUNT,
    isFounded: state !== undefined,
    domain: state?.domain,
    tracks: state?.tracks.length ?? 0,
    proposals: (state?.next ?? 1) - 1,
    open: state?.open.length ?? 0,
    next: next && { proposal: next.proposal, dueMs: next.dueMs },
    permissions: permissionsOf(ctx),
    definitions: assetsOf(state),
    vetoBps: state?.vetoBps,
    council: isInOffice ? { term: office.term, untilMs: office.council.untilMs } : undefined,
    atMs,
    height: ctx.height,
  }
}

function trackView({ reader, height }: QueryContext, state: GovState, id: number, track: Track): views.TrackView {
  const { kind, value } = track.electorate
  const open = state.open.filter((one) => one.track === id).length
  const electors = kind === 'role' ? (reader.get(seals, value.role)?.length ?? 0) : rosterPeers(reader, height).length
  const supply = kind === 'asset' ? reader.get(definitions, value.definition)?.total : undefined
  return { id, track, open, electors: kind === 'asset' ? undefined : electors, supply }
}

export const tracksQuery: QueryRun<Record<string, never>, views.TracksView> = async (ctx) => {
  const state = stateOf(ctx.reader)
  const items = (state?.tracks ?? []).flatMap(({ id }) => {
    const track = ctx.reader.get(tracks, id)
    return state === undefined || track === undefined ? [] : [trackView(ctx, state, id, track)]
  })
  return { items, height: ctx.height }
}

const heldView = ({ reader }: QueryContext, one: Held) => ({ ...one, freeMs: freeMsOf(reader, one) })

export const locksQuery: QueryRun<views.LocksQuery, Page<views.LockItem>> = async (ctx, { account, limit, after }) => {
  const most = limitOf(limit)
  const nowMs = await nowOf(ctx)
  const found = await lockedDefinitions(ctx, account, after, most + 1)
  const shown = found.slice(0, most)
  const items = shown.flatMap((definition): views.LockItem[] => {
    const lock = ctx.reader.get(locks, { definition, account })
    if (lock === undefined) return []
    const { kept, free } = freeOf(ctx.reader, lock, nowMs)
    return [{ definition, amount: lock.amount, free, held: kept.map((one) => heldView(ctx, one)) }]
  })
  return { items, nextCursor: found.length > shown.length ? shown.at(-1) : undefined, height: ctx.height }
}

/** True if an account can vote on a track. */
function isElector(ctx: QueryContext, account: AccountId, { electorate }: GovState['tracks'][number], own: number) {
  const { kind, value } = electorate
  if (kind === 'asset') return ctx.reader.has(locks, { definition: value.definition, account })
  return kind === 'role' ? ctx.reader.get(seals, value.role)?.includes(account) === true : own > 0
}

export const accountQuery: QueryRun<views.OfAccountQuery, views.AccountView> = async (ctx, { account }) => {
  const { reader, height } = ctx
  const state = stateOf(reader)
  const own = rosterPeers(reader, height).filter((peer) => electorOfPeer(reader, peer) === account)
  const held = reader.get(accountRoles, account) ?? []
  const office = lastCouncil(reader)
  const seat = office?.council.members.find((one) => one.account === account && isSeated(reader, one))
  const isInOffice = office !== undefined && (await nowOf(ctx)) < office.council.untilMs
  return {
    account,
    tracks: (state?.tracks ?? []).filter((one) => isElector(ctx, account, one, own.length)).map(({ id }) => id),
    roles: held.filter((role) => reader.get(seals, role)?.includes(account) === true),
    peers: own,
    seat: isInOffice && seat !== undefined ? { term: office.term, weight: seat.weight } : undefined,
    open: (state?.open ?? []).filter(({ proposer }) => proposer === account).map(({ proposal }) => proposal),
    height,
  }
}

export const councilQuery: QueryRun<Record<string, never>, views.CouncilView> = async (ctx) => {
  const office = lastCouncil(ctx.reader)
  if (office === undefined) return undefined
  const { term, council } = office
  return {
    term,
    untilMs: council.untilMs,
    inOffice: (await nowOf(ctx)) < council.untilMs,
    members: council.members.map((one) => ({
      account: one.account,
      weight: one.weight,
      isSeated: isSeated(ctx.reader, one),
    })),
    weight: weightOf(council.members),
    vetoBps: stateOf(ctx.reader)?.vetoBps,
    height: ctx.height,
  }
}

/**
 * True if this node has every act of a term: its index begins with the appointment, and either the node has all blocks
 * or it indexed the appointment itself. Every node has genesis, also one that began from a later snapshot.
 */
async function hasAllActs(ctx: QueryContext, term: number): Promise<boolean> {
  if (ctx.firstHeight <= GENESIS_HEIGHT + 1) return true
  const first = await firstActOf(ctx, term)
  return first !== undefined && first.height > GENESIS_HEIGHT && isEvent(first.event, events.govCouncilAppointed)
}

export const councilActsQuery: QueryRun<views.ActsQuery, Page<views.CouncilAct>> = async (ctx, query) => {
  const terms = stateOf(ctx.reader)?.terms ?? 0
  const term = query.term ?? terms
  const most = limitOf(query.limit)
  const before = query.after === undefined ? undefined : views.actOfPlace(query.after)
  const isCut = term > 0 && term <= terms && !(await hasAllActs(ctx, term))
  const all = await actsOf(ctx, term, before, most + 1)
  const found = isCut ? all.filter(({ height }) => height > GENESIS_HEIGHT) : all
  // Acts before the snapshot are missing: they would be on the next page.
  if (isCut && found.length === 0) assertHeld(ctx, ctx.firstHeight - 1)
  const shown = found.slice(0, most)
  const last = isCut || found.length > shown.length ? shown.at(-1) : undefined
  return {
    items: shown.map(({ height, atMs, event }) => ({ height, atMs, event })),
    nextCursor: last && `${last.height}.${last.index}`,
    height: ctx.height,
  }
}

export const namespacesQuery: QueryRun<views.NamespacesQuery, Page<views.NamespaceItem>> = async (ctx, query) => {
  const most = limitOf(query.limit)
  const rows = await ctx.rows(namespaces, { after: query.after, limit: most + 1 })
  const shown = rows.slice(0, most)
  return {
    items: shown.map(({ key, value }) => ({ domain: key, approvals: value.approvals.length })),
    nextCursor: rows.length > shown.length ? shown.at(-1)?.key : undefined,
    height: ctx.height,
  }
}

export const namespaceQuery: QueryRun<views.NamespaceQuery, views.NamespaceView> = async (ctx, { domain }) => {
  const row = ctx.reader.get(namespaces, domain)
  const nowMs = await nowOf(ctx)
  return {
    domain,
    isProtected: row !== undefined,
    approvals: (row?.approvals ?? []).flatMap(({ id }) => {
      const found = ctx.reader.get(approvals, id)
      if (found === undefined) return []
      const { kind, name, digest, abiHash, expiresMs } = found
      return [{ kind, name, digest, abiHash, expiresMs, isExpired: expiresMs <= nowMs }]
    }),
    height: ctx.height,
  }
}

const sumOf = (a: Numeric, b: Numeric): Numeric => add(a, b) ?? a

/** Add a lock to the counts of its definition. */
function countLock(
  ctx: QueryContext,
  counted: views.UnlocksView['items'][number],
  lock: Lock,
  nowMs: number,
): views.UnlocksView['items'][number] {
  const { kept, free } = freeOf(ctx.reader, lock, nowMs)
  const times = [counted.nextMs, ...kept.map((one) => freeMsOf(ctx.reader, one))].flatMap((ms) => ms ?? [])
  return {
    ...counted,
    locks: counted.locks + 1,
    locked: sumOf(counted.locked, lock.amount),
    free: sumOf(counted.free, free),
    nextMs: times.length === 0 ? undefined : Math.min(...times),
  }
}

export const unlocksQuery: QueryRun<Record<string, never>, views.UnlocksView> = async (ctx) => {
  const atMs = await nowOf(ctx)
  const rows = await ctx.rows(locks, { limit: SCAN_MAX + 1 })
  const found = new Map(
    assetsOf(stateOf(ctx.reader)).map((definition) => [
      definition,
      { definition, locks: 0, locked: ZERO, free: ZERO, nextMs: undefined } as views.UnlocksView['items'][number],
    ]),
  )
  for (const { key, value } of rows.slice(0, SCAN_MAX)) {
    const counted = found.get(key.definition)
    if (counted !== undefined) found.set(key.definition, countLock(ctx, counted, value, atMs))
  }
  return { items: [...found.values()], isComplete: rows.length <= SCAN_MAX, atMs, height: ctx.height }
}

export const peersQuery: QueryRun<Record<string, never>, views.PeersView> = async (ctx) => {
  const { reader, height } = ctx
  const roster = rosterPeers(reader, height)
  const items = roster.flatMap((peer) => {
    const row = reader.get(peers, peer)
    const attested = reader.get(ready, peer)
    const elector = electorOfPeer(reader, peer) ?? (row && accountOfPeer(row))
    return elector === undefined ? [] : [{ peer, elector, abi: attested?.abi, hash: attested?.hash }]
  })
  return { items, quorum: quorumOf(roster.length), height }
}
