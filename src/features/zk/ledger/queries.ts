/** Owns the queries of verifying keys. */
import type { Page } from '../../../api/paging.js'
import type { QueryRun } from '../../../executor/reads.js'
import { ANSWER_BYTES_MAX, fittingAnswer, limitOf } from '../../../ledger/table-page.js'
import { verifyingKeys } from '../../../ledger/verifying-keys.js'
import { isActiveAt, type VerifyingKeyId, type VerifyingKeyRow } from '../../../model/index.js'
import type { VerifyingKeysQuery, VerifyingKeyView } from '../schema/queries.js'

const viewOf = (id: VerifyingKeyId, key: VerifyingKeyRow, height: number): VerifyingKeyView => ({
  id,
  key,
  verifies: isActiveAt(key, height + 1),
})

export const verifyingKeyQuery: QueryRun<VerifyingKeyId, VerifyingKeyView> = async ({ reader, height }, id) => {
  const key = reader.get(verifyingKeys, id)
  return key === undefined ? undefined : viewOf(id, key, height)
}

/** A place in the list: neither part has a blank. */
const placeOf = ({ backend, name }: VerifyingKeyId): string => `${backend} ${name}`
function idOf(place: string): VerifyingKeyId {
  const [backend = '', name = ''] = place.split(' ')
  return { backend, name }
}

export const verifyingKeysQuery: QueryRun<VerifyingKeysQuery, Page<VerifyingKeyView>> = async (ctx, query) => {
  const limit = limitOf(query.limit)
  const after = query.after === undefined ? {} : { after: idOf(query.after) }
  // Few keys are ever registered, so a page with a filter looks at one page of the table and goes on by its cursor.
  const rows = await ctx.rows(verifyingKeys, { ...after, limit: limit + 1, maxBytes: ANSWER_BYTES_MAX })
  const shown = fittingAnswer(rows.slice(0, limit), ({ bytes }) => bytes)
  const last = shown.at(-1)
  return {
    items: shown
      .filter(({ key }) => query.backend === undefined || key.backend === query.backend)
      .filter(({ value }) => query.status === undefined || value.status === query.status)
      .map(({ key, value }) => viewOf(key, value, ctx.height)),
    nextCursor: rows.length > shown.length && last !== undefined ? placeOf(last.key) : undefined,
    height: ctx.height,
  }
}
