/** Owns the events of NFTs. */

import { struct } from '../../../codec/index.js'
import { aboutObjects, accountId, defineEvent, type EventSubject, nftId } from '../../../model/index.js'
import { NFT_EVENTS as ID } from './ids.js'

const nft: EventSubject<{ readonly nft: string }> = { subject: 'nft', about: (value) => aboutObjects(value.nft) }
export const nftCreated = defineEvent(
  ID.nftCreated,
  'nftCreated',
  struct('NftCreated', { nft: nftId, owner: accountId }),
  nft,
)
export const nftDeleted = defineEvent(
  ID.nftDeleted,
  'nftDeleted',
  struct('NftDeleted', { nft: nftId, owner: accountId }),
  nft,
)
