/** Owns the error codes of admission to the queue. */
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
    'The transaction has expired.',
    'Check its status first, since a block may still contain it. Then build and sign it again.',
  ),
  ttl_too_long: row(
    400,
    EXIT.badInput,
    'Its time to live exceeds the limit of the chain.',
    'Sign it with a shorter one; GET /v1/parameters has `max_ttl_ms`.',
  ),
  transaction_limit: row(
    400,
    EXIT.badInput,
    'It exceeds the limit of bytes, instructions or signatures of the chain.',
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
    'Sign exactly the bytes that are sent.',
  ),
  signature_unknown_signer: row(
    400,
    EXIT.badInput,
    'The signing key is not authorised for the authority.',
    'Sign with the key of the authority, or of a member of its policy.',
  ),
  signature_algorithm_denied: row(
    400,
    EXIT.badInput,
    'The signature algorithm is not supported.',
    'Sign with Ed25519 or secp256k1.',
  ),
  already_committed: row(
    409,
    EXIT.rejected,
    'The transaction is already in a block.',
    'No action is needed: `causeway tx show HASH` shows it.',
  ),
  already_enqueued: row(
    409,
    EXIT.rejected,
    'The transaction is already queued.',
    'No action is needed: `causeway tx wait HASH` waits for its commit.',
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
    'Too many invalid proofs from this account within a minute.',
    'Wait for the time in Retry-After; `causeway conference verify` checks a proof without sending it.',
  ),
  queue_unresolved_route: row(
    400,
    EXIT.badInput,
    'No lane accepts the transaction.',
    'Omit the dataspace hint, or use an existing dataspace; `causeway lane route explain` shows the rule.',
  ),
} as const satisfies Record<string, ErrorDef>
