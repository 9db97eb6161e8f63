/** Owns the error codes of proofs and their verifying keys, for all features that verify any. */
import { answered, declareErrors, type ErrorDef, EXIT } from '../../../model/index.js'
import { ZK_IDS } from './ids.js'

const BASE = ZK_IDS.first
const refused = (at: number, means: string, hint: string) => answered(BASE + at, 422, EXIT.rejected, means, hint)

export const errors = declareErrors({
  vk_not_configured: refused(
    0,
    'The network has no verifying key configured for this kind of proof.',
    'A holder of CanSetParameters sets the parameter that the message names; `causeway zk vk list` shows keys.',
  ),
  vk_not_registered: refused(
    1,
    'The verifying key that the network names is not registered.',
    'Register it: `causeway zk vk register`.',
  ),
  vk_inactive: refused(
    2,
    'The verifying key is not active at this height.',
    '`causeway zk vk show` shows its status and its heights.',
  ),
  vk_mismatch: refused(
    3,
    'The verifying key is not the one that the proof was made for, or not the one of this ABI.',
    'Prove again with the key that `causeway zk vk show` shows.',
  ),
  proof_length: refused(
    4,
    'The proof does not have the length that its relation has.',
    'Make it with this release: `causeway conference prove`.',
  ),
  proof_refused: refused(
    5,
    'The proof does not prove what the instruction says.',
    'A proof holds for one submitter, call, list and roster: prove again for what holds now.',
  ),
  proof_work_exceeded: refused(
    6,
    'The proofs of the transaction take more work than a block may hold.',
    'Split the transaction; the parameter proof_work_per_block is the limit.',
  ),
  bad_version: refused(
    7,
    'The version is not the next one.',
    'Somebody changed it before: read it again and name the version after that.',
  ),
  unsupported_backend: refused(8, 'No proof of this backend can be verified.', 'Supported: sigma-ristretto255.'),
})

declare module '../../../model/error-catalogue.js' {
  interface ErrorRegistry extends Record<keyof typeof errors, ErrorDef> {}
}
