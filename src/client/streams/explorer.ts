/**
 * Owns the explorer lists as async iterators: items committed from now or from a height on, resumed like the other
 * streams.
 */
import { gap } from '../../api/index.js'
import type { Schema } from '../../codec/index.js'
import {
  type BlockView,
  blockView,
  type InstructionItem,
  instructionItem,
  type TransactionItem,
  transactionItem,
} from '../../features/explorer/schema/history.js'
import { EXPLORER_STREAMS } from '../../features/explorer/schema/streams.js'
import { decodedValue } from '../decoded.js'
import { resuming } from './resume.js'
import { sseMessages } from './sse.js'
import type { StreamTransport } from './streams.js'

/** Records by list. */
interface Lists {
  readonly block: BlockView
  readonly transaction: TransactionItem
  readonly instruction: InstructionItem
}
const SCHEMAS: { readonly [list in keyof Lists]: Schema<Lists[list]> } = {
  block: blockView,
  transaction: transactionItem,
  instruction: instructionItem,
}

/** Explorer list with a stream. */
export type ExplorerList = keyof Lists

/** An item with its position, or heights that the node could not replay. */
export type ExplorerItem<L extends ExplorerList> =
  | { readonly kind: 'item'; readonly id: string; readonly value: Lists[L] }
  | { readonly kind: 'gap'; readonly value: { readonly from: number; readonly to: number } }

/** Start and end of the items. */
export interface ExplorerRequest {
  /** Position of the last item that the caller has. */
  readonly after?: string | undefined
  /** First height; without `after` and `fromHeight`, items begin with the next block. */
  readonly fromHeight?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/** Items of a list, oldest first, over successive connections; `height` returns the height of the last block. */
export function readExplorer<L extends ExplorerList>(
  transport: StreamTransport,
  height: () => Promise<number>,
  list: L,
  { signal, ...request }: ExplorerRequest,
): AsyncGenerator<ExplorerItem<L>, void> {
  let { after, fromHeight } = request
  return resuming(async () => {
    // Fixed at the first connection, so that a second one does not skip items that the first did not deliver.
    if (after === undefined) fromHeight ??= (await height()) + 1
    const codec = await transport.codec()
    const search = after === undefined ? `from_height=${fromHeight}` : `after=${after}`
    const body = await transport.events(`${EXPLORER_STREAMS[list].path}?${search}`, {}, signal)
    return (async function* (): AsyncGenerator<ExplorerItem<L>, void> {
      for await (const { id = '', event, data } of sseMessages(body)) {
        if (event === 'gap') {
          const value = decodedValue(gap.parseJson(data))
          after = undefined
          fromHeight = value.to + 1
          yield { kind: 'gap', value }
        } else {
          after = id
          yield { kind: 'item', id, value: decodedValue(SCHEMAS[list].parseJson(data, codec)) }
        }
      }
    })()
  }, signal)
}
