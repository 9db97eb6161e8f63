/** Owns the queries of the ministry. */
import type { Page } from '../../../api/paging.js'
import type { PageQuery } from '../../../api/query-inputs.js'
import type { QueryRun } from '../../../executor/reads.js'
import { nowOf } from '../../../ledger/query.js'
import { ANSWER_BYTES_MAX, limitOf, pageOfTable, scanTable } from '../../../ledger/table-page.js'
import { AGENDA_MAX_BYTES, agendaDigest } from '../schema/records.js'
import * as views from '../schema/views.js'
import { openUntil, statusOf } from './agendas.js'
import { type AgendaRow, agendas, deniedHashes, policies } from './tables.js'

function viewOf(id: string, row: AgendaRow, timeMs: number): views.AgendaItem {
  const { by, submittedMs, content, reason } = row
  const digest = agendaDigest(id, content)
  return { id, status: statusOf(row, timeMs), by, submittedMs, openUntilMs: openUntil(row), digest, content, reason }
}

export const agendaQuery: QueryRun<views.AgendaQuery, views.AgendaView> = async (ctx, { id }) => {
  const row = ctx.reader.get(agendas, id)
  return row && { ...viewOf(id, row, await nowOf(ctx)), height: ctx.height }
}

/** Maximum agendas per page, by the maximum response size. */
const AGENDAS_PER_PAGE = Math.floor(ANSWER_BYTES_MAX / AGENDA_MAX_BYTES)

export const agendasQuery: QueryRun<views.AgendasQuery, Page<views.AgendaItem>> = async (
  ctx,
  { status, limit, after },
) => {
  const timeMs = await nowOf(ctx)
  const { items, after: last } = await scanTable(
    ctx,
    agendas,
    { limit: limitOf(limit, AGENDAS_PER_PAGE), after },
    (id, row) => (status === undefined || statusOf(row, timeMs) === status ? viewOf(id, row, timeMs) : undefined),
  )
  return { items, nextCursor: last, height: ctx.height }
}

export const deniedQuery: QueryRun<views.DeniedQuery, Page<views.DeniedItem>> = async (ctx, query) => {
  const { family, hash, limit, after } = query
  if (hash !== undefined) {
    const families = family === undefined ? (['cid', 'sha256'] as const) : [family]
    const items = families.flatMap((one) => {
      const row = ctx.reader.get(deniedHashes, { family: one, hash })
      return row === undefined ? [] : [{ family: one, hash, ...row }]
    })
    return { items, nextCursor: undefined, height: ctx.height }
  }
  const from = { limit: limitOf(limit), after: after === undefined ? undefined : views.deniedOfText(after) }
  const { items, after: last } = await scanTable(ctx, deniedHashes, from, (key, row) =>
    family === undefined || key.family === family ? { ...key, ...row } : undefined,
  )
  return { items, nextCursor: last && views.deniedText(last), height: ctx.height }
}

export const policiesQuery: QueryRun<PageQuery, Page<views.PolicyItem>> = (ctx, query) =>
  pageOfTable(ctx, policies, query, (name, row) => ({ name, ...row }))
