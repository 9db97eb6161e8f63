/** Owns the routes of NFTs. */

import { pageFields } from '../../../api/paging.js'
import { accountText } from '../../../api/query-inputs.js'
import { byQuery, defineRoute } from '../../../api/route.js'
import { type Infer, option, struct } from '../../../codec/index.js'
import { domainId, nftId } from '../../../model/index.js'
import { queries } from './queries.js'
import { nftPage, nftView } from './views.js'

const nftsParameters_ = struct('NftsParameters', {
  owner: option(accountText),
  domain: option(domainId),
  ...pageFields,
})
export type NftsParameters = Infer<typeof nftsParameters_>

const nftPath_ = struct('NftPath', { id: nftId })

export const nftsRoute = defineRoute({
  id: 'ledger.nfts',
  method: 'GET',
  path: '/v1/nfts',
  summary: 'NFTs in the order of their ids, of one owner or one domain when it is given',
  access: 'public',
  format: 'json',
  query: nftsParameters_,
  errors: ['not_found'],
  response: nftPage,
})

export const nftRoute = defineRoute({
  id: 'ledger.nft',
  method: 'GET',
  path: '/v1/nfts/{id}',
  summary: 'An NFT with its content',
  access: 'public',
  format: 'json',
  params: nftPath_,
  response: nftView,
  answer: byQuery(
    queries.nft,
    ({ params }: { readonly params: { readonly id: string } }) => params,
    ({ params }: { readonly params: { readonly id: string } }) => `there is no NFT ${params.id}`,
  ),
})
