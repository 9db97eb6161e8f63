/** Owns the queries of manifests. Times are relative to the last block. */
import type { Page } from '../../../api/paging.js'
import { accounts } from '../../../executor/accounts.js'
import type { QueryContext, QueryRun } from '../../../executor/reads.js'
import { FIRST_ACCOUNT, nowOf, prefixOf } from '../../../ledger/query.js'
import { ANSWER_BYTES_MAX, fittingAnswer, limitOf } from '../../../ledger/table-page.js'
import { formatAddress, subtract } from '../../../model/index.js'
import type { StateReader } from '../../../state/index.js'
import * as views from '../schema/views.js'
import { bucketOf, type Decision, grantsNoting, spentIn } from './grants.js'
import { dataspacesOf } from './indexes.js'
import { isOfToday, type ManifestKey, type ManifestRow, manifestOf, spaceManifests, statusOf } from './tables.js'

/** A manifest for display. */
function viewOf(key: ManifestKey, manifest: ManifestRow, nowMs: number): views.ManifestItem {
  const { dataspaceIncarnation: _dataspace, accountIncarnation: _account, ...shown } = manifest
  return { ...key, ...shown, status: statusOf(manifest, nowMs) }
}

export const spaceManifest: QueryRun<views.ManifestQuery, views.ManifestView> = async (ctx, key) => {
  const manifest = manifestOf(ctx.reader, key)
  return manifest && { ...viewOf(key, manifest, await nowOf(ctx)), height: ctx.height }
}

interface FoundRow {
  readonly key: ManifestKey
  readonly value: ManifestRow
  readonly bytes: number
}

/** At most `limit` rows of a list after a position. */
async function rowsOf(
  ctx: QueryContext,
  { dataspace, account }: views.ManifestsQuery,
  after: ManifestKey | undefined,
  limit: number,
): Promise<readonly FoundRow[]> {
  if (account === undefined) return rowsOfDataspace(ctx, dataspace, after, limit)
  if (dataspace === undefined) return rowsOfAccount(ctx, account, after, limit)
  const value = ctx.reader.get(spaceManifests, { dataspace, account })
  const isNext = after === undefined || after.dataspace < dataspace
  return value !== undefined && isNext ? [rowOf(ctx, { dataspace, account }, value)] : []
}

const rowOf = (ctx: QueryContext, key: ManifestKey, value: ManifestRow): FoundRow => ({
  key,
  value,
  bytes: spaceManifests.value.encode(value, ctx.codec).length,
})

async function rowsOfDataspace(
  ctx: QueryContext,
  dataspace: bigint | undefined,
  place: ManifestKey | undefined,
  limit: number,
): Promise<readonly FoundRow[]> {
  const first = dataspace === undefined ? undefined : { dataspace, account: FIRST_ACCOUNT }
  const rows = await ctx.rows(spaceManifests, { after: place ?? first, limit, maxBytes: ANSWER_BYTES_MAX })
  return dataspace === undefined ? rows : rows.filter(({ key }) => key.dataspace === dataspace)
}

async function rowsOfAccount(
  ctx: QueryContext,
  account: string,
  place: ManifestKey | undefined,
  limit: number,
): Promise<readonly FoundRow[]> {
  const found = await dataspacesOf(ctx, account, { after: place?.dataspace, limit })
  return found.map((dataspace) => rowOf(ctx, { dataspace, account }, indexed(ctx.reader, { dataspace, account })))
}

/** Row that the index names. */
function indexed(state: StateReader, key: ManifestKey): ManifestRow {
  const row = state.get(spaceManifests, key)
  if (row === undefined) throw new Error('the index names a manifest that is not on the ledger')
  return row
}

export const spaceManifestsQuery: QueryRun<views.ManifestsQuery, Page<views.ManifestItem>> = async (ctx, query) => {
  const limit = limitOf(query.limit)
  const after = query.after === undefined ? undefined : views.manifestOfCursor(query.after)
  const rows = await rowsOf(ctx, query, after, limit + 1)
  // A filtered page reads as many manifests as an unfiltered one, and continues at its cursor.
  const shown = fittingAnswer(rows.slice(0, limit), ({ bytes }) => bytes)
  const last = shown.at(-1)?.key
  const nowMs = await nowOf(ctx)
  return {
    items: shown
      .filter(({ key, value }) => isOfToday(ctx.reader, key, value))
      .map(({ key, value }) => viewOf(key, value, nowMs))
      .filter(({ status }) => query.status === undefined || status === query.status),
    nextCursor:
      rows.length > shown.length && last !== undefined
        ? `${last.dataspace}.${formatAddress(last.account, prefixOf(ctx))}`
        : undefined,
    height: ctx.height,
  }
}

/** Remaining amounts under the entries of a manifest for a transaction of the guest at a time. */
function standingOf(state: StateReader, key: ManifestKey, manifest: ManifestRow, nowMs: number): views.StandingView {
  const { version, entries } = manifest
  const allowances = entries.flatMap(({ effect }, entry): views.AllowanceView[] => {
    if (effect.kind === 'deny') return []
    const { maxAmount, window } = effect.value
    if (maxAmount === undefined || window === undefined) return [{ entry, left: undefined, window }]
    const spent = spentIn(state, key, entry, version, bucketOf(window, nowMs, undefined))
    return [{ entry, left: subtract(maxAmount, spent), window }]
  })
  return { dataspace: key.dataspace, version, status: statusOf(manifest, nowMs), allowances }
}

export const spaceStandings: QueryRun<views.StandingsQuery, Page<views.StandingView>> = async (
  ctx,
  { account, limit: asked, after: place },
) => {
  const limit = limitOf(asked)
  const after = place === undefined ? undefined : views.dataspaceOfCursor(place)
  const found = await dataspacesOf(ctx, account, { after, limit: limit + 1 })
  const shown = found.slice(0, limit)
  const nowMs = await nowOf(ctx)
  return {
    items: shown.flatMap((dataspace) => {
      const key = { dataspace, account }
      const manifest = manifestOf(ctx.reader, key)
      return manifest === undefined ? [] : [standingOf(ctx.reader, key, manifest, nowMs)]
    }),
    nextCursor: found.length > limit ? String(shown.at(-1)) : undefined,
    height: ctx.height,
  }
}

/** Run an instruction as an account on a state that is discarded, and record the decisions of its manifests. */
export const spaceEvaluation: QueryRun<views.EvaluateQuery, views.EvaluationView> = async (
  ctx,
  { account, instruction },
) => {
  if (!ctx.reader.has(accounts, account)) return undefined
  let decided: Decision | undefined
  const grants = grantsNoting((decision) => {
    decided = decision
  })
  const { result } = await ctx.tryOut(account, (trial) => ({ refused: trial.perform(instruction) }), grants)
  return {
    decision: result.refused?.code === 'space_denied' ? 'deny' : 'allow',
    entry: decided?.entry,
    rest: decided?.rest,
    height: ctx.height,
  }
}
