/** Owns the parameters of one performance run: number and location of validators, load, and protocol settings. */
import { type ConsensusParameters, DEFAULT_CONSENSUS_PARAMETERS } from '../../model/index.js'
import type { Bandwidth } from './network.js'
import type { Latency } from './regions.js'

/**
 * Distribution of the payload of a block: chosen by its length, by the hashes of its records, or in chunks by reliable
 * broadcast.
 */
export const PAYLOAD_WAYS = ['auto', 'compact', 'chunks'] as const
export type PayloadWay = (typeof PAYLOAD_WAYS)[number]

export interface ScaleScenario {
  readonly seed: number
  readonly validators: number
  readonly latency: Latency
  readonly bandwidth: Bandwidth
  /** Transactions per second, over all validators. */
  readonly rate: number
  readonly transactionBytes: number
  /** Maximum transactions and bytes of a block. */
  readonly blockTransactions: number
  readonly blockBytes: number
  readonly payload: PayloadWay
  readonly parameters: ConsensusParameters
  /** Virtual time before the counted time, in ms, in which the pacemaker adapts to the duration of a height. */
  readonly warmUpMs: number
  /** Virtual time in which submissions and blocks are counted, in ms. */
  readonly measuredMs: number
}

/** Bandwidth of cloud machines: 1 Gbit/s each way, a fifth of it for one connection over a long path. */
export const DEFAULT_BANDWIDTH: Bandwidth = { uplinkMbit: 1_000, downlinkMbit: 1_000, linkMbit: 200 }

/** Default run. */
export const DEFAULT_SCENARIO: ScaleScenario = {
  seed: 1,
  validators: 4,
  latency: 'wan',
  bandwidth: DEFAULT_BANDWIDTH,
  rate: 1_000,
  transactionBytes: 250,
  blockTransactions: 2_000,
  blockBytes: 4 * 1024 * 1024,
  payload: 'auto',
  parameters: DEFAULT_CONSENSUS_PARAMETERS,
  warmUpMs: 5_000,
  measuredMs: 20_000,
}
