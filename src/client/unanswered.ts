/** Owns submissions without an answer: whether they may have arrived, and which transaction to ask for. */
import { LedgerError } from '../model/index.js'

/** True for a submission without an answer that the node may have taken: its outcome is found by the hash. */
export const mayHaveArrived = (error: unknown): boolean =>
  error instanceof LedgerError && error.details?.['may_have_arrived'] === true

/** Names the transaction in the error of a submission without an answer. */
export const unanswered =
  (id: Buffer) =>
  (error: unknown): never => {
    if (!(error instanceof LedgerError) || error.code !== 'unreachable') throw error
    const hash = id.toString('hex')
    const hint = `The node may have taken it: \`causeway tx wait ${hash}\` tells. The same signed bytes may be sent again, they run once.`
    throw new LedgerError('unreachable', error.message, {
      hint: mayHaveArrived(error) ? hint : undefined,
      details: { ...error.details, hash },
      cause: error,
    })
  }
