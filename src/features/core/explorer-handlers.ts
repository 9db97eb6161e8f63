/** Owns the answers of the explorer that are no lists: figures of the chain. */
import { type AnyHandler, handle } from '../../api/handler.js'
import { PAGE_LIMIT_MAX } from '../../api/paging.js'
import type { QueryDef } from '../../executor/contract.js'
import type { NodeServices } from '../services.js'
import { blocksQuery } from './history-queries.js'
import { accountsQuery } from './holding-queries.js'
import { definitionsQuery, domainsQuery } from './queries.js'
import { type ExplorerMetrics, explorerMetricsRoute } from './schema/explorer-routes.js'
import type { Page, PageQuery } from './schema/views.js'

/** Objects of a kind that are counted: the ledger keeps no totals, and a count reads every one of them. */
const COUNTED_MAX = 10_000
/** A count is good for this long, in ms: figures are looked at again and again. */
const COUNT_KEPT_MS = 10_000
/** Blocks over which their times are averaged. */
const AVERAGED_BLOCKS = 100

type Counts = Pick<ExplorerMetrics, 'domains' | 'accounts' | 'assetDefinitions'>
/** Counts by the services that gave them, with the time until which they are good. */
const kept = new WeakMap<NodeServices, { readonly untilMs: number; readonly counts: Promise<Counts> }>()

/** Number of items of a list; undefined when there are more than are counted. */
async function countOf<Q extends PageQuery>(
  services: NodeServices,
  def: QueryDef<Q, Page<unknown>>,
  asked: (page: PageQuery) => Q,
): Promise<number | undefined> {
  let count = 0
  for (let after: string | undefined; count <= COUNTED_MAX; ) {
    const page = await services.query(def, asked({ limit: PAGE_LIMIT_MAX, after }))
    count += page?.items.length ?? 0
    after = page?.nextCursor
    if (after === undefined) return count
  }
  return undefined
}

function countsOf(services: NodeServices): Promise<Counts> {
  const nowMs = performance.now()
  const known = kept.get(services)
  if (known !== undefined && known.untilMs > nowMs) return known.counts
  const counts = (async () => ({
    domains: await countOf(services, domainsQuery, (page) => page),
    accounts: await countOf(services, accountsQuery, (page) => ({ ...page, domain: undefined })),
    assetDefinitions: await countOf(services, definitionsQuery, (page) => page),
  }))()
  kept.set(services, { untilMs: nowMs + COUNT_KEPT_MS, counts })
  counts.catch(() => kept.delete(services))
  return counts
}

async function metrics({ services }: { readonly services: NodeServices }): Promise<{ value: ExplorerMetrics }> {
  const [counts, latest] = await Promise.all([
    countsOf(services),
    services.query(blocksQuery, { limit: AVERAGED_BLOCKS, after: undefined }),
  ])
  const blocks = latest?.items ?? []
  const [newest, oldest] = [blocks[0], blocks.at(-1)]
  const { peers, txsApproved, txsRejected, blocks: height } = services.status()
  const { heightTimeEmaMs } = services.consensusDetail()
  const spans = blocks.length - 1
  return {
    value: {
      peers,
      ...counts,
      transactionsAccepted: txsApproved,
      transactionsRejected: txsRejected,
      block: height,
      finalizedBlock: height,
      blockCreatedAtMs: newest?.timeMs,
      avgCommitTimeMs: Math.max(0, Math.round(heightTimeEmaMs)),
      avgBlockTimeMs:
        newest === undefined || oldest === undefined || spans < 1
          ? undefined
          : Math.round((newest.timeMs - oldest.timeMs) / spans),
    },
  }
}

export const EXPLORER_HANDLERS: ReadonlyMap<string, AnyHandler<NodeServices>> = new Map([
  handle(explorerMetricsRoute, metrics),
])
