/** Owns the execution of NFTs: permissions, instructions, read indexes, queries. */

import { PAGE_LIMIT_MAX, type Page } from '../../api/paging.js'
import type { ByIdQuery } from '../../api/query-inputs.js'
import { accounts, countUse } from '../../executor/accounts.js'
import { reject } from '../../executor/contract.js'
import { defineLedger, type Executions } from '../../executor/feature.js'
import { dropMetadata, metadataBytes, metadataOf, writeMetadata } from '../../executor/metadata.js'
import type { Permission } from '../../executor/permission.js'
import type { IndexRun, QueryContext, QueryRun } from '../../executor/reads.js'
import { changedRows, NFT_OWNER_SPACE, PRESENT } from '../../ledger/indexes.js'
import { countMember } from '../../ledger/members.js'
import { onDomain } from '../../ledger/permission-kinds.js'
import { requirePermission } from '../../ledger/permissions.js'
import { ANSWER_BYTES_MAX, fittingAnswer, limitOf, pageOfTable, scanRows } from '../../ledger/table-page.js'
import { domains, type Nft, nfts } from '../../ledger/tables.js'
import { type AccountId, domainOfNft, isEvent, keyBytes } from '../../model/index.js'
import type { StateReader } from '../../state/index.js'
import { events as permissionEvents } from '../permissions/schema.js'
import type * as views from './schema.js'
import { type instructions, events as nftEvents, nftSchema } from './schema.js'

const NFT_PERMISSIONS = {
  CanRegisterNft: onDomain('CanRegisterNft'),
} as const satisfies Record<string, Permission>

function ownerPrefix(owner: AccountId): Buffer {
  const id = keyBytes(owner)
  return Buffer.concat([Buffer.of(NFT_OWNER_SPACE, id.length), id])
}
const ownerKey = (owner: AccountId, nft: string): Buffer =>
  Buffer.concat([ownerPrefix(owner), Buffer.from(nft, 'utf8')])

/** Range of the NFTs of one account after an id, and the offset of the id in a key. */
function nftsOfOwner(owner: AccountId, after: string | undefined) {
  const prefix = ownerPrefix(owner)
  const gte = after === undefined ? prefix : Buffer.concat([ownerKey(owner, after), Buffer.of(0)])
  // Ids are visible ASCII, so this byte is beyond all of them.
  return { gte, lt: Buffer.concat([prefix, Buffer.of(0xff)]), idAt: prefix.length }
}

