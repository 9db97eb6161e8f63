/** Owns Byzantine behaviours: the real state machine, with its outgoing messages or blocks rewritten. */
import type { ConsensusMessage, HeightContext } from '../../consensus/index.js'
import type { BlockHeader, CertifiedHeader, QuorumCertificate, ValidatorKey } from '../../model/index.js'
import type { LaneEntry } from '../lanes.js'
import type { Random } from '../prng.js'

/** Block as built by the state machine. */
export interface BuiltBlock {
  readonly header: BlockHeader
  readonly body: Uint8Array
}

/** Knowledge and abilities of a faulty member; it has only its own key. */
export interface Insider {
  readonly key: ValidatorKey
  readonly random: Random
  /** Context of the current height. */
  readonly context: HeightContext
  /** All prepare certificates of this height that the member has seen, by view. */
  readonly certificates: ReadonlyMap<number, CertifiedHeader>
  /** Signature with its own key. */
  sign(message: Uint8Array): Uint8Array
  /** Build a new valid block of this height with origin view `view`, different for each `variant`. */
  freshBlock(view: number, variant: number): BuiltBlock
  /** Copy of the block with another parent certificate in its body, and a matching header. */
  withParent(block: BuiltBlock, certificate: QuorumCertificate): BuiltBlock
  /**
   * Copy of the block with other lanes or another order, and a matching header; the same block if there are no lanes.
   */
  rearranged(block: BuiltBlock, change: (entries: readonly LaneEntry[]) => readonly LaneEntry[]): BuiltBlock
}

/** Faulty behaviour; omitted parts are honest. */
export interface Behaviour {
  /** Replacement of `message` for `to`. */
  outgoing?(me: Insider, to: ValidatorKey, message: ConsensusMessage): readonly ConsensusMessage[]
  /** Replacement of a block that the member proposes. */
  build?(me: Insider, block: BuiltBlock): BuiltBlock
}
