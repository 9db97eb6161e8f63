/**
 * An escrow with a deadline: the buyer pays the named amount of the named asset in and releases it to the seller. The seller may
 * give it back at any time; after the deadline any account may have it given back to the buyer.
 */
import {
  Account, Asset, attachedAlone, caller, Cell, digitsOf, emit, now, Numeric, pay, require, toUtf8, Writer,
} from './sdk/index'

/** @event funded(buyer: Account, asset: Asset, amount: Numeric) */
/** @event released(to: Account, amount: Numeric) */
/** @event refunded(to: Account, amount: Numeric) */

const NOT_ALLOWED: u32 = 1
const WRONG_STATE: u32 = 2
const TOO_EARLY: u32 = 3
const TOO_LATE: u32 = 4
const WRONG_PAYMENT: u32 = 5
const BAD_TERMS: u32 = 6

/** Longest time-out: ten years, so that a deadline cannot overflow. */
const TIMEOUT_MAX_MS: u64 = 315_360_000_000

const from = new Cell('buyer')
const to = new Cell('seller')
const paidIn = new Cell('asset')
const price = new Cell('amount')
const deadline = new Cell('deadline')
/** Empty before the buyer has paid; then `funded`, `released` or `refunded`. */
const state = new Cell('state')

function setState(name: string): void {
  state.set(toUtf8(name))
}
function isFunded(): bool {
  return state.text() == 'funded'
}
function close(account: Account, outcome: string): void {
  require(isFunded(), WRONG_STATE, 'the escrow holds nothing')
  setState(outcome)
  const amount = price.numeric()
  pay(paidIn.asset(), account, amount)
  emit(outcome, new Writer().account(account).numeric(amount).finish())
}

/** @init */
export function init(buyer: Account, seller: Account, asset: Asset, amount: Numeric, timeoutMs: u64): void {
  require(buyer != seller, BAD_TERMS, 'the buyer is the seller')
  require(amount.sign > 0, BAD_TERMS, 'the amount is not positive')
  require(amount.digits <= digitsOf(asset), BAD_TERMS, 'there is no such asset, or the amount has more digits than it')
  require(timeoutMs > 0 && timeoutMs <= TIMEOUT_MAX_MS, BAD_TERMS, 'the time-out is not between 1 ms and ten years')
  from.set(buyer.id)
  to.set(seller.id)
  paidIn.setAsset(asset)
  price.set(amount.bytes)
  deadline.setU64(now() + timeoutMs)
}
/** @entrypoint payable */
export function fund(): void {
  require(from.account() == caller(), NOT_ALLOWED, 'the caller is not the buyer')
  require(state.get() === null, WRONG_STATE, 'the buyer has paid already')
  require(now() < deadline.u64(), TOO_LATE, 'the deadline is over')
  const payment = attachedAlone()
  require(
    payment !== null && payment.asset == paidIn.asset() && payment.amount == price.numeric(),
    WRONG_PAYMENT, 'the payment is not the amount of the asset that the escrow names',
  )
  setState('funded')
  emit('funded', new Writer().account(caller()).asset(paidIn.asset()).numeric(price.numeric()).finish())
}
/** @entrypoint */
export function release(): void {
  require(from.account() == caller(), NOT_ALLOWED, 'the caller is not the buyer')
  close(to.account(), 'released')
}
/** @entrypoint */
export function refund(): void {
  require(now() >= deadline.u64() || to.account() == caller(), TOO_EARLY, 'the deadline is not over')
  close(from.account(), 'refunded')
}
/** @view */
export function held(): Numeric {
  return isFunded() ? price.numeric() : Numeric.zero()
}
