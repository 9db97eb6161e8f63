/** Owns consensus queries over committed state and stored headers: certificates, rosters, keys, evidence. */

import {
  type BlsKeys,
  type Checkpoint,
  type CommitQcRecord,
  type CommitQcSummary,
  type ConsensusKeyList,
  type ConsensusParams,
  commitQcSummaryOf,
  EVIDENCE_MAX,
  type EvidenceList,
  HISTORY_MAX,
  type Page,
  type ValidatorSet,
} from '../../../api/index.js'
import type { HeightsQuery } from '../../../api/query-inputs.js'
import { compareText, toHex } from '../../../codec/index.js'
import { keyListHash, selectCommittee } from '../../../consensus/index.js'
import { keyOfPeer, statusOfKey } from '../../../executor/consensus-keys.js'
import { registeredPeers } from '../../../executor/membership.js'
import { parameterOf } from '../../../executor/parameters.js'
import type { QueryContext, QueryRun } from '../../../executor/reads.js'
import { rosterAt } from '../../../executor/rosters.js'
import {
  consensusParametersOf,
  EVIDENCE_HORIZON_BLOCKS,
  KEY_OVERLAP_BLOCKS,
  MEMBERSHIP_SEEN_WINDOW,
  transactionLimitsOf,
} from '../../../executor/system-parameters.js'
import { chainInfo, consensusKeys, faults, SINGLETON_KEY, schedule } from '../../../executor/tables.js'
import { limitOf, pageOfHeights } from '../../../ledger/table-page.js'
import { type CertifiedHeader, chainHashOf, FIRST_VOTED_HEIGHT, hashOfHeader } from '../../../model/index.js'
import type { TableDef } from '../../../state/index.js'
import type { EvidenceQuery } from '../schema.js'

/** Rows per table read. */
const SCAN_ROWS = 500
/** Maximum rows of one table read by a query, far above the number of rows of the largest roster. */
const SCAN_MAX = 20_000

/** All rows of a table, within a bound. */
async function scan<K, V>(ctx: QueryContext, table: TableDef<K, V>): Promise<{ key: K; value: V }[]> {
  const found: { key: K; value: V }[] = []
  for (;;) {
    const last = found.at(-1)
    const range = last === undefined ? { limit: SCAN_ROWS } : { after: last.key, limit: SCAN_ROWS }
    const rows = await ctx.rows(table, range)
    found.push(...rows)
    if (rows.length < SCAN_ROWS || found.length >= SCAN_MAX) return found
  }
}

/** Heights with votes, up to `newest`. */
const voted = (newest: number) => ({ newest, oldest: FIRST_VOTED_HEIGHT, most: HISTORY_MAX })

/** Page of certified heights. */
const pageOfCertified = <T>(ctx: QueryContext, query: HeightsQuery, itemOf: (certified: CertifiedHeader) => T) =>
  pageOfHeights(ctx, query, voted(ctx.height), async (height) => {
    const certified = await ctx.certified(height)
    return certified === undefined ? undefined : itemOf(certified)
  })

export const certificatesQuery: QueryRun<HeightsQuery, Page<CommitQcSummary>> = (ctx, query) =>
  pageOfCertified(ctx, query, ({ certificate }) => commitQcSummaryOf(certificate))

export const checkpointsQuery: QueryRun<HeightsQuery, Page<Checkpoint>> = (ctx, query) =>
  pageOfCertified(ctx, query, ({ header, certificate }) => ({
    height: header.height,
    blockHash: certificate.blockHash,
    stateRoot: header.stateRoot,
    rosterHash: header.rosterHash,
    nextCommitteeHash: header.nextCommitteeHash,
    commitQc: commitQcSummaryOf(certificate),
  }))

async function validatorSetAt(ctx: QueryContext, height: number): Promise<ValidatorSet | undefined> {
  const row = rosterAt(ctx.reader, height)
  const info = ctx.reader.get(chainInfo, SINGLETON_KEY)
  if (row === undefined || info === undefined) return undefined
  const committee = selectCommittee(row.roster, chainHashOf(info.chain, info.genesisSeed), row.seed, height)
  const header = await ctx.header(height)
  return {
    height,
    blockHash: header === undefined ? undefined : hashOfHeader(header),
    epoch: row.epoch,
    rosterHash: keyListHash(row.roster),
    committeeHash: committee.hash,
    quorum: committee.quorum,
    faultBudget: committee.faults,
    roster: row.roster,
    committee: committee.keys,
    demoted: ctx.reader.get(schedule, height)?.demoted,
    seats: ctx.election?.seatsOf(ctx.reader, row.epoch),
  }
}

