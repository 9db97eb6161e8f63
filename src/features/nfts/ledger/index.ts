/** How NFTs act on the ledger. */
import { defineLedger } from '../../../executor/feature.js'
import { nfts } from '../../../ledger/tables.js'
import { nftSchema } from '../schema/index.js'
import { nftIndexes } from './indexes.js'
import * as instructions from './instructions.js'
import { NFT_PERMISSIONS } from './permissions.js'
import * as queries from './queries.js'

export const nftLedger = defineLedger(nftSchema, {
  tables: [nfts],
  execute: { ...instructions.execute },
  queries: { nfts: queries.nftsQuery, nft: queries.nftQuery },
  permissions: Object.values(NFT_PERMISSIONS),
  indexes: nftIndexes,
})
