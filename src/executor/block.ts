/** Owns the execution of a block: its order of work, results and roots (docs/design/lanes.md 2, "Block order"). */

import { hash, merkleRoot } from '../crypto/index.js'
import {
  activateLanes,
  type LaneCommitment,
  type LaneSettlementCommitment,
  laneCommitmentRoot,
  laneCommitments,
  notesByLane,
  recordService,
  settlementCommitment,
} from '../lanes/index.js'
import {
  type EntryResult,
  type Evidence,
  entryResultLeaf,
  evidence,
  expiresAtMs,
  type Incarnation,
  type QuorumCertificate,
  type RecordedEvent,
  type SignedTransaction,
  type TransactionPayload,
} from '../model/index.js'
import type { Overlay, StateReader } from '../state/index.js'
import { activateAbi } from './abi-schedule.js'
import { type ParentFacts, type Rejection, reject } from './contract.js'
import { earliestRunMs, runDueRuns } from './due-runs/index.js'
import { runEndsOfBlock } from './end-of-block.js'
import { recordEvidence } from './evidence.js'
import type { BlockExecution } from './executions.js'
import { feeOptionsOf, maxTeuOf } from './fee-options.js'
import { advanceSchedule, recordFailures, recordSigners } from './membership.js'
import type { OwnRun, RunContext } from './own-run.js'
import { activateParameters, parameterOf } from './parameters.js'
import type { Abi } from './registry.js'
import { gateAt } from './route-facts.js'
import { BLOCK_TEU, LANES_ENABLED, MAX_TEU_PER_TX } from './system-parameters.js'
import { replay, replayStart, SINGLETON_KEY } from './tables.js'
import { rejectedRun, runTransaction, staticCost } from './transaction.js'
import { earliestDue } from './triggers/calendar.js'
import { runTriggers } from './triggers/scheduled.js'

/** Maximum replay rows removed by one block, which bounds the work; the window catches up over the next blocks. */
const REPLAY_DROPS_PER_BLOCK = 64

/** Transaction for execution: already decoded, hashed and verified. */
export interface ExecutableEntry {
  readonly lane: number
  readonly dataspace: bigint
  readonly id: Uint8Array
  readonly signedHash: Uint8Array
  readonly signedBytes: Uint8Array
  readonly signed: SignedTransaction
}

/**
 * Called before each transaction and after the last one, with the number of executed transactions; false ends the
 * execution. A node uses it to measure time, which never affects the result.
 */
export type BetweenTransactions = (ran: number) => boolean

/** Inputs of the execution of a block. */
export interface BlockInput {
  readonly abi: Abi
  readonly chain: string
  readonly chainHash: Uint8Array
  readonly height: number
  readonly originView: number
  readonly timeMs: number
  readonly parentCertificate: QuorumCertificate | undefined
  /** Parent hash and state root; absent if not needed. */
  readonly parent?: ParentFacts | undefined
  readonly evidence: readonly Evidence[]
  readonly entries: readonly ExecutableEntry[]
}

/** Result of an execution besides the overlay. */
export interface BlockRun {
  /**
   * Results in order: transactions, due runs, time triggers, pre-commit triggers, and ends of blocks with an effect.
   */
  readonly results: readonly EntryResult[]
  readonly events: readonly RecordedEvent[]
  readonly laneCommitments: readonly LaneCommitment[]
  /** One per lane with settlements, ascending. */
  readonly settlements: readonly LaneSettlementCommitment[]
  readonly transactionsRoot: Buffer
  readonly resultsRoot: Buffer
  readonly evidenceRoot: Buffer
  readonly laneCommitmentRoot: Buffer
  /** Heights whose replay window ended with this block: their ids are removed from the index. */
  readonly expiredReplayHeights: readonly number[]
  readonly invalidTransactions: readonly InvalidTransaction[]
  /** True if execution was ended early: the results are meaningless. */
  readonly isEnded: boolean
  /** Human-readable texts by entry; never hashed. */
  readonly rejections: ReadonlyMap<
    number,
    { readonly code: string; readonly message: string; readonly instruction: number | undefined }
  >
}

/**
 * Transaction that cannot be in a block at its position: its payer cannot pay (docs/design/lanes.md 5), its policy
 * differs from the policy of its authority, so that it is not validly signed, or it exhausts the units of the block.
 */
export interface InvalidTransaction extends Rejection {
  readonly index: number
  /** True if the block must end before it: the transaction is valid for a later one. */
  readonly endsBlock: boolean
}

