/** Owns the escrows of governance: locks of accounts, and deposits of proposals with their payout. */
import type { Numeric } from '../../../codec/index.js'
import { hash } from '../../../crypto/index.js'
import { countUse } from '../../../executor/accounts.js'
import type { ExecContext, Rejection } from '../../../executor/contract.js'
import { addToEscrow, takeFromEscrow } from '../../../ledger/escrows.js'
import { hold, release } from '../../../ledger/moves.js'
import { definitions } from '../../../ledger/tables.js'
import { type AccountId, add, exceeds, keyBytes } from '../../../model/index.js'
import { events } from '../schema/events.js'
import { DEPOSIT_DIVISOR, GOV_FEATURE, type Track } from '../schema/records.js'
import { GOV_ACCOUNT } from './account.js'
import { partOfUnits, timesOf, unitsOf } from './amounts.js'
import { ownUnits } from './electorates.js'
import { type Lock, locks, type Referendum } from './tables.js'

type Deposit = NonNullable<Referendum['deposit']>

/** Number of open proposals of a track above which the deposit doubles. */
const FREE_PLACES = 3
const FINEST_DIGITS = 28

/** Escrow of the locks of an account. */
export const lockEscrow = (account: AccountId) => ({ feature: GOV_FEATURE, key: hash('gov-lock', keyBytes(account)) })

/** Escrow of the deposit of a proposal. */
export function depositEscrow(proposal: number) {
  const number = Buffer.alloc(4)
  number.writeUInt32BE(proposal)
  return { feature: GOV_FEATURE, key: hash('gov-deposit', number) }
}

/** Deposit of a proposal, given the number of open proposals of its track; undefined: no deposit. */
export function depositFor(ctx: ExecContext, { deposit }: Track, open: number): Deposit | undefined {
  // A deposit that its issuer could make unpayable is bounded by the current supply, and ends with its definition. What
  // the governance account holds pays no deposit.
  const row = deposit && ctx.get(definitions, deposit.definition)
  if (deposit === undefined || row === undefined) return undefined
  const supply = unitsOf(row.total) - ownUnits(ctx, deposit.definition)
  const most = partOfUnits(supply, DEPOSIT_DIVISOR, row.scale ?? FINEST_DIGITS)
  const base = exceeds(deposit.amount, most) ? most : deposit.amount
  const amount = timesOf(base, 2 ** Math.max(0, open - FREE_PLACES))
  return amount === undefined || amount.mantissa === 0n ? undefined : { definition: deposit.definition, amount }
}

export const takeDeposit = (ctx: ExecContext, proposal: number, { definition, amount }: Deposit) =>
  hold(ctx, depositEscrow(proposal), { definition, account: ctx.authority }, amount)

const NO_LOCK: Lock = { amount: { mantissa: 0n, scale: 0 }, held: [] }

/** Add to the lock of an account; the value is already in its escrow. */
export function addToLock(ctx: ExecContext, definition: string, account: AccountId, amount: Numeric): Lock {
  const key = { definition, account }
  const found = ctx.get(locks, key)
  const sum = add((found ?? NO_LOCK).amount, amount)
  if (sum === undefined) throw new Error('a lock is larger than the supply of its definition')
  const lock = { ...(found ?? NO_LOCK), amount: sum }
  if (found === undefined) countUse(ctx, account, 'objects', 1)
  ctx.set(locks, key, lock)
  return lock
}

/** Move a deposit into the lock of its receiver, who can withdraw it later. */
export function keepDeposit(ctx: ExecContext, proposal: number, { definition, amount }: Deposit, to: AccountId): void {
  const short = takeFromEscrow(ctx, { ...depositEscrow(proposal), definition }, amount)
  if (short !== undefined) throw new Error('the escrow of a deposit is too small')
  addToEscrow(ctx, { ...lockEscrow(to), definition }, amount)
  const { amount: locked } = addToLock(ctx, definition, to, amount)
  ctx.emit(events.govDepositKept, { definition, account: to, amount, locked })
}

/**
 * Pay a deposit back, or to the governance account; if the receiver cannot be paid, it can withdraw the deposit later.
 */
export function payDeposit(
  ctx: ExecContext,
  proposal: number,
  { deposit, proposer }: Pick<Referendum, 'deposit' | 'proposer'>,
  isForfeit: boolean,
): void {
  if (deposit === undefined) return
  const to = isForfeit ? GOV_ACCOUNT : proposer
  const { definition, amount } = deposit
  const refused: Rejection | undefined = ctx.fork((part) =>
    release(part, { ...depositEscrow(proposal), definition }, { payer: proposer, to, amount }),
  )
  if (refused !== undefined) keepDeposit(ctx, proposal, deposit, to)
}
