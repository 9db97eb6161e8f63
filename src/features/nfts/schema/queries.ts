/** Owns the queries of NFTs. */

import { byNftQuery } from '../../../api/query-inputs.js'
import { defineQuery } from '../../../model/index.js'
import { NFT_QUERIES as ID } from './ids.js'
import { nftPage, nftsQuery, nftView } from './views.js'

export const nfts = defineQuery(ID.nfts, 'nfts', nftsQuery, nftPage)
export const nft = defineQuery(ID.nft, 'nft', byNftQuery, nftView)
