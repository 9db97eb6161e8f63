/** Owns the rows of the explorer that are no lists: figures of the chain, and its lists as streams (specification 4.3). */
import { type AnyRoute, type AnySchema, defineRoute, gap, type RouteStream, routeTable } from '../../../api/index.js'
import { type Infer, option, type Schema, string, struct, varint } from '../../../codec/index.js'
import { blockView, instructionItem, transactionItem } from './history.js'

/** Figures of the chain as this node has them. */
export interface ExplorerMetrics {
  /** Connected peers. */
  readonly peers: number
  /** Objects on the ledger. */
  readonly domains: number
  readonly accounts: number
  readonly assetDefinitions: number
  readonly nfts: number
  readonly transactionsAccepted: number
  readonly transactionsRejected: number
  /** Height of the last block, and of the last one that a commit certificate makes final: the same here. */
  readonly block: number
  readonly finalizedBlock: number
  /** Time of the last block in ms since the Unix epoch. */
  readonly blockCreatedAtMs: number | undefined
  /** From the start of a height to its commit, averaged over the last ones. */
  readonly avgCommitTimeMs: number | undefined
  /** From one block to the next by their own times, over the last hundred. */
  readonly avgBlockTimeMs: number | undefined
}
const metrics_ = struct('ExplorerMetrics', {
  peers: varint,
  domains: varint,
  accounts: varint,
  assetDefinitions: varint,
  nfts: varint,
  transactionsAccepted: varint,
  transactionsRejected: varint,
  block: varint,
  finalizedBlock: varint,
  blockCreatedAtMs: option(varint),
  avgCommitTimeMs: option(varint),
  avgBlockTimeMs: option(varint),
})
const explorerMetrics: Schema<ExplorerMetrics> = metrics_

/** Position text: two numbers of sixteen digits. */
const POSITION_MAX_BYTES = 33
const search_ = struct('ExplorerStreamSearch', {
  /** Resume after this position; Last-Event-ID goes before it. */
  after: option(string(POSITION_MAX_BYTES)),
  fromHeight: option(varint),
})
/** Where a stream begins; with neither field at the next block. */
export type ExplorerStreamSearch = Infer<typeof search_>
const explorerStreamSearch: Schema<ExplorerStreamSearch> = search_

export const explorerMetricsRoute = defineRoute({
  id: 'explorer.metrics',
  method: 'GET',
  path: '/v1/explorer/metrics',
  summary: 'Figures of the chain: blocks, transactions, objects, peers, average times',
  access: 'public',
  format: 'json',
  response: explorerMetrics,
})

const record = (of: unknown): AnySchema => of as AnySchema

const stream = (name: 'block' | 'transaction' | 'instruction', item: unknown, summary: string) =>
  defineRoute({
    id: `explorer.${name}s.stream`,
    method: 'GET',
    path: `/v1/explorer/${name}s/stream`,
    summary,
    access: 'public',
    format: 'sse',
    query: explorerStreamSearch,
    stream: { as: 'sse', events: { [name]: record(item), gap: record(gap) } } satisfies RouteStream,
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

/** All rows, in the order of the document. */
export const EXPLORER_ROUTES: readonly AnyRoute[] = routeTable(explorerMetricsRoute, ...Object.values(EXPLORER_STREAMS))
