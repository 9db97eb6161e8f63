/** Owns the lists of the explorer as streams (specification 4.3). */

import { type AnySchema, defineStream, gap, sseOf, streamStart } from '../../../api/index.js'
import { blockView, instructionItem, transactionItem } from './history.js'

const stream = (name: 'block' | 'transaction' | 'instruction', item: AnySchema, summary: string) =>
  defineStream({
    id: `explorer.${name}s.stream`,
    method: 'GET',
    path: `/v1/explorer/${name}s/stream`,
    summary,
    access: 'public',
    format: 'sse',
    query: streamStart,
    stream: sseOf({ [name]: item, gap }),
  })

/** Items of the explorer's lists as they are committed, oldest first. */
export const EXPLORER_STREAMS = {
  block: stream('block', blockView, 'Blocks as they are committed, as Server-Sent Events; Last-Event-ID resumes'),
  transaction: stream(
    'transaction',
    transactionItem,
    'Transactions as they are committed, as Server-Sent Events; Last-Event-ID resumes',
  ),
  instruction: stream(
    'instruction',
    instructionItem,
    'Instructions as they are committed, as Server-Sent Events; Last-Event-ID resumes',
  ),
} as const
