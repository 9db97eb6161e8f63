/** Owns candidates: blocks that were executed on an overlay and are not yet committed. */
import type { CodecContext } from '../../codec/index.js'
import { embeddedCertificateHash } from '../../consensus/index.js'
import {
  type Abi,
  type BetweenTransactions,
  type BlockExecution,
  type BlockRun,
  type ExecutableEntry,
  executeBlock,
} from '../../executor/index.js'
import { type BlockBody, type BlockHeader, hashOfHeader, keyString, payloadHash } from '../../model/index.js'
import type { StateCandidate, WorldState } from '../../state/index.js'

/** Maximum candidates per height (docs/design/ledger.md 5); an evicted candidate is executed again when needed. */
const CANDIDATES_MAX = 4

/** Executed block that is not committed. */
export interface LedgerCandidate {
  readonly header: BlockHeader
  readonly body: BlockBody
  readonly bytes: Uint8Array
  readonly entries: readonly ExecutableEntry[]
  readonly run: BlockRun
  readonly state: StateCandidate
}

/** Decoded body with its entries. */
export interface OpenedBody {
  readonly body: BlockBody
  readonly entries: readonly ExecutableEntry[]
}

/** Inputs of the execution of a block. */
export interface ExecutionContext {
  readonly abi: Abi
  readonly codec: CodecContext
  readonly chain: string
  readonly chainHash: Buffer
  readonly world: WorldState
}

/**
 * Execute a block on an overlay of the state; the candidate's header contains the computed roots. undefined if
 * `between` ended it.
 */
export function executeCandidate(
  row: BlockExecution,
  { abi, chain, chainHash, world }: ExecutionContext,
  header: BlockHeader,
  bytes: Uint8Array,
  { body, entries }: OpenedBody,
  between?: BetweenTransactions,
): LedgerCandidate | undefined {
  const overlay = world.overlay()
  const run = executeBlock(
    row,
    {
      abi,
      chain,
      chainHash,
      height: header.height,
      originView: header.originView,
      timeMs: header.timeMs,
      parentCertificate: body.parentCertificate,
      parent: { hash: header.parentHash, stateRoot: world.root },
      evidence: body.evidence,
      entries,
    },
    overlay,
    between,
  )
  if (run.isEnded) return undefined
  const state = world.prepare(overlay)
  return {
    header: {
      ...header,
      transactionCount: entries.length,
      transactionsRoot: run.transactionsRoot,
      payloadHash: payloadHash(bytes),
      payloadBytes: bytes.length,
      resultsRoot: run.resultsRoot,
      stateRoot: state.root,
      evidenceRoot: run.evidenceRoot,
      laneCommitmentRoot: run.laneCommitmentRoot,
      parentCertificateHash: embeddedCertificateHash(body.parentCertificate),
    },
    body,
    bytes,
    entries,
    run,
    state,
  }
}

/** Candidates of the next height by block hash; the oldest is evicted first, except one that may still be decided. */
export class Candidates {
  private readonly held = new Map<string, LedgerCandidate>()

  get(blockHash: Uint8Array): LedgerCandidate | undefined {
    return this.held.get(keyString(blockHash))
  }

  /** `pinned`: hash of the block of the highest prepare certificate. */
  keep(candidate: LedgerCandidate, pinned: Uint8Array | undefined): void {
    const pin = pinned && keyString(pinned)
    this.held.set(keyString(hashOfHeader(candidate.header)), candidate)
    for (const oldest of this.held.keys()) {
      if (this.held.size <= CANDIDATES_MAX) break
      if (oldest !== pin) this.held.delete(oldest)
    }
  }

  clear(): void {
    this.held.clear()
  }
}
