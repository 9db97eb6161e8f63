/** Owns the records of the instructions about NFTs (docs/design/lanes.md 1). */

import { defineInstructions, type InstructionOf, metadata, nftId } from '../../../model/index.js'

export const instructions = defineInstructions({
  registerNft: { id: 16, label: 'nft::register', record: { id: nftId, content: metadata } },
  unregisterNft: { id: 17, label: 'nft::unregister', record: { id: nftId } },
})

export interface RegisterNft extends InstructionOf<typeof instructions.registerNft> {}
export interface UnregisterNft extends InstructionOf<typeof instructions.unregisterNft> {}
