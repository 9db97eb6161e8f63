/** Owns submissions without a response: whether they may have arrived, and the hash to check. */
import { LedgerError } from '../model/index.js'

/** True for a failed submission that the node may have accepted; its outcome is found by the hash. */
export const mayHaveArrived = (error: unknown): boolean =>
  error instanceof LedgerError && error.details?.['may_have_arrived'] === true

/** Add the transaction to the error of a submission without a response. */
export const unanswered =
  (id: Buffer) =>
  (error: unknown): never => {
    if (!(error instanceof LedgerError) || error.code !== 'unreachable') throw error
    const hash = id.toString('hex')
    const hint = `The node may have accepted it: check with \`causeway tx wait ${hash}\`. Sending the same signed bytes again is safe: they run at most once.`
    throw new LedgerError('unreachable', error.message, {
      hint: mayHaveArrived(error) ? hint : undefined,
      details: { ...error.details, hash },
      cause: error,
    })
  }
