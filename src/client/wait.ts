/**
 * Owns the wait for a transaction: polls until the node has it, until it is in a block or expired, or until the
 * timeout.
 */
import { sleep } from '../base/sleep.js'
import { type AccountId, EXIT, LedgerError } from '../model/index.js'

/**
 * First and maximum interval between two polls, in ms: blocks take tens of milliseconds, and polling does not shorten a
 * stall.
 */
const PAUSE_FIRST_MS = 100
const PAUSE_LAST_MS = 500

/** Outcome of a payment in a shared transaction. */
export interface SharedPaymentState {
  readonly messageId: string
  readonly family: string
  readonly submitter: AccountId
  /** Position in the message, from 1. */
  readonly place: number
  readonly outcome: 'settled' | 'rejected'
  /** Error code of a rejection. */
  readonly code?: string
  /** Hash, in hex, of the transaction that had made the same payment before. */
  readonly supersededBy?: string
}

/** Status of a transaction. */
export interface TransactionState {
  readonly state: 'queued' | 'approved' | 'rejected' | 'expired' | 'unknown'
  readonly height?: number
  readonly blockHash?: Uint8Array
  /** Index in the block. */
  readonly index?: number
  /**
   * `verified`: proven against the pinned genesis hash, including the position; `unverified`: a claim of the gateway.
   */
  readonly proof?: 'verified' | 'unverified'
  /** Canonical bytes of the signed record, if proven. */
  readonly transaction?: Uint8Array
  readonly rejection?: {
    readonly code: string
    readonly message: string
    readonly instruction: number | undefined
    /** Hash, in hex, of the transaction that had the same effect before. */
    readonly supersededBy?: string
  }
  /** Hash, in hex, of the transaction that replaced the awaited one; state, position and proof belong to it. */
  readonly supersededBy?: string
  /**
   * Payments of messages that the transaction makes, each of which may have failed separately. Reported by the gateway
   * without proof; `isoStatus` and its proof are authoritative.
   */
  readonly payments?: readonly SharedPaymentState[]
  /** For an unknown transaction at a node with pruned blocks: the first height that the node has. */
  readonly firstHeight?: number
}

/** Goal of a wait: queued, or in a block or expired. */
export type WaitUntil = 'queued' | 'committed'

const isFinal = ({ state }: TransactionState): boolean =>
  state === 'approved' || state === 'rejected' || state === 'expired'
/** Predicates that end a wait, and their texts. */
const GOALS: Readonly<Record<WaitUntil, (state: TransactionState) => boolean>> = {
  queued: ({ state }) => state !== 'unknown',
  committed: isFinal,
}

/** Latest representable date (ECMA-262, section 21.4.1.1), in ms: a transaction from a file may be valid for longer. */
const LATEST_DATE_MS = 8.64e15

/**
 * Error for a gateway that reports a transaction as expired while it can still run: sending it again could pay twice.
 * `undefined` if its validity has ended or is unknown.
 */
export function earlyExpiry(
  hash: string,
  { state }: Pick<TransactionState, 'state'>,
  expiresAtMs: number | undefined,
): LedgerError | undefined {
  if (state !== 'expired' || expiresAtMs === undefined || Date.now() >= expiresAtMs) return undefined
  const until = new Date(Math.min(expiresAtMs, LATEST_DATE_MS)).toISOString()
  return new LedgerError(
    'not_a_gateway',
    `the gateway reports ${hash} as expired, although it is valid until ${until}`,
    {
      hint: 'Ask another node for its status before you send it again; compare the clocks.',
      details: { hash },
    },
  )
}

function pendingError(
  until: WaitUntil,
  hash: string,
  timeoutMs: number,
  state: string | undefined,
  trouble: string | undefined,
): LedgerError {
  const lastSeen = state ?? trouble ?? 'unknown'
  const then = state === undefined || trouble === undefined ? '' : `, then ${trouble}`
  return new LedgerError(
    'pending',
    `${hash} is not ${until} within ${Math.round(timeoutMs)} ms (last seen: ${lastSeen}${then})`,
    {
      details: { hash, last_seen: lastSeen },
    },
  )
}

/**
 * Poll until the goal is reached. Throws `pending` at the timeout; an unresponsive node is polled again, so that a
 * restart does not end the wait.
 */
export async function waitUntil(
  until: WaitUntil,
  look: (timeoutMs: number) => Promise<TransactionState>,
  hashHex: string,
  timeoutMs: number,
): Promise<TransactionState> {
  const isReached = GOALS[until]
  const deadlineMs = performance.now() + timeoutMs
  let pauseMs = PAUSE_FIRST_MS
  let seen: TransactionState | undefined
  let trouble: string | undefined
  for (;;) {
    try {
      seen = await look(Math.max(1, deadlineMs - performance.now()))
      trouble = undefined
    } catch (error) {
      if (!(error instanceof LedgerError) || error.exit !== EXIT.unreachable) throw error
      // The end of the wait cuts the last poll short: its failure does not concern the node.
      if (seen === undefined || performance.now() < deadlineMs) trouble = error.code
    }
    if (seen !== undefined && isReached(seen)) return seen
    const leftMs = deadlineMs - performance.now()
    if (leftMs <= 0) throw pendingError(until, hashHex, timeoutMs, seen?.state, trouble)
    await sleep(Math.min(pauseMs, leftMs))
    pauseMs = Math.min(PAUSE_LAST_MS, pauseMs * 1.5)
  }
}
