/** Owns the common parts of settlements: the right to settle for a source account, the lane, receipts. */
import { accounts } from '../executor/accounts.js'
import { type ExecContext, type Rejection, reject } from '../executor/contract.js'
import type { ObjectKind, Permission } from '../executor/permission.js'
import {
  figuresFault,
  type SettlementFigures,
  type SettlementNote,
  type SwapTerms,
  settlementEvents,
} from '../lanes/index.js'
import { type AccountId, accountIdFault, keyString } from '../model/index.js'
import { holds, tokenFor } from './permissions.js'

/** Account in the object text of a settlement. */
function accountOf(object: string): AccountId | undefined {
  const hex = /^[^:#]+:[0-9a-f]{64}#((?:[0-9a-f]{2})+)$/.exec(object)?.[1]
  const account = hex === undefined ? undefined : keyString(Buffer.from(hex, 'hex'))
  return account === undefined || accountIdFault(account) !== undefined ? undefined : account
}

/** Terms of a settlement (`settlementObject`), to which the account in them agrees. */
const settlementKind: ObjectKind = {
  name: 'settlement',
  isId: (text) => accountOf(text) !== undefined,
  owner: (_state, id) => accountOf(id),
  incarnation(state, id) {
    const account = accountOf(id)
    return account === undefined ? undefined : state.get(accounts, account)?.incarnation
  },
}

export const CAN_SETTLE: Permission = { name: 'CanSettle', on: settlementKind }

/**
 * Fault of an authority that settles for a source account, or undefined. `objectFor`: terms to which the source agrees.
 */
export function sourceFault(
  ctx: ExecContext,
  source: AccountId,
  objectFor: (source: AccountId) => string,
): Rejection | undefined {
  const mayMove =
    ctx.env.genesis ||
    source === ctx.authority ||
    holds(ctx, ctx.authority, tokenFor(ctx, CAN_SETTLE, objectFor(source)))
  return mayMove
    ? undefined
    : reject(
        'not_permitted',
        'each leg requires its source as the authority, or CanSettle for these terms granted by it',
      )
}

/**
 * Fault if the run has no lane, as in the run of a trigger, because its settlement could not be proven; otherwise
 * undefined.
 */
export const laneFault = (ctx: ExecContext): Rejection | undefined =>
  ctx.transaction.lane === undefined && !ctx.env.genesis
    ? reject('lane_mismatch', 'a settlement requires the lane of a transaction, but this run has none')
    : undefined

/** Record a receipt: the block commits to it under the lane of the transaction. */
export function recordReceipt(
  ctx: ExecContext,
  figures: SettlementFigures,
  swap: SwapTerms | undefined,
): Rejection | undefined {
  const fault = figuresFault(figures)
  if (fault !== undefined) return reject(fault, FIGURES_TEXT[fault])
  const value: SettlementNote = { sourceId: ctx.transaction.id, figures, swap, timestampMs: ctx.env.timeMs }
  ctx.emit(settlementEvents.settlementRecorded, value)
  return undefined
}

const FIGURES_TEXT = {
  bad_amount: 'amounts of a receipt must be greater than zero',
  bad_variance: 'the variance must be the amount due minus the amount after the haircut, and not negative',
  overflow: 'an amount of a receipt must have at most 256 bits',
} as const
