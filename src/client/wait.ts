/** Owns the waiting for a transaction: polls until it is in a block, expired, or the time is up. */
import { EXIT, LedgerError } from '../model/index.js'

/** First and last pause between two looks, in ms: blocks come in tens of milliseconds, and a stall is not hurried by asking. */
const PAUSE_FIRST_MS = 100
const PAUSE_LAST_MS = 500

/** Where a transaction stands. */
export interface TransactionState {
  readonly state: 'queued' | 'approved' | 'rejected' | 'expired' | 'unknown'
  readonly height?: number
  readonly blockHash?: Uint8Array
  /** Place in the block. */
  readonly index?: number
  readonly rejection?: { readonly code: string; readonly message: string }
}

const isFinal = ({ state }: TransactionState): boolean =>
  state === 'approved' || state === 'rejected' || state === 'expired'

/**
 * Polls until the state is final. Throws `pending` when the time is up before; a node that does not answer is asked
 * again until then, because a restart must not end a wait.
 */
export async function waitUntilFinal(
  look: (timeoutMs: number) => Promise<TransactionState>,
  hashHex: string,
  timeoutMs: number,
): Promise<TransactionState> {
  const deadlineMs = performance.now() + timeoutMs
  let pauseMs = PAUSE_FIRST_MS
  let seen = 'unknown'
  for (;;) {
    let state: TransactionState | undefined
    try {
      state = await look(Math.max(1, deadlineMs - performance.now()))
      seen = state.state
    } catch (error) {
      if (!(error instanceof LedgerError) || error.exit !== EXIT.unreachable) throw error
      seen = error.code
    }
    if (state !== undefined && isFinal(state)) return state
    const leftMs = deadlineMs - performance.now()
    if (leftMs <= 0) {
      throw new LedgerError('pending', `${hashHex} is not in a block after ${timeoutMs} ms (last seen: ${seen})`, {
        details: { hash: hashHex, last_seen: seen },
      })
    }
    await new Promise((resolve) => setTimeout(resolve, Math.min(pauseMs, leftMs)))
    pauseMs = Math.min(PAUSE_LAST_MS, pauseMs * 1.5)
  }
}