/** Merkle root over the hashes of the evidence records of a body. */
export const evidenceRootOf = (records: readonly Evidence[]): Buffer =>
  merkleRoot(records.map((record) => hash('evidence', evidence.encode(record))))

const always = (): boolean => true

/**
 * Execute a block above genesis on `overlay`, a fresh overlay over the state of its parent. Deterministic: the
 * execution row affects the result only in whether the block's own runs follow its transactions.
 */
export function executeBlock(
  row: BlockExecution,
  input: BlockInput,
  overlay: Overlay,
  between: BetweenTransactions = always,
): BlockRun {
  const { abi, height, timeMs } = input
  activateAbi(overlay, height)
  activateParameters(overlay, abi.parameters, height)
  activateLanes(overlay, height)
  recordFailures(overlay, { height, originView: input.originView }, input.parentCertificate, input.chainHash)
  if (input.parentCertificate !== undefined) recordSigners(overlay, input.parentCertificate, input.chainHash)
  const place = { chainHash: input.chainHash, height, view: input.originView, timeMs }
  recordEvidence(overlay, place, input.evidence, abi.policies.election?.onFault)

  const gate = gateAt(abi.policies, overlay, height)
  const { chainHash, originView, parentCertificate, parent } = input
  const consensus = { chainHash, originView, parentCertificate, parent }
  const env = { height, timeMs, genesis: false, chain: input.chain, gate, consensus }
  const fees = abi.policies.fees?.open(overlay, env)
  const work: RunContext = { abi, env, originView, fees, nextIncarnation: incarnations(height) }
  const { runs, invalidTransactions, isEnded } = runEntries(work, input.entries, overlay, between)
  const isWhole = !isEnded && !invalidTransactions.some(({ endsBlock }) => endsBlock)
  if (isWhole && row.hasOwnRuns) runs.push(...runOwn(work, overlay))
  const results = runs.map(({ id, outcome, teu }) => ({ transactionId: id, outcome, teu }))

  if (parameterOf(overlay, LANES_ENABLED)) {
    recordService(
      overlay,
      height,
      input.entries.map((entry) => entry.lane),
    )
  }
  const expiredReplayHeights = advanceReplayWindow(input, overlay)
  advanceSchedule(overlay, height, abi.policies.election?.rosterAt)
  const events = runs.flatMap((run, entry) => run.events.map((event) => ({ entry, event })))
  const settlements = notesByLane(events, input.entries).map((lane) => settlementCommitment(height, lane))
  const commitments = laneCommitments(
    height,
    input.entries.map(({ lane, dataspace, signedBytes, signedHash }, index) => {
      const teu = results[index]?.teu ?? 0
      return { lane, dataspace, signedBytes, signedHash, teu }
    }),
    settlements,
  )
  return {
    results,
    events,
    invalidTransactions,
    isEnded,
    laneCommitments: commitments,
    settlements,
    transactionsRoot: transactionsRootOf(input.entries, commitments),
    resultsRoot: merkleRoot(results.map(entryResultLeaf)),
    evidenceRoot: evidenceRootOf(input.evidence),
    laneCommitmentRoot: laneCommitmentRoot(commitments),
    expiredReplayHeights,
    rejections: new Map(
      runs.flatMap(({ rejection }, index) => (rejection === undefined ? [] : [[index, rejection] as const])),
    ),
  }
}

/** Root over the signed records of a block; equals the root of its only lane. */
function transactionsRootOf(entries: readonly ExecutableEntry[], lanes: readonly LaneCommitment[]): Buffer {
  const [only, ...others] = lanes
  return only !== undefined && others.length === 0
    ? Buffer.from(only.txRoot)
    : merkleRoot(entries.map((entry) => entry.signedHash))
}

/**
 * Due time of the first run that a block executes on its own, in ms since the Unix epoch; a proposer then does not wait
 * for transactions.
 */
export function nextOwnRunMs(state: StateReader): number | undefined {
  const dues = [earliestRunMs(state) ?? [], earliestDue(state)?.dueMs ?? []].flat()
  return dues.length === 0 ? undefined : Math.min(...dues)
}

/** Execute the block's own runs in order (docs/design/structure.md 4). */
function runOwn(work: RunContext, overlay: Overlay): OwnRun[] {
  const due = runDueRuns(work, overlay)
  const spent = due.reduce((sum, { teu }) => sum + teu, 0)
  return [...due, ...runTriggers(work, overlay, spent), ...runEndsOfBlock(work, overlay)]
}

/**
 * Run the transactions, each between the reservation and the settlement of its fee. Their units beyond static costs are
 * bounded for the whole block: its metered sum is at most `block_teu + max_teu_per_tx`. A transaction that is cut short
 * because others used the units cannot be in this block.
 */
