/** Owns the queries of domains. */

import type { Page } from '../../../api/paging.js'
import type { ByIdQuery, PageQuery } from '../../../api/query-inputs.js'
import { metadataBytes, metadataOf } from '../../../executor/metadata.js'
import type { QueryRun } from '../../../executor/reads.js'
import { pageOfTable } from '../../../ledger/table-page.js'
import { type Domain, domains } from '../../../ledger/tables.js'
import type { StateReader } from '../../../state/index.js'
import type { DomainView } from '../schema/views.js'

export const domainViewOf = (state: StateReader, id: string, row: Domain): DomainView => ({
  id,
  ownedBy: row.owner,
  metadata: metadataOf(state, { kind: 'domain', value: id }),
})

export const domainsQuery: QueryRun<PageQuery, Page<DomainView>> = (ctx, query) =>
  pageOfTable(
    ctx,
    domains,
    query,
    (id, row) => domainViewOf(ctx.reader, id, row),
    (value) => metadataBytes(ctx.reader, { kind: 'domain', value }),
  )

export const domainQuery: QueryRun<ByIdQuery, DomainView> = async ({ reader }, { id }) => {
  const row = reader.get(domains, id)
  return row === undefined ? undefined : domainViewOf(reader, id, row)
}
