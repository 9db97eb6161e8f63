/** Owns the routes of NFTs. */

import { noSuch } from '../../../api/absent-texts.js'
import { pageFields } from '../../../api/paging.js'
import { accountText } from '../../../api/query-inputs.js'
import { defineRoute } from '../../../api/route.js'
import { option, struct } from '../../../codec/index.js'
import { domainId, nftId } from '../../../model/index.js'
import * as queries from './queries.js'
import { nftPage, nftView } from './views.js'

const nftsParameters_ = struct('NftsParameters', {
  owner: option(accountText),
  domain: option(domainId),
  ...pageFields,
})

const nftPath_ = struct('NftPath', { id: nftId })

export const nftsRoute = defineRoute({
  id: 'ledger.nfts',
  method: 'GET',
  path: '/v1/nfts',
  summary: 'NFTs in the order of their ids, of one owner or one domain when it is given',
  access: 'public',
  format: 'json',
  query: nftsParameters_,
  accounts: { owner: 'id' },
  errors: ['not_found'],
  response: nftPage,
}).byPage(
  queries.nfts,
  ({ query, accounts }) => ({ owner: accounts.owner, domain: query.domain }),
  ({ query, accounts }) => noSuch({ owner: accounts.owner, domain: query.domain }),
)

export const nftRoute = defineRoute({
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
  ({ params }) => `there is no NFT ${params.id}`,
)
