/** Owns the queries about consensus that committed state and stored headers answer: certificates, rosters, keys, evidence. */
import {
  type BlsKeys,
  blsKeys,
  type CertificateHistory,
  type CheckpointList,
  type CommitQcRecord,
  type ConsensusKeyList,
  type ConsensusParams,
  certificateHistory,
  checkpointList,
  commitQcRecord,
  commitQcSummaryOf,
  consensusKeyList,
  consensusParams,
  EVIDENCE_DEFAULT,
  EVIDENCE_MAX,
  type EvidenceList,
  type EvidenceParameters,
  evidenceCount,
  evidenceList,
  evidenceParameters,
  HISTORY_DEFAULT,
  HISTORY_MAX,
  type HistoryParameters,
  historyParameters,
  type ValidatorSet,
  type ValidatorSetHistory,
  validatorSetHistory,
} from '../../api/index.js'
import { bool, hash32, type Schema, struct } from '../../codec/index.js'
import { keyListHash, selectCommittee } from '../../consensus/index.js'
import { keyOfPeer, statusOfKey } from '../../executor/consensus-keys.js'
import type { QueryContext, QueryDef } from '../../executor/contract.js'
import { registeredPeers } from '../../executor/membership.js'
import { parameterOf } from '../../executor/parameters.js'
import { rosterAt } from '../../executor/rosters.js'
import {
  consensusParametersOf,
  EVIDENCE_HORIZON_BLOCKS,
  KEY_OVERLAP_BLOCKS,
  MEMBERSHIP_SEEN_WINDOW,
  transactionLimitsOf,
} from '../../executor/system-parameters.js'
import { chainInfo, consensusKeys, faults, ONLY, schedule } from '../../executor/tables.js'
import { type CertifiedHeader, chainHashOf, FIRST_VOTED_HEIGHT, hashOfHeader } from '../../model/index.js'
import type { TableDef } from '../../state/index.js'
import { blockKey } from './indexes.js'

/** Rows read from a table at once. */
const SCAN_ROWS = 500
/** Rows of one table that a query looks at: far above what a network of the largest roster makes. */
const SCAN_MAX = 20_000

const none_ = struct('NoInput', {})
const none: Schema<Record<string, never>> = none_ as Schema<Record<string, never>>

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

/** Heights from `from` down, newest first. */
function heightsOf(ctx: QueryContext, { from, limit }: HistoryParameters, newest = ctx.height): number[] {
  const first = Math.min(from ?? newest, newest)
  const count = Math.min(limit ?? HISTORY_DEFAULT, HISTORY_MAX, Math.max(0, first - FIRST_VOTED_HEIGHT + 1))
  return Array.from({ length: count }, (_, step) => first - step)
}

async function certifiedAt(ctx: QueryContext, heights: readonly number[]): Promise<CertifiedHeader[]> {
  const found: CertifiedHeader[] = []
  for (const height of heights) {
    const certified = await ctx.certified(height)
    if (certified !== undefined) found.push(certified)
  }
  return found
}

export const certificatesQuery: QueryDef<HistoryParameters, CertificateHistory> = {
  id: 20,
  kind: 'commitCertificates',
  input: historyParameters,
  output: certificateHistory,
  async run(ctx, query) {
    const found = await certifiedAt(ctx, heightsOf(ctx, query))
    return { items: found.map(({ certificate }) => commitQcSummaryOf(certificate)), height: ctx.height }
  },
}

export const checkpointsQuery: QueryDef<HistoryParameters, CheckpointList> = {
  id: 21,
  kind: 'checkpoints',
  input: historyParameters,
  output: checkpointList,
  async run(ctx, query) {
    const found = await certifiedAt(ctx, heightsOf(ctx, query))
    const items = found.map(({ header, certificate }) => ({
      height: header.height,
      blockHash: certificate.blockHash,
      stateRoot: header.stateRoot,
      rosterHash: header.rosterHash,
      nextCommitteeHash: header.nextCommitteeHash,
      commitQc: commitQcSummaryOf(certificate),
    }))
    return { items, height: ctx.height }
  },
}

async function validatorSetAt(ctx: QueryContext, height: number): Promise<ValidatorSet | undefined> {
  const row = rosterAt(ctx.reader, height)
  const info = ctx.reader.get(chainInfo, ONLY)
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
  }
}

export const validatorSetsQuery: QueryDef<HistoryParameters, ValidatorSetHistory> = {
  id: 22,
  kind: 'validatorSets',
  input: historyParameters,
  output: validatorSetHistory,
  async run(ctx, query) {
    const items: ValidatorSet[] = []
    // The next height and the one after it are fixed already.
    for (const height of heightsOf(ctx, query, ctx.height + 2)) {
      const found = await validatorSetAt(ctx, height)
      if (found !== undefined) items.push(found)
    }
    return { items, height: ctx.height }
  },
}

