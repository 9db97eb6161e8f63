/** Owns the figures of the chain. */
import { type Infer, option, struct, varint } from '../../../codec/index.js'

/** Figures of the chain as this node has them. */
export interface ExplorerMetrics extends Infer<typeof explorerMetrics> {}
export const explorerMetrics = struct('ExplorerMetrics', {
  /** Connected peers. */
  peers: varint,
  /** Objects on the ledger. */
  domains: varint,
  accounts: varint,
  assetDefinitions: varint,
  nfts: varint,
  transactionsAccepted: varint,
  transactionsRejected: varint,
  /** Height of the last block, which is also the last final one. */
  block: varint,
  finalizedBlock: varint,
  /** Time of the last block in ms since the Unix epoch. */
  blockCreatedAtMs: option(varint),
  /** From the start of a height to its commit, averaged over the last ones. */
  avgCommitTimeMs: option(varint),
  /** From one block to the next by their own times, over the last hundred. */
  avgBlockTimeMs: option(varint),
})
