/** Owns the floor: limits of parameters within which the chain and its governance keep working. */
import { PROOF_WORK_PER_BLOCK } from '../../../consensus/index.js'
import { type ExecContext, type OutcomeCheck, type Rejection, reject } from '../../../executor/contract.js'
import { parameterAt } from '../../../executor/parameters.js'
import * as system from '../../../executor/system-parameters.js'
import { definitions } from '../../../ledger/tables.js'
import type { ParameterDef } from '../../../model/index.js'
import { CONTRACT_GAS_PER_TX } from '../../contracts/schema/parameters.js'
import { FEE_ASSET, FEE_PER_TEU } from '../../fees/schema.js'
import { EPOCH_LENGTH_BLOCKS, MIN_VALIDATORS } from '../../staking/schema/parameters.js'
import { GOV_ENACT_TEU } from '../schema/parameters.js'
import { stateOf } from './account.js'
import { unitsOf } from './amounts.js'
import type { GovState } from './tables.js'

const KIB = 1_024
/** Heights after its change at which a parameter can take effect. */
const LEAD_HEIGHTS = [1, 2] as const

interface Limit {
  readonly def: ParameterDef<number>
  readonly low?: number
  readonly high?: number
}
export const FLOOR_LIMITS: readonly Limit[] = [
  // A proposal of 32 KiB fits with its signatures.
  { def: system.MAX_TX_BYTES, low: 64 * KIB },
  // Fits a RegisterPeer, and every step of a proposal.
  { def: system.MAX_TEU_PER_TX, low: 25_000 },
  { def: system.MAX_INSTRUCTIONS, low: 64 },
  { def: system.BLOCK_MAX_TRANSACTIONS, low: 16 },
  { def: system.MAX_TTL_MS, low: 30_000 },
  // Two executions of a block must fit half a timeout.
  { def: system.BLOCK_WORK_MS, low: 30, high: 200 },
  { def: system.BLOCK_TEU, high: 250_000 },
  { def: system.BLOCK_TIME_MS, high: 10_000 },
  { def: system.BASE_HEIGHT_MS, low: 25, high: 5_000 },
  { def: system.MAX_CLOCK_DRIFT_MS, low: 100, high: 5_000 },
  { def: PROOF_WORK_PER_BLOCK, high: 1_024 },
  { def: CONTRACT_GAS_PER_TX, low: 1_000_000 },
]

/** Divisor of the supply of the fee asset that bounds the maximum fee of a transaction. */
const FEE_DIVISOR = 10_000n

/** Distance of the state beyond a limit; a positive numerator exceeds the limit, without bound over a zero denominator. */
interface Excess {
  readonly by: bigint
  readonly of: bigint
  readonly message: string
}
const within = (message: string): Excess => ({ by: 0n, of: 1n, message })
const exceeds = ({ by }: Excess): boolean => by > 0n

function limitExcess(ctx: ExecContext, { def, low, high }: Limit, height: number): readonly Excess[] {
  const value = parameterAt(ctx, def, height)
  const { name } = def
  const sides: Excess[] = []
  if (low !== undefined) sides.push({ by: BigInt(low - value), of: 1n, message: `${name} must be at least ${low}` })
  if (high !== undefined) sides.push({ by: BigInt(value - high), of: 1n, message: `${name} must be at most ${high}` })
  return sides
}

/** Relations between parameters that bound each other. */
function relationExcess(ctx: ExecContext, height: number): readonly Excess[] {
  const [perTx, perBlock, perStep] = [system.MAX_TEU_PER_TX, system.BLOCK_TEU, GOV_ENACT_TEU].map((def) =>
    BigInt(parameterAt(ctx, def, height)),
  ) as [bigint, bigint, bigint]
  return [
    { by: perTx - perBlock, of: 1n, message: 'block_teu must be at least max_teu_per_tx' },
    { by: perStep - perTx, of: 1n, message: 'max_teu_per_tx must be at least gov_enact_teu' },
  ]
}

function feeExcess(ctx: ExecContext, height: number): Excess {
  const asset = parameterAt(ctx, FEE_ASSET, height)
  const perTeu = parameterAt(ctx, FEE_PER_TEU, height)
  const message = `the largest fee of a transaction must be at most 1/${FEE_DIVISOR} of the supply of the fee asset`
  if (perTeu.mantissa === 0n || asset === undefined) return within(message)
  const total = ctx.get(definitions, asset)?.total
  // Nothing is charged without a supply; but its first unit would make every transaction, including ballots, unpayable.
  if (total === undefined || total.mantissa === 0n)
    return { by: 1n, of: 0n, message: 'fee_asset must have a supply while fee_per_teu is set' }
  const supply = unitsOf(total)
  const largest = unitsOf(perTeu) * BigInt(parameterAt(ctx, system.MAX_TEU_PER_TX, height))
  return { by: largest * FEE_DIVISOR - supply, of: supply, message }
}

/** Distances of the state from all limits, in a fixed order. Staged changes count as active. */
export type FloorState = readonly Excess[]

export function floorState(ctx: ExecContext, { epochLengthBlocks, minValidators }: GovState): FloorState {
  const limits: readonly Limit[] = [
    ...FLOOR_LIMITS,
    { def: EPOCH_LENGTH_BLOCKS, low: epochLengthBlocks },
    { def: MIN_VALIDATORS, low: minValidators },
  ]
  return LEAD_HEIGHTS.flatMap((lead) => {
    const height = ctx.env.height + lead
    return [
      ...limits.flatMap((limit) => limitExcess(ctx, limit, height)),
      ...relationExcess(ctx, height),
      feeExcess(ctx, height),
    ]
  })
}

const belowFloor = (found: Excess | undefined): Rejection | undefined => found && reject('below_floor', found.message)

/** Rejection of a state below the floor. */
export const floorFault = (state: FloorState): Rejection | undefined => belowFloor(state.find(exceeds))

/** Rejection of a change that exceeds a limit, or exceeds it further than the state before the change did. */
export const floorChange = (before: FloorState, after: FloorState): Rejection | undefined =>
  belowFloor(
    after.find((now, at) => {
      const then = before[at]
      return exceeds(now) && (then === undefined || !exceeds(then) || now.by * then.of > then.by * now.of)
    }),
  )

/** Parameter policy; undefined before governance is founded. */
export function parameterFloor(ctx: ExecContext): OutcomeCheck | undefined {
  const state = stateOf(ctx)
  if (state === undefined) return undefined
  const before = floorState(ctx, state)
  return () => floorChange(before, floorState(ctx, state))
}
