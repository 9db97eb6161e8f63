/** Owns the records of the instructions about NFTs (docs/design/lanes.md 1). */

import { type Infer, struct } from '../../../codec/index.js'
import { defineInstruction, metadata, nftId } from '../../../model/index.js'
import { NFT_INSTRUCTIONS as ID } from './ids.js'

export interface RegisterNft extends Infer<typeof registerNft_> {}
const registerNft_ = struct('RegisterNft', { id: nftId, content: metadata })
export const registerNft = defineInstruction<RegisterNft>(ID.registerNft, 'registerNft', 'nft::register', registerNft_)

export interface UnregisterNft extends Infer<typeof unregisterNft_> {}
const unregisterNft_ = struct('UnregisterNft', { id: nftId })
export const unregisterNft = defineInstruction<UnregisterNft>(
  ID.unregisterNft,
  'unregisterNft',
  'nft::unregister',
  unregisterNft_,
)
