/** Owns view records of NFTs. */

import { pageOf } from '../../../api/paging.js'
import { pageQueryFields } from '../../../api/query-inputs.js'
import { type Infer, option, type Schema, struct } from '../../../codec/index.js'
import { accountId, domainId, metadata, nftId } from '../../../model/index.js'

const nftView_ = struct('NftView', { id: nftId, ownedBy: accountId, content: metadata })
export type NftView = Infer<typeof nftView_>
export const nftView: Schema<NftView> = nftView_
export const nftPage = pageOf('NftPage', nftView)

/** NFTs by their ids; of one owner and one domain when they are given. */
const nftsQuery_ = struct('NftsQuery', {
  owner: option(accountId),
  domain: option(domainId),
  ...pageQueryFields(nftId),
})
export type NftsQuery = Infer<typeof nftsQuery_>
export const nftsQuery: Schema<NftsQuery> = nftsQuery_
