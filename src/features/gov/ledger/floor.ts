/** Owns the floor: limits of parameters within which the chain and its governance keep working. */
import { PROOF_WORK_PER_BLOCK } from '../../../consensus/index.js'
import { type ExecContext, type Rejection, reject } from '../../../executor/contract.js'
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

const below = (message: string): Rejection => reject('below_floor', message)

function limitFault(ctx: ExecContext, { def, low = 0, high }: Limit, height: number): Rejection | undefined {
  const value = parameterAt(ctx, def, height)
  if (value < low) return below(`${def.name} must be at least ${low}`)
  return high !== undefined && value > high ? below(`${def.name} must be at most ${high}`) : undefined
}

/** Violated relation between parameters that bound each other. */
function relationFault(ctx: ExecContext, height: number): Rejection | undefined {
  const [perTx, perBlock, perStep] = [system.MAX_TEU_PER_TX, system.BLOCK_TEU, GOV_ENACT_TEU].map((def) =>
    parameterAt(ctx, def, height),
  ) as [number, number, number]
  if (perBlock < perTx) return below('block_teu must be at least max_teu_per_tx')
  return perTx < perStep ? below('max_teu_per_tx must be at least gov_enact_teu') : undefined
}

function feeFault(ctx: ExecContext, height: number): Rejection | undefined {
  const asset = parameterAt(ctx, FEE_ASSET, height)
  const perTeu = parameterAt(ctx, FEE_PER_TEU, height)
  if (perTeu.mantissa === 0n || asset === undefined) return undefined
  const total = ctx.get(definitions, asset)?.total
  // Nothing is charged without a supply; but its first unit would make every transaction, including ballots, unpayable.
  if (total === undefined || total.mantissa === 0n)
    return below('fee_asset must have a supply while fee_per_teu is set')
  const largest = unitsOf(perTeu) * BigInt(parameterAt(ctx, system.MAX_TEU_PER_TX, height))
  return largest * FEE_DIVISOR > unitsOf(total)
    ? below(`the largest fee of a transaction must be at most 1/${FEE_DIVISOR} of the supply of the fee asset`)
    : undefined
}

/** Parameter policy; undefined before governance is founded. Staged changes count as active. */
export function parameterFloor(ctx: ExecContext): Rejection | undefined {
  const state = stateOf(ctx)
  if (state === undefined) return undefined
  const founding: readonly Limit[] = [
    { def: EPOCH_LENGTH_BLOCKS, low: state.epochLengthBlocks },
    { def: MIN_VALIDATORS, low: state.minValidators },
  ]
  for (const lead of LEAD_HEIGHTS) {
    const height = ctx.env.height + lead
    for (const limit of [...FLOOR_LIMITS, ...founding]) {
      const fault = limitFault(ctx, limit, height)
      if (fault) return fault
    }
    const fault = relationFault(ctx, height) ?? feeFault(ctx, height)
    if (fault) return fault
  }
  return undefined
}
