/** Owns the records of the instructions about NFTs (docs/design/lanes.md 1). */

import { struct } from '../../../codec/index.js'
import { defineInstruction, type Metadata, metadata, nftId } from '../../../model/index.js'
import { NFT_INSTRUCTIONS as ID } from './ids.js'

export interface RegisterNft {
  readonly id: string
  readonly content: Metadata
}
const registerNft_ = struct('RegisterNft', { id: nftId, content: metadata })
export const registerNft = defineInstruction<RegisterNft>(ID.registerNft, 'registerNft', 'nft::register', registerNft_)

export interface UnregisterNft {
  readonly id: string
}
const unregisterNft_ = struct('UnregisterNft', { id: nftId })
export const unregisterNft = defineInstruction<UnregisterNft>(
  ID.unregisterNft,
  'unregisterNft',
  'nft::unregister',
  unregisterNft_,
)
