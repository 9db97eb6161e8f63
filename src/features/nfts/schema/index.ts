/** NFTs as clients see them. */
import { defineSchema } from '../../../api/feature.js'
import { CORE_IDS } from '../../../model/index.js'
import * as events from './events.js'
import * as instructions from './instructions.js'
import * as queries from './queries.js'
import * as routes from './routes.js'

export const nftSchema = defineSchema({
  name: 'nfts',
  abi: 'core',
  version: 1,
  ids: [CORE_IDS],
  errors: {},
  instructions: { registerNft: instructions.registerNft, unregisterNft: instructions.unregisterNft },
  events: [events.nftCreated, events.nftDeleted],
  queries: { nfts: queries.nfts, nft: queries.nft },
  parameters: [],
  routes: { nfts: routes.nftsRoute, nft: routes.nftRoute },
  topics: { nft: 'NFTs' },
})
