/** Owns the view of a block's execution: whether its result is still needed (docs/design/hardening.md 4). */
import { sameBytes } from '../base/bytes.js'
import type { BlockHeader } from '../model/index.js'
import type { ConsensusState } from './state.js'

/** Position of consensus. */
export interface ViewPlace {
  readonly height: number
  readonly view: number
  /**
   * Block that a later view of the height may still decide: the decided block, or the block of the highest prepare
   * certificate.
   */
  readonly kept: Uint8Array | undefined
}

/** Position of a consensus state. */
export const viewPlaceOf = ({ context, view, decided, highPrepare }: ConsensusState): ViewPlace => ({
  height: context.height,
  view,
  kept: (decided ?? highPrepare)?.certificate.blockHash,
})

/**
 * True if the result of an execution is no longer needed: a later view was entered, and no certificate carries the
 * block into it. `blockHash`: undefined while the block is being built, so that it has no certificate.
 */
export function viewPassed(
  { height, view, kept }: ViewPlace,
  header: Pick<BlockHeader, 'height' | 'originView'>,
  blockHash: Uint8Array | undefined,
): boolean {
  if (height !== header.height || view <= header.originView) return false
  return blockHash === undefined || kept === undefined || !sameBytes(kept, blockHash)
}
