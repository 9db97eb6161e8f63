/** Owns the read index of NFTs by owner: from the rows of a block, and from its events for what they no longer say. */

import type { IndexRun } from '../../../executor/reads.js'
import { changedRows } from '../../../ledger/changed-rows.js'
import { NFT_OWNER_SPACE, PRESENT } from '../../../ledger/indexes.js'
import { nfts } from '../../../ledger/tables.js'
import { type AccountId, isEvent, keyBytes } from '../../../model/index.js'
import { events as permissionEvents } from '../../permissions/schema/events.js'
import { events as nftEvents } from '../schema/events.js'

function ownerPrefix(owner: AccountId): Buffer {
  const id = keyBytes(owner)
  return Buffer.concat([Buffer.of(NFT_OWNER_SPACE, id.length), id])
}
const ownerKey = (owner: AccountId, nft: string): Buffer =>
  Buffer.concat([ownerPrefix(owner), Buffer.from(nft, 'utf8')])

/** Range of the NFTs of one account after an id, and where the id begins in a key. */
export function nftsOfOwner(owner: AccountId, after: string | undefined) {
  const prefix = ownerPrefix(owner)
  const gte = after === undefined ? prefix : Buffer.concat([ownerKey(owner, after), Buffer.of(0)])
  // Ids are visible ASCII, so this byte lies beyond all of them.
  return { gte, lt: Buffer.concat([prefix, Buffer.of(0xff)]), idAt: prefix.length }
}

/** Index changes of one block. Entries that go are written before those that come. */
export const nftIndexes: IndexRun = ({ rows, events }) => {
  const put = [...changedRows(nfts, rows)].map(({ key, value }): [Uint8Array, Uint8Array] => [
    ownerKey(value.owner, key),
    PRESENT,
  ])
  const del = events.flatMap(({ event }) => {
    if (isEvent(event, permissionEvents.ownerChanged)) {
      const { object, from } = event.value
      return object.kind === 'nft' ? [ownerKey(from, object.value)] : []
    }
    if (!isEvent(event, nftEvents.nftDeleted)) return []
    const { nft, owner } = event.value
    return [ownerKey(owner, nft)]
  })
  return { put, del }
}