const commitQcQuery_ = struct('CommitQcQuery', { blockHash: hash32 })
const commitQcInput: Schema<{ readonly blockHash: Uint8Array }> = commitQcQuery_
export const commitQcQuery: QueryDef<{ readonly blockHash: Uint8Array }, CommitQcRecord> = {
  id: 23,
  kind: 'commitQc',
  input: commitQcInput,
  output: commitQcRecord,
  async run(ctx, { blockHash }) {
    const height = ctx.indexGet(blockKey(blockHash))?.readUIntBE(0, 6)
    const certified = height === undefined ? undefined : await ctx.certified(height)
    const commitQc = certified === undefined ? undefined : commitQcSummaryOf(certified.certificate)
    return { subjectBlockHash: blockHash, commitQc }
  },
}

const keysQuery_ = struct('ConsensusKeysQuery', { everyStatus: bool })
const keysInput: Schema<{ readonly everyStatus: boolean }> = keysQuery_
export const consensusKeysQuery: QueryDef<{ readonly everyStatus: boolean }, ConsensusKeyList> = {
  id: 24,
  kind: 'consensusKeys',
  input: keysInput,
  output: consensusKeyList,
  async run(ctx, { everyStatus }) {
    const deciding = ctx.height + 1
    const overlap = parameterOf(ctx.reader, KEY_OVERLAP_BLOCKS)
    const rows = await scan(ctx, consensusKeys)
    const items = rows
      .map(({ key, value }) => ({ key, ...value, status: statusOfKey(value, deciding, overlap) }))
      .filter((one) => everyStatus || one.status === 'active')
      .sort((a, b) => b.activeFrom - a.activeFrom || (a.key < b.key ? -1 : 1))
    return { items, height: ctx.height }
  },
}
export const blsKeysQuery: QueryDef<Record<string, never>, BlsKeys> = {
  id: 25,
  kind: 'blsKeys',
  input: none,
  output: blsKeys,
  async run(ctx) {
    const keys = new Map(
      registeredPeers(ctx.reader).map((peer) => [peer.key, keyOfPeer(ctx.reader, peer.key, ctx.height + 1)] as const),
    )
    return { keys, height: ctx.height }
  },
}

export const consensusParamsQuery: QueryDef<Record<string, never>, ConsensusParams> = {
  id: 26,
  kind: 'consensusParams',
  input: none,
  output: consensusParams,
  async run(ctx) {
    const { reader } = ctx
    const { blockMaxTransactions, blockTeu } = transactionLimitsOf(reader)
    return {
      mode: reader.get(chainInfo, ONLY)?.consensusMode ?? '',
      chainHeight: ctx.height,
      ...consensusParametersOf(reader),
      blockMaxTransactions,
      blockTeu,
      membershipSeenWindow: parameterOf(reader, MEMBERSHIP_SEEN_WINDOW),
      keyOverlapBlocks: parameterOf(reader, KEY_OVERLAP_BLOCKS),
      evidenceHorizonBlocks: parameterOf(reader, EVIDENCE_HORIZON_BLOCKS),
    }
  },
}

export const evidenceQuery: QueryDef<EvidenceParameters, EvidenceList> = {
  id: 27,
  kind: 'evidence',
  input: evidenceParameters,
  output: evidenceList,
  async run(ctx, { limit, offset, kind }) {
    const rows = await scan(ctx, faults)
    const wanted = rows.map((row) => row.value).filter((row) => kind === undefined || row.kind === kind)
    wanted.sort((a, b) => b.recordedHeight - a.recordedHeight || b.record.height - a.record.height || b.view - a.view)
    const first = offset ?? 0
    const shown = wanted.slice(first, first + Math.min(limit ?? EVIDENCE_DEFAULT, EVIDENCE_MAX))
    const items = shown.map(({ record, ...row }) => ({ ...row, height: record.height, evidence: record }))
    return { total: wanted.length, items }
  },
}

export const evidenceCountQuery: QueryDef<Record<string, never>, { readonly count: number }> = {
  id: 28,
  kind: 'evidenceCount',
  input: none,
  output: evidenceCount,
  run: async (ctx) => ({ count: (await scan(ctx, faults)).length }),
}

export const CONSENSUS_QUERIES = [
  certificatesQuery,
  checkpointsQuery,
  validatorSetsQuery,
  commitQcQuery,
  consensusKeysQuery,
  blsKeysQuery,
  consensusParamsQuery,
  evidenceQuery,
  evidenceCountQuery,
]
