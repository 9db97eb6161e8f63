/** Owns the ids of NFTs, of the range of the core. Append only. */
export const NFT_INSTRUCTIONS = {
  registerNft: 16,
  unregisterNft: 17,
} as const
export const NFT_EVENTS = {
  nftCreated: 22,
  nftDeleted: 23,
} as const
export const NFT_QUERIES = {
  nfts: 6,
  nft: 7,
} as const
