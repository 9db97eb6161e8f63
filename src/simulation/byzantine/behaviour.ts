/** Owns Byzantine behaviours: the real state machine with its messages or blocks rewritten before they leave. */
import type { ConsensusMessage, HeightContext } from '../../consensus/index.js'
import type { BlockHeader, CertifiedHeader, QuorumCertificate, ValidatorKey } from '../../model/index.js'
import type { LaneEntry } from '../lanes.js'
import type { Random } from '../prng.js'

/** A block as it is built. */
export interface BuiltBlock {
  readonly header: BlockHeader
  readonly body: Uint8Array
}

/** Knowledge and abilities of a faulty member; it has only its own key. */
export interface Insider {
  readonly key: ValidatorKey
  readonly random: Random
  /** Of the height that it decides. */
  readonly context: HeightContext
  /** Prepare certificates of this height that it ever saw, by view. */
  readonly certificates: ReadonlyMap<number, CertifiedHeader>
  /** Signature with its own key. */
  sign(message: Uint8Array): Uint8Array
  /** A fresh valid block of this height that names `view` as its origin; another one for another `variant`. */
  freshBlock(view: number, variant: number): BuiltBlock
  /** The block with another parent certificate in its body, and a header that fits. */
  withParent(block: BuiltBlock, certificate: QuorumCertificate): BuiltBlock
  /** The block with other lanes or another order, and a header that fits; the same block where there are no lanes. */
  rearranged(block: BuiltBlock, change: (entries: readonly LaneEntry[]) => readonly LaneEntry[]): BuiltBlock
}

/** Faulty behaviour; omitted parts are honest. */
export interface Behaviour {
  /** What `to` receives instead of `message`. */
  outgoing?(me: Insider, to: ValidatorKey, message: ConsensusMessage): readonly ConsensusMessage[]
  /** The block that it proposes instead. */
  build?(me: Insider, block: BuiltBlock): BuiltBlock
}
