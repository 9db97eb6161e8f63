/** Owns view records of NFTs. */

import { pageOf } from '../../../api/paging.js'
import { pageQueryFields } from '../../../api/query-inputs.js'
import { type Infer, option, struct } from '../../../codec/index.js'
import { accountId, domainId, metadata, nftId } from '../../../model/index.js'

export interface NftView extends Infer<typeof nftView> {}
export const nftView = struct('NftView', { id: nftId, ownedBy: accountId, content: metadata })

export const nftPage = pageOf('NftPage', nftView)

export interface NftsQuery extends Infer<typeof nftsQuery> {}
/** NFTs by their ids; of one owner and one domain when they are given. */
export const nftsQuery = struct('NftsQuery', {
  owner: option(accountId),
  domain: option(domainId),
  ...pageQueryFields(nftId),
})
