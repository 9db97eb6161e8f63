/** Owns the metrics of the chain. */
import { type Infer, option, struct, varint } from '../../../codec/index.js'

/** Metrics of the chain on this node. */
export interface ExplorerMetrics extends Infer<typeof explorerMetrics> {}
export const explorerMetrics = struct('ExplorerMetrics', {
  /** Number of connected peers. */
  peers: varint,
  /** Numbers of objects on the ledger. */
  domains: varint,
  accounts: varint,
  assetDefinitions: varint,
  nfts: varint,
  transactionsAccepted: varint,
  transactionsRejected: varint,
  /** Height of the last block; every committed block is final. */
  block: varint,
  finalizedBlock: varint,
  /** Time of the last block in ms since the Unix epoch. */
  blockCreatedAtMs: option(varint),
  /** Time from the start of a height to its commit, averaged over recent ones. */
  avgCommitTimeMs: option(varint),
  /** Interval between block times, averaged over the last hundred. */
  avgBlockTimeMs: option(varint),
})
