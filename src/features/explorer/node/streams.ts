/** Owns the streams of the explorer lists: the items of a block for each list. */

import { PAGE_LIMIT_MAX, streamItems } from '../../../api/index.js'
import type { Page } from '../../../api/paging.js'
import type { NodeServices } from '../../../api/services.js'
import type { StreamSource } from '../../../api/stream-source.js'
import type { QueryDef } from '../../../model/index.js'
import { blockView, type HistoryQuery, instructionItem, transactionItem } from '../schema/history.js'
import { queries } from '../schema/queries.js'
import { EXPLORER_STREAMS } from '../schema/streams.js'

/** All items of a block in a list, oldest first; the list itself is newest first. */
async function listed<T>(services: NodeServices, def: QueryDef<HistoryQuery, Page<T>>, height: number): Promise<T[]> {
  const items: T[] = []
  const asked = { authority: undefined, kind: undefined, definition: undefined, outcome: undefined, block: height }
  for (let after: string | undefined; ; ) {
    const page = await services.query(def, { ...asked, limit: PAGE_LIMIT_MAX, after })
    items.push(...(page?.items ?? []))
    after = page?.nextCursor
    if (after === undefined) return items.reverse()
  }
}

/** Sources by route id. */
export const explorerStreams: ReadonlyMap<string, StreamSource> = new Map([
  streamItems(EXPLORER_STREAMS.block, {
    event: 'block',
    schema: blockView,
    read: async (services, height) => {
      const found = await services.query(queries.block, { height, hash: undefined })
      return found === undefined ? [] : [found]
    },
  }),
  streamItems(EXPLORER_STREAMS.transaction, {
    event: 'transaction',
    schema: transactionItem,
    read: (services, height) => listed(services, queries.transactions, height),
  }),
  streamItems(EXPLORER_STREAMS.instruction, {
    event: 'instruction',
    schema: instructionItem,
    read: (services, height) => listed(services, queries.instructions, height),
  }),
])
