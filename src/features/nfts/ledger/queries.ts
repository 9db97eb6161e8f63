/** Owns the queries of NFTs. */

import { PAGE_LIMIT_MAX, type Page } from '../../../api/paging.js'
import type { ByIdQuery } from '../../../api/query-inputs.js'
import { accounts } from '../../../executor/accounts.js'
import { metadataBytes, metadataOf } from '../../../executor/metadata.js'
import type { QueryContext, QueryRun } from '../../../executor/reads.js'
import { ANSWER_BYTES_MAX, fittingAnswer, limitOf, pageOfTable, scanRows } from '../../../ledger/table-page.js'
import { domains, type Nft, nfts } from '../../../ledger/tables.js'
import { type AccountId, domainOfNft } from '../../../model/index.js'
import type { StateReader } from '../../../state/index.js'
import type * as views from '../schema/views.js'
import { nftsOfOwner } from './indexes.js'

/** Rows that a list with a filter looks at for one page. */
const SCAN_MAX = 5_000

function nftOf(state: StateReader, id: string, row: Nft): views.NftView {
  return { id, ownedBy: row.owner, content: metadataOf(state, { kind: 'nft', value: id }) }
}
const contentBytes = (state: StateReader, value: string): number => metadataBytes(state, { kind: 'nft', value })

/** NFTs of one owner, of all domains or of one, by the index. Anybody may give somebody many of another domain: they are passed over within a page. */
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

export const nftsQuery: QueryRun<views.NftsQuery, Page<views.NftView>> = async (ctx, query) => {
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
    const rows = await ctx.rows(nfts, { ...(after === undefined ? {} : { after }), limit: PAGE_LIMIT_MAX })
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

export const nftQuery: QueryRun<ByIdQuery, views.NftView> = async ({ reader }, { id }) => {
  const row = reader.get(nfts, id)
  return row === undefined ? undefined : nftOf(reader, id, row)
}
