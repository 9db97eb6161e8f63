/** Owns the escrows: amounts held by a feature that cannot be frozen; part of the totals of their definitions. */
import { bytesN, formatNumeric, type Infer, type Numeric, numeric, struct } from '../codec/index.js'
import { type Rejection, reject } from '../executor/contract.js'
import { add, assetDefinitionId, name, subtract } from '../model/index.js'
import type { StateReader, StateWriter, TableDef } from '../state/index.js'
import { KERNEL_TABLES } from './ids.js'
import { ZERO } from './money.js'

/** Escrow key: the holding feature, the hash of the purpose, the definition. */
export interface EscrowKey extends Infer<typeof escrowKey_> {}
const escrowKey_ = struct('EscrowKey', {
  feature: name,
  /** Hash of the purpose, 32 bytes. */
  key: bytesN(32),
  definition: assetDefinitionId,
})
export const escrows: TableDef<EscrowKey, Numeric> = {
  id: KERNEL_TABLES.escrows,
  name: 'escrows',
  bound: {
    holds: 'an amount of 512 bits',
    filledBy: 'deposits and stakes of features',
    atBound: '`overflow`; leaves at zero',
  },
  key: escrowKey_,
  value: numeric,
}

/** Balance of an escrow. */
export const escrowed = (state: StateReader, escrow: EscrowKey): Numeric => state.get(escrows, escrow) ?? ZERO

/**
 * Add an amount from a balance to an escrow. The amount stays in the total of its definition, which has at most 512
 * bits.
 */
export function addToEscrow(state: StateWriter, escrow: EscrowKey, amount: Numeric): void {
  const sum = add(escrowed(state, escrow), amount)
  if (sum === undefined) throw new Error('an escrow is larger than the total of its definition')
  state.set(escrows, escrow, sum)
}

/** Subtract from an escrow; an empty escrow has no row. */
export function takeFromEscrow(state: StateWriter, escrow: EscrowKey, amount: Numeric): Rejection | undefined {
  const held = escrowed(state, escrow)
  const rest = subtract(held, amount)
  if (rest === undefined) {
    return reject('not_enough', `the escrow holds ${formatNumeric(held)}, but the amount is ${formatNumeric(amount)}`)
  }
  if (rest.mantissa === 0n) state.delete(escrows, escrow)
  else state.set(escrows, escrow, rest)
  return undefined
}
