/** Owns the execution of a block: its order of work, its results and roots (design/ledger-lanes.md 2, "Block order"). */
import { hash, merkleRoot } from '../crypto/index.js'
import { type LaneCommitment, laneCommitmentRoot, laneCommitments } from '../lanes/index.js'
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
} from '../model/index.js'
import type { Overlay } from '../state/index.js'
import { recordEvidence } from './evidence.js'
import { advanceSchedule, recordFailures, recordSigners } from './membership.js'
import { activateParameters } from './parameters.js'
import type { Abi } from './registry.js'
import { ONLY, replay, replayStart } from './tables.js'
import { runTransaction, staticTeu } from './transaction.js'

/** Replay rows that one block may drop: bounds the work; the window catches up over the next blocks. */
const REPLAY_DROPS_PER_BLOCK = 64

/** A transaction as execution needs it: decoded, hashed and verified once, before. */
export interface ExecutableEntry {
  readonly lane: number
  readonly dataspace: bigint
  readonly id: Uint8Array
  readonly signedHash: Uint8Array
  readonly signedBytes: Uint8Array
  readonly signed: SignedTransaction
}

/** What a block is executed on. */
export interface BlockInput {
  readonly abi: Abi
  readonly chain: string
  readonly chainHash: Uint8Array
  readonly height: number
  readonly originView: number
  readonly timeMs: number
  readonly parentCertificate: QuorumCertificate | undefined
  readonly evidence: readonly Evidence[]
  readonly entries: readonly ExecutableEntry[]
}

/** What execution yields beside the overlay that it filled. */
export interface BlockRun {
  readonly results: readonly EntryResult[]
  readonly events: readonly RecordedEvent[]
  readonly laneCommitments: readonly LaneCommitment[]
  readonly transactionsRoot: Buffer
  readonly resultsRoot: Buffer
  readonly evidenceRoot: Buffer
  readonly laneCommitmentRoot: Buffer
  /** Heights whose replay window ended with this block: their ids leave the index. */
  readonly expiredReplayHeights: readonly number[]
  /** Texts for people, by entry; never hashed. */
  readonly rejections: ReadonlyMap<
    number,
    { readonly code: string; readonly message: string; readonly instruction: number | undefined }
  >
}

/** Merkle root over the hashes of the evidence records of a body. */
export const evidenceRootOf = (records: readonly Evidence[]): Buffer =>
  merkleRoot(records.map((record) => hash('evidence', evidence.encode(record))))

/** Runs a block above genesis on `overlay`, a fresh overlay over the state after its parent. Deterministic. */
export function executeBlock(input: BlockInput, overlay: Overlay): BlockRun {
  const { abi, height, timeMs } = input
  activateParameters(overlay, abi.parameters, height)
  recordFailures(overlay, { height, originView: input.originView }, input.parentCertificate, input.chainHash)
  if (input.parentCertificate !== undefined) recordSigners(overlay, input.parentCertificate, input.chainHash)
  const place = { chainHash: input.chainHash, height, view: input.originView, timeMs }
  recordEvidence(overlay, place, input.evidence)

  const env = { height, timeMs, genesis: false, chain: input.chain }
  const results: EntryResult[] = []
  const events: RecordedEvent[] = []
  const rejections = new Map<number, { code: string; message: string; instruction: number | undefined }>()
  const counter = incarnations(height)
  for (const [index, entry] of input.entries.entries()) {
    const run = runTransaction(abi, env, overlay, { id: entry.id, signed: entry.signed }, counter)
    const teu = staticTeu(abi, entry.signed.signatures.length, entry.signed.payload.value)
    results.push({ transactionId: entry.id, outcome: run.outcome, teu })
    for (const event of run.events) events.push({ entry: index, event })
    if (run.rejection !== undefined) {
      const { code, message, instruction } = run.rejection
      rejections.set(index, { code, message, instruction })
    }
  }

  const expiredReplayHeights = advanceReplayWindow(input, overlay)
  advanceSchedule(overlay, height)
  const commitments = laneCommitments(
    height,
    input.entries.map((entry, index) => ({ ...entry, teu: results[index]?.teu ?? 0 })),
  )
  return {
    results,
    events,
    laneCommitments: commitments,
    transactionsRoot: merkleRoot(input.entries.map((entry) => entry.signedHash)),
    resultsRoot: merkleRoot(results.map(entryResultLeaf)),
    evidenceRoot: evidenceRootOf(input.evidence),
    laneCommitmentRoot: laneCommitmentRoot(commitments),
    expiredReplayHeights,
    rejections,
  }
}

/** Counts the registrations of a block, so that every object has its own incarnation. */
export function incarnations(height: number): () => Incarnation {
  let index = 0
  return () => ({ height, index: index++ })
}

/** Puts the ids of this block under the root, and drops the windows that header time has passed. */
function advanceReplayWindow(input: BlockInput, overlay: Overlay): number[] {
  const { height, timeMs, entries } = input
  if (entries.length > 0) {
    const lastExpiryMs = entries.reduce((latest, entry) => Math.max(latest, expiresAtMs(entry.signed.payload.value)), 0)
    overlay.set(replay, height, { digest: hash('ids', ...entries.map((entry) => entry.id)), lastExpiryMs })
  }
  const first = overlay.get(replayStart, ONLY) ?? 2
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
  if (at !== first) overlay.set(replayStart, ONLY, at)
  return expired
}