export const validatorSetsQuery: QueryRun<HeightsQuery, Page<ValidatorSet>> = (ctx, query) =>
  pageOfHeights(ctx, query, voted(ctx.height + 2), (height) => validatorSetAt(ctx, height))

export const commitQcQuery: QueryRun<{ readonly blockHash: Uint8Array }, CommitQcRecord> = async (
  ctx,
  { blockHash },
) => {
  const height = ctx.heightOf(blockHash)
  const certified = height === undefined ? undefined : await ctx.certified(height)
  const commitQc = certified === undefined ? undefined : commitQcSummaryOf(certified.certificate)
  return { subjectBlockHash: blockHash, commitQc }
}

export const consensusKeysQuery: QueryRun<{ readonly everyStatus: boolean }, ConsensusKeyList> = async (
  ctx,
  { everyStatus },
) => {
  const deciding = ctx.height + 1
  const overlap = parameterOf(ctx.reader, KEY_OVERLAP_BLOCKS)
  const rows = await scan(ctx, consensusKeys)
  const items = rows
    .map(({ key, value }) => ({ key, ...value, status: statusOfKey(value, deciding, overlap) }))
    .filter((one) => everyStatus || one.status === 'active')
    .sort((a, b) => b.activeFrom - a.activeFrom || (a.key < b.key ? -1 : 1))
  return { items, height: ctx.height }
}
export const blsKeysQuery: QueryRun<Record<string, never>, BlsKeys> = async (ctx) => {
  const keys = new Map(
    registeredPeers(ctx.reader).map((peer) => [peer.key, keyOfPeer(ctx.reader, peer.key, ctx.height + 1)] as const),
  )
  return { keys, height: ctx.height }
}

export const consensusParamsQuery: QueryRun<Record<string, never>, ConsensusParams> = async (ctx) => {
  const { reader, election, codec } = ctx
  const mode = reader.get(chainInfo, SINGLETON_KEY)?.consensusMode ?? ''
  const { blockMaxTransactions, blockTeu } = transactionLimitsOf(reader)
  return {
    mode,
    chainHeight: ctx.height,
    ...consensusParametersOf(reader),
    blockMaxTransactions,
    blockTeu,
    membershipSeenWindow: parameterOf(reader, MEMBERSHIP_SEEN_WINDOW),
    keyOverlapBlocks: parameterOf(reader, KEY_OVERLAP_BLOCKS),
    evidenceHorizonBlocks: parameterOf(reader, EVIDENCE_HORIZON_BLOCKS),
    elections:
      mode === 'npos'
        ? election?.parameters.map((def) => ({
            name: def.name,
            value: def.schema.toJson(parameterOf(reader, def) as never, codec),
          }))
        : undefined,
  }
}

/** Sort key of a fault, newest first: compared number by number, then by key. */
interface FaultOrder {
  readonly numbers: readonly [recordedHeight: number, height: number, view: number]
  readonly key: string
}

function faultAt(place: string): FaultOrder {
  const [recorded, height, view, key = ''] = place.split('.')
  return { numbers: [Number(recorded), Number(height), Number(view)], key }
}

function compareFaults(a: FaultOrder, b: FaultOrder): number {
  for (const [at, number] of a.numbers.entries()) {
    const other = b.numbers[at] ?? 0
    if (number !== other) return other - number
  }
  return compareText(a.key, b.key)
}

export const evidenceQuery: QueryRun<EvidenceQuery, EvidenceList> = async (ctx, { limit: asked, after, kind }) => {
  const rows = await scan(ctx, faults)
  const wanted = rows
    .filter(({ value }) => kind === undefined || value.kind === kind)
    .map(({ key, value }) => {
      const numbers = [value.recordedHeight, value.record.height, value.view] as const
      return { order: { numbers, key: toHex(key) }, value }
    })
    .sort((a, b) => compareFaults(a.order, b.order))
  const start = after === undefined ? undefined : faultAt(after)
  const rest = start === undefined ? wanted : wanted.filter(({ order }) => compareFaults(order, start) > 0)
  const shown = rest.slice(0, limitOf(asked, EVIDENCE_MAX))
  const last = rest.length > shown.length ? shown.at(-1)?.order : undefined
  return {
    total: wanted.length,
    items: shown.map(({ value: { record, ...row } }) => ({ ...row, height: record.height, evidence: record })),
    nextCursor: last === undefined ? undefined : [...last.numbers, last.key].join('.'),
    height: ctx.height,
  }
}

export const evidenceCountQuery: QueryRun<Record<string, never>, { readonly count: number }> = async (ctx) => ({
  count: (await scan(ctx, faults)).length,
})
