/** Owns NFTs as clients see them: instructions, events, views, queries and routes. */

import { absentText } from '../../api/absent-texts.js'
import { defineSchema } from '../../api/feature.js'
import { pageFields, pageOf } from '../../api/paging.js'
import { accountText, byNftQuery, pageQueryFields } from '../../api/query-inputs.js'
import { defineRoute } from '../../api/route.js'
import { type Infer, option, struct } from '../../codec/index.js'
import {
  aboutObjects,
  accountId,
  CORE_IDS,
  defineEvents,
  defineInstructions,
  defineQueries,
  domainId,
  type EventSubject,
  metadata,
  nftId,
} from '../../model/index.js'

export interface NftView extends Infer<typeof nftView> {}
const nftView = struct('NftView', { id: nftId, ownedBy: accountId, content: metadata })

const nftPage = pageOf('NftPage', nftView)

export interface NftsQuery extends Infer<typeof nftsQuery> {}
/** NFTs by id, optionally of one owner or domain. */
export const nftsQuery = struct('NftsQuery', {
  owner: option(accountId),
  domain: option(domainId),
  ...pageQueryFields(nftId),
})

export const instructions = defineInstructions({
  registerNft: { id: 16, label: 'nft::register', record: { id: nftId, content: metadata } },
  unregisterNft: { id: 17, label: 'nft::unregister', record: { id: nftId } },
})

const nft: EventSubject<{ readonly nft: string }> = { subject: 'nft', about: (value) => aboutObjects(value.nft) }

export const events = defineEvents({
  nftCreated: { id: 22, record: { nft: nftId, owner: accountId }, ...nft },
  nftDeleted: { id: 23, record: { nft: nftId, owner: accountId }, ...nft },
})

export const queries = defineQueries({
  nfts: { id: 6, input: nftsQuery, output: nftPage },
  nft: { id: 7, input: byNftQuery, output: nftView },
})

const nftsParameters_ = struct('NftsParameters', {
  owner: option(accountText),
  domain: option(domainId),
  ...pageFields,
})

const nftPath_ = struct('NftPath', { id: nftId })

const nftsRoute = defineRoute({
  id: 'ledger.nfts',
  method: 'GET',
  path: '/v1/nfts',
  summary: 'NFTs in the order of their ids, optionally of one owner or domain',
  access: 'public',
  format: 'json',
  query: nftsParameters_,
  accounts: { owner: 'id' },
  errors: ['not_found'],
  response: nftPage,
}).byPage(
  queries.nfts,
  ({ query, accounts }) => ({ owner: accounts.owner, domain: query.domain }),
  ({ query }) => absentText(query),
)

const nftRoute = defineRoute({
  id: 'ledger.nft',
  method: 'GET',
  path: '/v1/nfts/{id}',
  summary: 'An NFT with its content',
  access: 'public',
  format: 'json',
  params: nftPath_,
  response: nftView,
}).byQuery(
  queries.nft,
  ({ params }) => params,
  ({ params }) => `NFT ${params.id} does not exist`,
)

export const nftSchema = defineSchema({
  name: 'nfts',
  abi: 'core',
  version: 1,
  ids: [CORE_IDS],
  errors: {},
  instructions,
  events,
  queries,
  parameters: [],
  routes: { nfts: nftsRoute, nft: nftRoute },
  topics: { nft: 'NFTs' },
})
