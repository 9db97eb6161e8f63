/** Owns the metrics of the chain. */

import type { NodeServices } from '../../../api/services.js'
import type { ExplorerMetrics } from '../schema/metrics.js'
import { queries } from '../schema/queries.js'

/** Number of blocks over which block times are averaged. */
const AVERAGED_BLOCKS = 100

export async function metrics({ services }: { readonly services: NodeServices }): Promise<{ value: ExplorerMetrics }> {
  const [counts, latest] = await Promise.all([
    services.query(queries.totals, {}),
    services.query(queries.blocks, { limit: AVERAGED_BLOCKS, after: undefined }),
  ])
  const blocks = latest?.items ?? []
  const [newest, oldest] = [blocks[0], blocks.at(-1)]
  const { peers, txsApproved, txsRejected, blocks: height } = services.status(false)
  const { heightTimeEmaMs } = services.pacemaker()
  const spans = blocks.length - 1
  return {
    value: {
      peers,
      domains: counts?.domains ?? 0,
      accounts: counts?.accounts ?? 0,
      assetDefinitions: counts?.assetDefinitions ?? 0,
      nfts: counts?.nfts ?? 0,
      transactionsAccepted: txsApproved,
      transactionsRejected: txsRejected,
      block: height,
      finalizedBlock: height,
      blockCreatedAtMs: newest?.timeMs,
      avgCommitTimeMs: heightTimeEmaMs,
      avgBlockTimeMs:
        newest === undefined || oldest === undefined || spans < 1
          ? undefined
          : Math.round((newest.timeMs - oldest.timeMs) / spans),
    },
  }
}
