/** Owns the parameters of blocks, transactions and consensus, with their defaults (docs/design/lanes.md 1, consensus.md 6). */
import { bool, type Schema, u32, varint } from '../codec/index.js'
import { type ChainLimits, PROOF_WORK_PER_BLOCK } from '../consensus/index.js'
import { type ConsensusParameters, DEFAULT_CONSENSUS_PARAMETERS, type ParameterDef } from '../model/index.js'
import type { StateReader } from '../state/index.js'
import { parameterOf } from './parameters.js'

function bounded(
  parameterName: string,
  schema: Schema<number>,
  fallback: number,
  range: readonly [low: number, high: number],
  activationDelay: 1 | 2,
): ParameterDef<number> {
  const [low, high] = range
  const check = (value: number): string | undefined =>
    value < low || value > high ? `${parameterName} must be between ${low} and ${high}` : undefined
  return { name: parameterName, schema, fallback, activationDelay, check }
}

const consensusDefaults = DEFAULT_CONSENSUS_PARAMETERS
export const BLOCK_TIME_MS = bounded('block_time_ms', u32, consensusDefaults.blockTimeMs, [0, 60_000], 2)
export const BASE_HEIGHT_MS = bounded('base_height_ms', u32, consensusDefaults.baseHeightMs, [10, 10_000], 2)
export const MAX_CLOCK_DRIFT_MS = bounded('max_clock_drift_ms', u32, consensusDefaults.maxClockDriftMs, [10, 60_000], 2)
export const COLLECTORS_K = bounded('collectors_k', u32, consensusDefaults.collectorsK, [0, 128], 2)
export const REDUNDANT_SEND_R = bounded('redundant_send_r', u32, consensusDefaults.redundantSendR, [0, 128], 2)

/** 1: every payload is broadcast with availability signals; 0: only large payloads and lost ones are. */
export const DATA_AVAILABILITY = bounded(
  'data_availability',
  u32,
  Number(consensusDefaults.dataAvailability),
  [0, 1],
  2,
)

/** Maximum time to live of a transaction, which bounds the replay window. */
export const MAX_TTL_MS = bounded('max_ttl_ms', varint, 600_000, [1_000, 86_400_000], 1)
export const MAX_INSTRUCTIONS = bounded('max_instructions', u32, 4_096, [1, 4_096], 1)
export const MAX_TX_BYTES = bounded('max_tx_bytes', u32, 1024 * 1024, [1_024, 1024 * 1024], 1)
/**
 * Maximum units of one transaction. The maxima of this parameter and `block_teu` keep the results and events of any
 * block below OUTCOME_MAX_BYTES, at `2 * (block_teu + max_teu_per_tx)` units times the maximum bytes per unit.
 */
export const MAX_TEU_PER_TX = bounded('max_teu_per_tx', u32, 60_000, [1_000, 250_000], 1)
/** Static execution units of one block; sized so that two executions fit half a timeout. */
export const BLOCK_TEU = bounded('block_teu', u32, 120_000, [1_000, 500_000], 1)
export const BLOCK_MAX_TRANSACTIONS = bounded('block_max_transactions', u32, 512, [1, 16_384], 1)
const MIB = 1024 * 1024
/** Maximum bytes of the body of one block, which with its header and certificate must fit every message and record. */
export const MAX_BLOCK_BYTES = bounded('max_block_bytes', u32, 8 * MIB, [MIB, 32 * MIB], 1)
/** Work sum of one block, in ms; sized so that two executions, with pairings, fit half a timeout. */
export const BLOCK_WORK_MS = bounded('block_work_ms', u32, 60, [10, 1_000], 1)

/** Number of blocks whose embedded certificates show participation, before the roster may change without force. */
export const MEMBERSHIP_SEEN_WINDOW = bounded('membership_seen_window', u32, 100, [1, 10_000], 1)
/** Blocks for which a replaced consensus key is still shown as retiring. */
export const KEY_OVERLAP_BLOCKS = bounded('key_overlap_blocks', u32, 8, [1, 100_000], 1)
/** Blocks after which a fault can no longer be recorded. */
export const EVIDENCE_HORIZON_BLOCKS = bounded('evidence_horizon_blocks', u32, 7_200, [1, 1_000_000], 1)

/** True if transactions are routed to lanes; off: always lane 0 and the universal dataspace (specification 1.6). */
export const LANES_ENABLED: ParameterDef<boolean> = {
  name: 'lanes.enabled',
  schema: bool,
  fallback: false,
  activationDelay: 2,
}

export const SYSTEM_PARAMETERS: readonly (ParameterDef<number> | ParameterDef<boolean>)[] = [
  LANES_ENABLED,
  BLOCK_TIME_MS,
  BASE_HEIGHT_MS,
  MAX_CLOCK_DRIFT_MS,
  COLLECTORS_K,
  REDUNDANT_SEND_R,
  DATA_AVAILABILITY,
  MAX_TTL_MS,
  MAX_INSTRUCTIONS,
  MAX_TX_BYTES,
  MAX_TEU_PER_TX,
  BLOCK_TEU,
  BLOCK_MAX_TRANSACTIONS,
  MAX_BLOCK_BYTES,
  BLOCK_WORK_MS,
  MEMBERSHIP_SEEN_WINDOW,
  KEY_OVERLAP_BLOCKS,
  EVIDENCE_HORIZON_BLOCKS,
]

/** Consensus parameters in the given state. */
export const consensusParametersOf = (state: StateReader): Omit<ConsensusParameters, 'phases'> => ({
  blockTimeMs: parameterOf(state, BLOCK_TIME_MS),
  baseHeightMs: parameterOf(state, BASE_HEIGHT_MS),
  maxClockDriftMs: parameterOf(state, MAX_CLOCK_DRIFT_MS),
  collectorsK: parameterOf(state, COLLECTORS_K),
  redundantSendR: parameterOf(state, REDUNDANT_SEND_R),
  dataAvailability: parameterOf(state, DATA_AVAILABILITY) === 1,
})

/** Limits that admission, building and voting share. */
export interface TransactionLimits extends ChainLimits {
  readonly maxTtlMs: number
  readonly maxInstructions: number
  readonly maxTxBytes: number
  readonly maxTeuPerTx: number
  readonly maxClockDriftMs: number
}
export const transactionLimitsOf = (state: StateReader): TransactionLimits => ({
  maxTtlMs: parameterOf(state, MAX_TTL_MS),
  maxInstructions: parameterOf(state, MAX_INSTRUCTIONS),
  maxTxBytes: parameterOf(state, MAX_TX_BYTES),
  maxTeuPerTx: parameterOf(state, MAX_TEU_PER_TX),
  blockTeu: parameterOf(state, BLOCK_TEU),
  blockMaxTransactions: parameterOf(state, BLOCK_MAX_TRANSACTIONS),
  maxBlockBytes: parameterOf(state, MAX_BLOCK_BYTES),
  blockWorkMs: parameterOf(state, BLOCK_WORK_MS),
  proofWorkPerBlock: parameterOf(state, PROOF_WORK_PER_BLOCK),
  maxClockDriftMs: parameterOf(state, MAX_CLOCK_DRIFT_MS),
})
