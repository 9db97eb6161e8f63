/**
 * Owns the parameters of staking. They take effect from the next epoch on, because the calendar reads them at its
 * snapshot.
 */
import {
  type Infer,
  type Numeric,
  numeric,
  option,
  type Schema,
  struct,
  u32,
  unitEnum,
  varint,
} from '../../../codec/index.js'
import { assetDefinitionId, type ParameterDef, ROSTER_MAX } from '../../../model/index.js'
import { CANDIDATES_MAX, VOTERS_MAX } from './records.js'

function bounded(
  name: string,
  schema: Schema<number>,
  fallback: number,
  low: number,
  high: number,
): ParameterDef<number> {
  const check = (value: number): string | undefined =>
    value < low || value > high ? `${name} must be between ${low} and ${high}` : undefined
  return { name, schema, fallback, activationDelay: 1, check }
}
const bps = (name: string, fallback: number, low = 0): ParameterDef<number> => bounded(name, u32, fallback, low, 10_000)
const amount = (name: string, fallback: bigint): ParameterDef<Numeric> => ({
  name,
  schema: numeric,
  fallback: { mantissa: fallback, scale: 0 },
  activationDelay: 1,
  check: ({ mantissa }) => (mantissa < 0n ? `${name} must not be negative` : undefined),
})

/** Asset of stakes; a change takes effect once there are no stakes. */
export const STAKE_ASSET: ParameterDef<string | undefined> = {
  name: 'stake_asset',
  schema: option(assetDefinitionId),
  fallback: undefined,
  activationDelay: 1,
}
/** Blocks of an epoch, by default an hour at one block per second; at least as many as its steps require. */
export const EPOCH_LENGTH_BLOCKS = bounded('epoch_length_blocks', u32, 3_600, 16, 1_000_000)
export const STAKING_COMMIT_BLOCKS = bounded('staking_commit_blocks', u32, 100, 4, 100_000)
export const STAKING_ELECTION_BLOCKS = bounded('staking_election_blocks', u32, 8, 1, 10_000)
export const STAKING_REVEAL_BLOCKS = bounded('staking_reveal_blocks', u32, 40, 4, 100_000)
export const MIN_VALIDATORS = bounded('min_validators', u32, 4, 4, ROSTER_MAX)
export const MAX_VALIDATORS = bounded('max_validators', u32, 22, 4, ROSTER_MAX)
export const MAX_CANDIDATES = bounded('max_candidates', u32, 256, 4, CANDIDATES_MAX)
export const MAX_VOTERS = bounded('max_voters', u32, 2_000, 0, VOTERS_MAX)
export const MIN_SELF_BOND = amount('min_self_bond', 1n)
/** Minimum bond of an elected validator that becomes a peer; registered validators do not need it. */
export const MIN_PEER_BOND = amount('min_peer_bond', 1n)
export const MIN_NOMINATION_BOND = amount('min_nomination_bond', 1n)
export const MIN_SECURITY_BPS = bps('min_security_bps', 1_500)
export const MAX_NOMINATOR_BPS = bps('max_nominator_bps', 2_500, 1)
export const MAX_ENTITY_BPS = bps('max_entity_bps', 2_500)
export const REWARD_PER_EPOCH = amount('reward_per_epoch', 0n)
export const MAX_SLASH_BPS = bps('max_slash_bps', 10_000)
export const SLASHING_DELAY_MS = bounded('slashing_delay_ms', varint, 259_200_000, 0, 31_536_000_000)
export const SLASHING_DELAY_BLOCKS = bounded('slashing_delay_blocks', u32, 259_200, 0, 100_000_000)

/** Destination of slashed stake: removed from the supply, or added to the pot that rewards are paid from. */
const slashSink = unitEnum('StakingSlashSink', { burn: 0, pot: 1 })
export const SLASH_TO: ParameterDef<Infer<typeof slashSink>> = {
  name: 'slash_to',
  schema: slashSink,
  fallback: 'burn',
  activationDelay: 1,
}

/** Timeouts of the phases of a view, in ms. */
export interface PhaseTimeouts extends Infer<typeof phaseTimeouts> {}
export const phaseTimeouts = struct('NposTimeouts', {
  propose: u32,
  payload: u32,
  execute: u32,
  prepare: u32,
  commit: u32,
})
/** Maximum timeout of a phase, in ms: the sum stays below the longest first timeout. */
const PHASE_MAX_MS = 1_000
export const NPOS_TIMEOUTS: ParameterDef<PhaseTimeouts> = {
  name: 'npos_timeouts',
  schema: phaseTimeouts,
  fallback: { propose: 300, payload: 250, execute: 150, prepare: 150, commit: 150 },
  activationDelay: 1,
  check: (value) => {
    const over = Object.entries<number>(value).find(([, ms]) => ms < 1 || ms > PHASE_MAX_MS)
    return over === undefined ? undefined : `npos_timeouts.${over[0]} must be between 1 and ${PHASE_MAX_MS} ms`
  },
}

export const STAKING_PARAMETERS: readonly ParameterDef<unknown>[] = [
  STAKE_ASSET,
  EPOCH_LENGTH_BLOCKS,
  STAKING_COMMIT_BLOCKS,
  STAKING_ELECTION_BLOCKS,
  STAKING_REVEAL_BLOCKS,
  MIN_VALIDATORS,
  MAX_VALIDATORS,
  MAX_CANDIDATES,
  MAX_VOTERS,
  MIN_SELF_BOND,
  MIN_PEER_BOND,
  MIN_NOMINATION_BOND,
  MIN_SECURITY_BPS,
  MAX_NOMINATOR_BPS,
  MAX_ENTITY_BPS,
  REWARD_PER_EPOCH,
  MAX_SLASH_BPS,
  SLASHING_DELAY_MS,
  SLASHING_DELAY_BLOCKS,
  SLASH_TO,
  NPOS_TIMEOUTS,
] as readonly ParameterDef<unknown>[]