function runEntries(
  work: RunContext,
  entries: readonly ExecutableEntry[],
  overlay: Overlay,
  between: BetweenTransactions,
) {
  const { abi, env, fees } = work
  const costs = entries.map(({ signed, signedBytes }) => staticCost(abi, signed, signedBytes.length).teu)
  const chainMax = parameterOf(overlay, MAX_TEU_PER_TX)
  let contentLeft = costs.reduce((left, cost) => left - cost, parameterOf(overlay, BLOCK_TEU) + chainMax)
  const runs: OwnRun[] = []
  const invalidTransactions: InvalidTransaction[] = []
  for (const [index, entry] of entries.entries()) {
    if (!between(index)) return { runs, invalidTransactions, isEnded: true }
    const { id } = entry
    const payload = entry.signed.payload.value
    const cost = costs[index] ?? 0
    const { authority } = payload
    const feeOptions = feeOptionsOf(payload)
    const maxTeu = maxTeuOf(feeOptions, cost, chainMax)
    const isFree = fees !== undefined && isFeeExempt(abi, overlay, payload, env.height)
    const reserved =
      abi.policies.multisigWeights?.(overlay, authority, entry.signed.policy) ??
      (fees === undefined || isFree
        ? undefined
        : fees.reserve(overlay, { authority, sponsor: feeOptions.sponsor, maxTeu }))
    if (reserved !== undefined && 'code' in reserved) {
      const run = rejectedRun(abi, reserved, undefined)
      runs.push({ id, ...run, teu: cost })
      invalidTransactions.push({ index, ...reserved, endsBlock: false })
      continue
    }
    const own = maxTeu - cost
    // The first transaction always has its full limit: otherwise the remainder of a block could suffice for none.
    const pool = index === 0 ? own : Math.max(0, contentLeft)
    const run = runTransaction(abi, env, overlay, entry, work.nextIncarnation, { own, pool })
    if (pool < own && run.isExhausted) {
      const message = 'the execution units of the block are exhausted by this transaction'
      invalidTransactions.push({ index, ...reject('teu_exhausted', message), endsBlock: true })
      break
    }
    if (isFree && run.rejection !== undefined) {
      // Its duty would be owed again, and so on, without a fee.
      const { code } = run.rejection
      runs.push({ id, ...rejectedRun(abi, run.rejection, undefined), teu: cost })
      invalidTransactions.push({
        index,
        ...reject(code, 'a duty transaction that fails is not included in a block'),
        endsBlock: false,
      })
      continue
    }
    contentLeft -= run.contentTeu
    const teu = cost + run.contentTeu
    const { outcome, rejection, events } = run
    const settled = reserved?.settle(teu)
    runs.push({ id, outcome, rejection, teu, events: settled === undefined ? events : [...events, ...settled] })
  }
  return { runs, invalidTransactions, isEnded: !between(Math.min(runs.length + 1, entries.length)) }
}

/**
 * True if the transaction is a duty that its authority owes the chain at this position; these duties are exempt from
 * fees.
 */
function isFeeExempt({ policies }: Abi, state: StateReader, payload: TransactionPayload, height: number): boolean {
  const duties = policies.election?.duties
  const duty = duties?.dutyOf(payload)
  return duty !== undefined && duties?.isOwed(state, payload.authority, duty, height) === true
}

/** Counter of the registrations of a block, which gives every object its own incarnation. */
export function incarnations(height: number): () => Incarnation {
  let index = 0
  return () => ({ height, index: index++ })
}

/** Add the ids of this block under the root, and remove the windows that header time has passed. */
function advanceReplayWindow(input: BlockInput, overlay: Overlay): number[] {
  const { height, timeMs, entries } = input
  if (entries.length > 0) {
    const lastExpiryMs = entries.reduce((latest, entry) => Math.max(latest, expiresAtMs(entry.signed.payload.value)), 0)
    overlay.set(replay, height, { digest: hash('ids', ...entries.map((entry) => entry.id)), lastExpiryMs })
  }
  const first = overlay.get(replayStart, SINGLETON_KEY) ?? 2
  const expired: number[] = []
  let at = first
  while (at < height && expired.length < REPLAY_DROPS_PER_BLOCK) {
    const row = overlay.get(replay, at)
    if (row !== undefined) {
      if (row.lastExpiryMs >= timeMs) break
      overlay.delete(replay, at)
      expired.push(at)
    }
    at += 1
  }
  if (at !== first) overlay.set(replayStart, SINGLETON_KEY, at)
  return expired
}
