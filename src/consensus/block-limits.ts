/**
 * Owns the limits of one block: they shrink with each failed view of its height, and from the eighth view on a block is
 * empty (docs/design/hardening.md 4). Building, voting, sync, replay and the simulator apply the same rule.
 *
 * The view is the `originView` of the header: a re-proposal keeps the limits of the view in which it was created.
 */
import { type BlockHeader, EVIDENCE_PER_BLOCK_MAX } from '../model/index.js'

/**
 * First view whose block holds no transaction, evidence or due run, so that it succeeds whatever the cause of the
 * earlier failures.
 */
export const EMPTY_FROM_VIEW = 8

/** Work is counted in units of 10 ns, so that its sums are whole numbers. */
export const WORK_PER_MS = 100_000
/** Work of one static execution unit: 0.11 us. */
const WORK_PER_TEU = 11
/** Work of one evidence record: two signatures, verified together with the signatures of other records. */
const EVIDENCE_WORK = 4 * WORK_PER_MS

/** Limits of a block in view 0, from the parameters of the chain. */
export interface ChainLimits {
  readonly blockMaxTransactions: number
  /** Static execution units. */
  readonly blockTeu: number
  /** Bytes of the body. */
  readonly maxBlockBytes: number
  readonly blockWorkMs: number
  /** Units of proofs; not halved with views, since the work sum counts them too. */
  readonly proofWorkPerBlock: number
}

/** Limits of a block of one view; up to view 7 the first transaction is admitted whatever its size. */
export interface BlockLimits {
  readonly transactions: number
  readonly teu: number
  readonly bytes: number
  /** Work in units of 10 ns. */
  readonly work: number
  /** Units of proofs. */
  readonly proofWork: number
  readonly evidence: number
}

/** Content of a block, as far as limits apply. */
export interface BlockLoad {
  readonly transactions: number
  /** Static execution units of the transactions. */
  readonly teu: number
  /** Work of the transactions, in units of 10 ns. */
  readonly work: number
  /** Units of the proofs of the transactions. */
  readonly proofWork: number
  /** Bytes of the body. */
  readonly bytes: number
  readonly evidence: number
}

/** Limit of a block of this view: halved for each failed view. */
export const limitAtView = (limit: number, originView: number): number =>
  originView >= EMPTY_FROM_VIEW ? 0 : Math.floor(limit / 2 ** originView)

/** Work of a transaction: its static execution units, and the additional work that its instructions declare. */
export const workOf = (staticTeu: number, declared: number): number => WORK_PER_TEU * staticTeu + declared

/** Work of `count` evidence records. */
export const evidenceWork = (records: number): number => EVIDENCE_WORK * records

/** Limits of a block created in this view. */
export function blockLimits(chain: ChainLimits, originView: number): BlockLimits {
  const work = limitAtView(chain.blockWorkMs * WORK_PER_MS, originView)
  const isEmpty = originView >= EMPTY_FROM_VIEW
  return {
    transactions: isEmpty ? 0 : Math.max(1, limitAtView(chain.blockMaxTransactions, originView)),
    teu: limitAtView(chain.blockTeu, originView),
    bytes: limitAtView(chain.maxBlockBytes, originView),
    work,
    proofWork: chain.proofWorkPerBlock,
    evidence: Math.min(limitAtView(EVIDENCE_PER_BLOCK_MAX, originView), Math.floor(work / EVIDENCE_WORK)),
  }
}

/** Limits that the header alone can violate, checked before the payload is read. */
export const headerLoadFault = (
  limits: BlockLimits,
  { transactionCount, payloadBytes }: Pick<BlockHeader, 'transactionCount' | 'payloadBytes'>,
): string | undefined =>
  loadFault(limits, { transactions: transactionCount, bytes: payloadBytes, teu: 0, work: 0, proofWork: 0, evidence: 0 })

/** Limit that a block exceeds, as a text; undefined if it is within all of them. */
export function loadFault(limits: BlockLimits, load: BlockLoad): string | undefined {
  const { transactions, teu, bytes, evidence } = load
  if (evidence > limits.evidence) return `${evidence} evidence records, at most ${limits.evidence} are allowed`
  if (transactions > limits.transactions) {
    return `${transactions} transactions, at most ${limits.transactions} are allowed`
  }
  if (load.proofWork > limits.proofWork) {
    return `${load.proofWork} units of proof work, at most ${limits.proofWork} are allowed`
  }
  // The first transaction of a block is always admitted.
  if (transactions <= 1) return undefined
  if (teu > limits.teu) return `${teu} execution units, at most ${limits.teu} are allowed`
  const work = load.work + evidenceWork(evidence)
  if (work > limits.work) {
    return `${work / WORK_PER_MS} ms of work, at most ${limits.work / WORK_PER_MS} ms are allowed`
  }
  return bytes > limits.bytes ? `a body of ${bytes} bytes, at most ${limits.bytes} are allowed` : undefined
}