/** Index changes of one block. Removals are written before additions. */
const nftIndexes: IndexRun = ({ rows, events }) => {
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

/** Maximum rows read for one page of a filtered list. */
const SCAN_MAX = 5_000

function nftOf(state: StateReader, id: string, row: Nft): views.NftView {
  return { id, ownedBy: row.owner, content: metadataOf(state, { kind: 'nft', value: id }) }
}
const contentBytes = (state: StateReader, value: string): number => metadataBytes(state, { kind: 'nft', value })

/**
 * NFTs of one owner, in all domains or in one, from the index. Other accounts may transfer many NFTs of other domains
 * to the owner; these are skipped within a page.
 */
async function nftsByOwner(ctx: QueryContext, owner: AccountId, query: views.NftsQuery): Promise<Page<views.NftView>> {
  const { domain } = query
  const limit = limitOf(query.limit)
  const ids: string[] = []
  let place = query.after
  for (let seen = 0; ids.length <= limit && seen < SCAN_MAX; ) {
    const asked = scanRows(seen, limit + 1)
    const { idAt, ...range } = nftsOfOwner(owner, place)
    let found = 0
    for await (const [key] of ctx.indexRange({ ...range, limit: asked })) {
      found += 1
      place = key.toString('utf8', idAt)
      if (domain === undefined || domainOfNft(place) === domain) ids.push(place)
    }
    seen += found
    if (found === asked) continue
    place = undefined
    break
  }
  const shown = fittingAnswer(ids.slice(0, limit), (id) => contentBytes(ctx.reader, id))
  const items = shown.flatMap((id) => {
    const row = ctx.reader.get(nfts, id)
    return row === undefined ? [] : [nftOf(ctx.reader, id, row)]
  })
  return { items, nextCursor: ids.length > shown.length ? shown.at(-1) : place, height: ctx.height }
}

const nftsQuery: QueryRun<views.NftsQuery, Page<views.NftView>> = async (ctx, query) => {
  const { owner, domain } = query
  if (domain !== undefined && !ctx.reader.has(domains, domain)) return undefined
  if (owner !== undefined && !ctx.reader.has(accounts, owner)) return undefined
  if (owner !== undefined) return nftsByOwner(ctx, owner, query)
  if (domain === undefined) {
    return pageOfTable(
      ctx,
      nfts,
      query,
      (id, row) => nftOf(ctx.reader, id, row),
      (id) => contentBytes(ctx.reader, id),
    )
  }
  const limit = limitOf(query.limit)
  const items: views.NftView[] = []
  let after = query.after
  let left = ANSWER_BYTES_MAX
  for (let seen = 0; ; ) {
    const rows = await ctx.rows(nfts, { after, limit: PAGE_LIMIT_MAX })
    for (const { key, value } of rows) {
      const bytes = domainOfNft(key) === domain ? contentBytes(ctx.reader, key) : 0
      if (bytes > left && items.length > 0) return { items, nextCursor: after, height: ctx.height }
      left -= bytes
      after = key
      if (domainOfNft(key) === domain) items.push(nftOf(ctx.reader, key, value))
      if (items.length === limit) return { items, nextCursor: after, height: ctx.height }
    }
    seen += rows.length
    if (rows.length < PAGE_LIMIT_MAX) return { items, nextCursor: undefined, height: ctx.height }
    if (seen >= SCAN_MAX) return { items, nextCursor: after, height: ctx.height }
  }
}

const nftQuery: QueryRun<ByIdQuery, views.NftView> = async ({ reader }, { id }) => {
  const row = reader.get(nfts, id)
  return row === undefined ? undefined : nftOf(reader, id, row)
}

const execute: Executions<typeof instructions> = {
  registerNft: {
    cost: { base: 200 },
    primaryDomain: (value) => domainOfNft(value.id),
    execute(ctx, { id, content }) {
      const domain = domainOfNft(id)
      const home = ctx.get(domains, domain)
      if (home === undefined) return reject('absent', `domain ${domain} does not exist`)
      const denied = requirePermission(ctx, 'registering an NFT', home.owner, [NFT_PERMISSIONS.CanRegisterNft, domain])
      if (denied) return denied
      if (ctx.has(nfts, id)) return reject('exists', `NFT ${id} already exists`)
      const refused = writeMetadata(ctx, { kind: 'nft', value: id }, content)
      if (refused) return refused
      // The genesis key need not be an account: in genesis the owner of the domain owns the registered NFT.
      const owner = ctx.env.genesis ? home.owner : ctx.authority
      const registered = ctx.incarnation()
      ctx.set(nfts, id, { owner, incarnation: registered, held: registered })
      countUse(ctx, owner, 'objects', 1)
      countMember(ctx, domain, 1)
      ctx.emit(nftEvents.nftCreated, { nft: id, owner })
      return undefined
    },
  },

  unregisterNft: {
    cost: { base: 200 },
    primaryDomain: (value) => domainOfNft(value.id),
    execute(ctx, { id }) {
      const row = ctx.get(nfts, id)
      if (row === undefined) return reject('absent', `NFT ${id} does not exist`)
      const denied = requirePermission(ctx, 'removing an NFT', row.owner)
      if (denied) return denied
      ctx.delete(nfts, id)
      dropMetadata(ctx, { kind: 'nft', value: id })
      countUse(ctx, row.owner, 'objects', -1)
      countMember(ctx, domainOfNft(id), -1)
      ctx.emit(nftEvents.nftDeleted, { nft: id, owner: row.owner })
      return undefined
    },
  },
}

export const nftLedger = defineLedger(nftSchema, {
  tables: [nfts],
  execute,
  queries: { nfts: nftsQuery, nft: nftQuery },
  permissions: Object.values(NFT_PERMISSIONS),
  indexes: nftIndexes,
})
