/** Owns the events of NFTs. */

import { aboutObjects, accountId, defineEvents, type EventSubject, nftId } from '../../../model/index.js'

const nft: EventSubject<{ readonly nft: string }> = { subject: 'nft', about: (value) => aboutObjects(value.nft) }

export const events = defineEvents({
  nftCreated: { id: 22, record: { nft: nftId, owner: accountId }, ...nft },
  nftDeleted: { id: 23, record: { nft: nftId, owner: accountId }, ...nft },
})
