/** Owns the queries of triggers. */

import type { Page } from '../../../api/paging.js'
import type { ByIdQuery, PageQuery } from '../../../api/query-inputs.js'
import { metadataBytes, metadataOf } from '../../../executor/metadata.js'
import type { QueryContext, QueryRun } from '../../../executor/reads.js'
import { storedList } from '../../../executor/stored-lists.js'
import { type Trigger, triggerPages, triggers } from '../../../executor/triggers/tables.js'
import { shownList } from '../../../ledger/query.js'
import { pageOfTable } from '../../../ledger/table-page.js'
import type * as views from '../schema/views.js'

function triggerOf({ reader, codec }: QueryContext, id: string, row: Trigger): views.TriggerView {
  const { authority, filter, repeats, enabled, failures, dueMs } = row
  const instructions = shownList(storedList(reader, { pages: triggerPages, of: id, row, codec }))
  const metadata = metadataOf(reader, { kind: 'trigger', value: id })
  return { id, authority, filter, instructions, repeats, enabled, failures, dueMs, metadata }
}

export const triggersQuery: QueryRun<PageQuery, Page<views.TriggerView>> = (ctx, query) =>
  pageOfTable(
    ctx,
    triggers,
    query,
    (id, row) => triggerOf(ctx, id, row),
    (value, row) => row.instructionBytes + metadataBytes(ctx.reader, { kind: 'trigger', value }),
  )

export const triggerQuery: QueryRun<ByIdQuery, views.TriggerView> = async (ctx, { id }) => {
  const row = ctx.reader.get(triggers, id)
  return row === undefined ? undefined : triggerOf(ctx, id, row)
}
