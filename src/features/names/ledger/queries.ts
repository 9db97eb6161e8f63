/** Owns the queries of names. */
import { pairOfCursor } from '../../../api/cursors.js'
import type { Page } from '../../../api/paging.js'
import type { QueryContext, QueryRun } from '../../../executor/reads.js'
import { nowOf } from '../../../ledger/query.js'
import { ANSWER_BYTES_MAX, fittingAnswer, limitOf, scanTable } from '../../../ledger/table-page.js'
import { aliases, domains } from '../../../ledger/tables.js'
import {
  type AccountId,
  type NameId,
  type NameRows,
  nameStanding,
  nameText,
  parentOf,
  parseAlias,
} from '../../../model/index.js'
import { DEFAULT_POLICY, type NameRow, type SkeletonKey } from '../schema/records.js'
import * as views from '../schema/views.js'
import { availabilityOf } from './availability.js'
import { policyRow } from './policies.js'
import { nameRows } from './resolution.js'
import { names, policies, reserved } from './tables.js'
import { prunedVersions, versionAt, versionsDown } from './versions.js'

/** Content of a row; a label of ABI 1 has none. */
function contentView(row: NameRow | undefined, account: AccountId) {
  if (row === undefined) {
    const absent = { manager: undefined, sinceMs: undefined, expiresMs: undefined, graceUntilMs: undefined }
    const more = { quarantineUntilMs: undefined, changedHeight: undefined, previous: undefined }
    return {
      ...absent,
      ...more,
      kind: 'assigned' as const,
      owner: account,
      account,
      records: new Map(),
      subnames: 0,
      version: 0,
    }
  }
  const { incarnation: _registered, parent: _above, ...shown } = row
  return { ...shown, account }
}

/** Names that determine the standing of a name: the name itself, then its parents. */
function lineOf(name: NameId): NameId[] {
  const above = parentOf(name)
  return above === undefined ? [name] : [name, ...lineOf(above)]
}

/** Rows of a name and its parents after the block of a height. */
async function rowsAt(ctx: QueryContext, name: NameId, height: number): Promise<NameRows<NameRow>> {
  const known = new Map<string, Awaited<ReturnType<typeof versionAt>>>()
  for (const one of lineOf(name)) known.set(nameText(one), await versionAt(ctx, one, height))
  return {
    row: (one) => known.get(nameText(one))?.row,
    account: (one) => known.get(nameText(one))?.account,
  }
}

const viewOf = (name: NameId, rows: NameRows<NameRow>, timeMs: number): views.NameView | undefined => {
  const [account, standing] = [rows.account(name), nameStanding(rows, name, timeMs)]
  if (account === undefined || standing === undefined) return undefined
  return { name: nameText(name), standing, ...contentView(rows.row(name), account) }
}

export const nameQuery: QueryRun<views.NameQuery, views.ShownName> = async (ctx, { domain, label, at }) => {
  const name = { domain, label }
  const height = at ?? ctx.height
  if (height > ctx.height) return undefined
  const timeMs = height === ctx.height ? await nowOf(ctx) : (await ctx.header(height))?.timeMs
  if (timeMs === undefined) return undefined
  const rows = height === ctx.height ? nameRows(ctx.reader) : await rowsAt(ctx, name, height)
  const view = viewOf(name, rows, timeMs)
  return view && { ...view, height }
}

export const nameHistoryQuery: QueryRun<views.NameHistoryQuery, Page<views.NameVersionView>> = async (ctx, query) => {
  const { domain, label } = query
  const name = { domain, label }
  if (!ctx.reader.has(aliases, name)) return undefined
  const limit = limitOf(query.limit)
  const below = query.after === undefined ? ctx.height + 1 : Number(query.after)
  const items: views.NameVersionView[] = []
  let [left, isMore] = [ANSWER_BYTES_MAX, false]
  let earliest: NameRow | undefined
  for await (const { row, account, stored } of versionsDown(ctx, name)) {
    earliest = row
    if (row.changedHeight >= below) continue
    left -= stored?.row.length ?? 0
    isMore = items.length === limit || (left < 0 && items.length > 0)
    if (isMore) break
    items.push(contentView(row, account))
  }
  if (!isMore && earliest?.previous !== undefined) {
    if (items.length < limit) throw prunedVersions(ctx, name, earliest.changedHeight - 1)
    isMore = true
  }
  const last = items.at(-1)
  return { items, nextCursor: isMore ? String(last?.changedHeight ?? 0) : undefined, height: ctx.height }
}

