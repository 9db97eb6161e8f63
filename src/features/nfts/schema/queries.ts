/** Owns the queries of NFTs. */

import { byNftQuery } from '../../../api/query-inputs.js'
import { defineQueries } from '../../../model/index.js'
import { nftPage, nftsQuery, nftView } from './views.js'

export const queries = defineQueries({
  nfts: { id: 6, input: nftsQuery, output: nftPage },
  nft: { id: 7, input: byNftQuery, output: nftView },
})
