/** Owns the view of a block's execution: whether its result is still needed (docs/design/hardening.md 4). */
import { sameBytes } from '../base/bytes.js'
import type { BlockHeader } from '../model/index.js'
import type { ConsensusState } from './state.js'

/** Where consensus is. */
export interface ViewPlace {
  readonly height: number
  readonly view: number
  /** The block that the height may still come to in any later view: decided, or of the highest prepare certificate. */
  readonly kept: Uint8Array | undefined
}

/** Where a state is. */
export const viewPlaceOf = ({ context, view, decided, highPrepare }: ConsensusState): ViewPlace => ({
  height: context.height,
  view,
  kept: (decided ?? highPrepare)?.certificate.blockHash,
})

/**
 * Whether nobody waits for the execution of a block any more: a later view of its height was entered, and no certificate
 * carries it there. `blockHash`: undefined while the block is being built, which nobody can have certified.
 */
export function viewPassed(
  { height, view, kept }: ViewPlace,
  header: Pick<BlockHeader, 'height' | 'originView'>,
  blockHash: Uint8Array | undefined,
): boolean {
  if (height !== header.height || view <= header.originView) return false
  return blockHash === undefined || kept === undefined || !sameBytes(kept, blockHash)
}
