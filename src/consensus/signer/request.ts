/** Owns requests to the holder of a consensus key: content and justification of a signature, never raw bytes (docs/decisions/0067). */
import { bool, enumOf, hash32, type Infer, list, option, struct, u32, varint } from '../../codec/index.js'
import { blockHeader, certifiedHeader, ROSTER_MAX, timeoutReason, validatorKey } from '../../model/index.js'
import type { HeightContext } from '../height.js'

/** Content to be signed in a view. */
export type SignIntent = Infer<typeof signIntent>
export const signIntent = enumOf('SignIntent', {
  /** A proposal, and the proposer's own prepare vote with it. */
  proposal: [0, struct('ProposalIntent', { header: blockHeader, withPrepare: bool })],
  prepare: [1, struct('PrepareIntent', { header: blockHeader })],
  /** A commit vote is justified by the prepare certificate of its view. */
  commit: [2, struct('CommitIntent', { certified: certifiedHeader })],
  timeout: [3, struct('TimeoutIntent', { highPrepare: option(certifiedHeader), reason: timeoutReason })],
})

/** Request with the fields that its signature is bound to. */
export interface SignRequest extends Infer<typeof signRequest> {}
export const signRequest = struct('SignRequest', {
  chainHash: hash32,
  epoch: varint,
  height: varint,
  view: u32,
  /** The committee of the height, in the order of its bits: certificates are checked with it. */
  committee: list(validatorKey, ROSTER_MAX),
  /** Position of the key in it. */
  index: u32,
  intent: signIntent,
})

/** The request of a node at a height. */
export const signRequestOf = (
  { chainHash, epoch, height, committee }: HeightContext,
  index: number,
  view: number,
  intent: SignIntent,
): SignRequest => ({
  chainHash: Buffer.from(chainHash),
  epoch,
  height,
  view,
  committee: [...committee.keys],
  index,
  intent,
})