export const nameProofRowsQuery: QueryRun<views.NameQuery, views.ProvenNameRows> = async (
  ctx,
  { domain, label, at },
) => {
  const proven: views.ProvenName[] = []
  for (const name of lineOf({ domain, label })) {
    const key = JSON.stringify(name)
    const [alias, row] = [ctx.prove(aliases.name, key), ctx.prove(names.name, key)]
    if (alias === undefined || row === undefined) return undefined
    const versions = []
    if (at !== undefined) {
      for await (const { row: of, stored } of versionsDown(ctx, name, views.PROVEN_VERSIONS_MAX)) {
        if (stored !== undefined) versions.push(stored)
        if (of.changedHeight <= at) break
      }
    }
    proven.push({
      name: nameText(name),
      alias: { value: alias.value, proof: alias.proof },
      row: { value: row.value, proof: row.proof },
      versions: fittingAnswer(versions, (one) => one.row.length),
    })
    // A label with an account depends on no parent.
    if (ctx.reader.get(names, name)?.kind !== 'sub') break
  }
  return { height: ctx.height, names: proven }
}

export const namesQuery: QueryRun<views.NamesQuery, Page<views.NameView>> = async (ctx, query) => {
  const { domain, owner, standing, expiringBeforeMs } = query
  const timeMs = await nowOf(ctx)
  const rows = nameRows(ctx.reader)
  const isWanted = (view: views.NameView): boolean =>
    (owner === undefined || view.owner === owner) &&
    (standing === undefined || view.standing === standing) &&
    (expiringBeforeMs === undefined || (view.expiresMs !== undefined && view.expiresMs < expiringBeforeMs))
  const from = { limit: limitOf(query.limit), after: query.after === undefined ? undefined : parseAlias(query.after) }
  const { items, after } = await scanTable(ctx, aliases, from, (name) => {
    if (domain !== undefined && name.domain !== domain) return undefined
    const view = viewOf(name, rows, timeMs)
    return view !== undefined && isWanted(view) ? view : undefined
  })
  return { items, nextCursor: after && nameText(after), height: ctx.height }
}

export const namePoliciesQuery: QueryRun<views.PoliciesQuery, Page<views.NamePolicyView>> = async (ctx, query) => {
  const from = { limit: limitOf(query.limit), after: query.after }
  const { items, after } = await scanTable(ctx, policies, from, (domain) => {
    const row = policyRow(ctx.reader, domain)
    return row && { domain, policy: row, version: row.version }
  })
  return { items, nextCursor: after, height: ctx.height }
}

export const namePolicyQuery: QueryRun<{ readonly domain: string }, views.NamePolicyView> = async (
  { reader },
  { domain },
) => {
  if (!reader.has(domains, domain)) return undefined
  const row = policyRow(reader, domain)
  return { domain, policy: row ?? DEFAULT_POLICY, version: row?.version ?? 0 }
}

/** Position in the list of reservations: domains and skeletons contain no blank. */
const placeOf = ({ domain, skeleton }: SkeletonKey): string => `${domain} ${skeleton}`
function keyOf(place: string): SkeletonKey | undefined {
  const pair = pairOfCursor(place)
  return pair && { domain: pair[0], skeleton: pair[1] }
}

export const reservedNamesQuery: QueryRun<views.ReservedQuery, Page<views.ReservedView>> = async (ctx, query) => {
  const from = { limit: limitOf(query.limit), after: query.after === undefined ? undefined : keyOf(query.after) }
  const { items, after } = await scanTable(ctx, reserved, from, ({ domain }, row): views.ReservedView | undefined =>
    query.domain === undefined || query.domain === domain
      ? { domain: domain === '' ? undefined : domain, reservation: row }
      : undefined,
  )
  return { items, nextCursor: after && placeOf(after), height: ctx.height }
}

export const nameAvailableQuery: QueryRun<views.AvailableQuery, views.Availability> = async (
  ctx,
  { years, ...name },
) => {
  const timeMs = await nowOf(ctx)
  if (!ctx.reader.has(domains, name.domain)) return undefined
  const { refused, price } = availabilityOf(ctx.reader, name, years, timeMs)
  return {
    canonical: nameText(name),
    available: refused === undefined,
    reason: refused?.code,
    message: refused?.message,
    price,
    years,
    height: ctx.height,
  }
}
