/** Owns the error codes of admission: why a transaction does not come into the queue. */
import { type ErrorDef, EXIT, row } from '../error-row.js'

export const admissionErrors = {
  chain_mismatch: row(
    400,
    EXIT.badInput,
    'It was signed for another chain.',
    'Sign for the chain that GET /v1/node/capabilities names.',
  ),
  transaction_in_future: row(
    400,
    EXIT.badInput,
    'Its creation time is ahead of the node’s clock.',
    'Check the clock of the signing machine.',
  ),
  transaction_expired: row(
    400,
    EXIT.badInput,
    'Its time to live is over.',
    'Ask for its status first: a block that was prepared in time may hold it. Then build and sign it again.',
  ),
  ttl_too_long: row(
    400,
    EXIT.badInput,
    'Its time to live is longer than the chain allows.',
    'Sign it with a shorter one; GET /v1/parameters has `max_ttl_ms`.',
  ),
  transaction_limit: row(
    400,
    EXIT.badInput,
    'It has more bytes, instructions or signatures than the chain allows.',
    'Split it; GET /v1/parameters has the limits.',
  ),
  signature_missing: row(
    400,
    EXIT.badInput,
    'It has no signature, or one is missing.',
    'Sign it with `causeway tx sign`.',
  ),
  signature_invalid: row(
    400,
    EXIT.badInput,
    'A signature does not cover these bytes.',
    'Sign the very bytes that are sent.',
  ),
  signature_unknown_signer: row(
    400,
    EXIT.badInput,
    'A signature was made by a key that may not sign for the authority.',
    'Sign with the key of the authority, or of a member of its policy.',
  ),
  signature_algorithm_denied: row(
    400,
    EXIT.badInput,
    'The signature algorithm is not accepted here.',
    'Sign with Ed25519 or secp256k1.',
  ),
  already_committed: row(
    409,
    EXIT.rejected,
    'This transaction is in a block.',
    'No action is needed: `causeway tx get HASH` shows it.',
  ),
  already_enqueued: row(
    409,
    EXIT.rejected,
    'This transaction is queued.',
    'No action is needed: `causeway tx wait HASH` waits for it.',
  ),
  queue_full: row(
    429,
    EXIT.unreachable,
    'The queue of the node is full.',
    'Wait for the time in Retry-After, or send it to another node.',
  ),
  per_user_queue_limit: row(
    429,
    EXIT.unreachable,
    'The account has reached its limit of queued transactions or bytes.',
    'Wait until some are committed.',
  ),
  too_many_bad_proofs: row(
    429,
    EXIT.unreachable,
    'Too many proofs of this account were bad within a minute.',
    'Wait for the time in Retry-After; `causeway conference verify` checks a proof without sending it.',
  ),
  queue_unresolved_route: row(
    400,
    EXIT.badInput,
    'No lane accepts the transaction.',
    'Leave the dataspace hint out, or name one that exists; `causeway lane route explain` shows the rule.',
  ),
} as const satisfies Record<string, ErrorDef>
