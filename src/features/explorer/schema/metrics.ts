/** Owns the figures of the chain. */
import { option, type Schema, struct, varint } from '../../../codec/index.js'

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
export const explorerMetrics: Schema<ExplorerMetrics> = metrics_
