/**
 * An auction that delivers against payment: the seller brings a lot, bidders pay their bids in, and after the deadline the lot goes to
 * the highest bidder in the call that pays the seller. A bidder who was outbid takes the bid back with `withdraw`, so that an account
 * that cannot be paid does not stop the auction.
 */
import {
  Account, Asset, Attached, attachedAlone, caller, Cell, digitsOf, emit, now, Numeric, pay, require, StorageMap, toUtf8, Writer,
} from './sdk/index'

/** @event offered(asset: Asset, amount: Numeric) */
/** @event bid(bidder: Account, amount: Numeric) */
/** @event settled(to: Account, amount: Numeric) */
/** @event cancelled() */

const NOT_ALLOWED: u32 = 1
const WRONG_STATE: u32 = 2
const TOO_EARLY: u32 = 3
const TOO_LATE: u32 = 4
const TOO_LITTLE: u32 = 5
const WRONG_ASSET: u32 = 6
const BAD_TERMS: u32 = 7

/** Longest duration and grace: ten years each, so that no deadline can overflow. */
const PERIOD_MAX_MS: u64 = 315_360_000_000

const seller = new Cell('seller')
const payment = new Cell('payment')
/** Digits behind the point that bids may have. */
const scale = new Cell('digits')
const minimum = new Cell('minimum')
const deadline = new Cell('deadline')
const grace = new Cell('grace')
const lotAsset = new Cell('lot-asset')
const lotAmount = new Cell('lot-amount')
const bidder = new Cell('bidder')
const highest = new Cell('highest')
const closed = new Cell('closed')
const owed = new StorageMap('owed')

/** The one asset that came with the call. */
function only(): Attached {
  const one = attachedAlone()
  require(one !== null, WRONG_ASSET, 'the call does not bring one asset')
  return one!
}
function owe(to: Account, amount: Numeric): void {
  owed.set(to.id, (owed.numeric(to.id) + amount).bytes)
}
function requireOpen(): void {
  require(lotAsset.get() !== null && closed.get() === null, WRONG_STATE, 'there is no open auction')
}
function end(outcome: string): void {
  requireOpen()
  closed.set(toUtf8(outcome))
}

/** @init */
export function init(paidIn: Asset, digits: u32, least: Numeric, durationMs: u64, graceMs: u64): void {
  const most = digitsOf(paidIn)
  require(most >= 0 && digits <= <u32>most, BAD_TERMS, 'there is no such asset, or it has fewer digits')
  require(least.sign > 0 && <u32>least.digits <= digits, BAD_TERMS, 'the minimum is not positive, or has more digits than bids')
  require(durationMs > 0 && durationMs <= PERIOD_MAX_MS, BAD_TERMS, 'the duration is not between 1 ms and ten years')
  require(graceMs <= PERIOD_MAX_MS, BAD_TERMS, 'the grace is longer than ten years')
  payment.setAsset(paidIn)
  scale.setU64(digits)
  minimum.set(least.bytes)
  deadline.setU64(now() + durationMs)
  grace.setU64(graceMs)
}
/** @entrypoint payable owner */
export function offer(): void {
  require(lotAsset.get() === null, WRONG_STATE, 'the auction has a lot already')
  require(now() < deadline.u64(), TOO_LATE, 'the deadline is over')
  const lot = only()
  require(lot.asset != payment.asset(), WRONG_ASSET, 'the lot is of the asset that bids are paid in')
  seller.set(caller().id)
  lotAsset.setAsset(lot.asset)
  lotAmount.set(lot.amount.bytes)
  emit('offered', new Writer().asset(lot.asset).numeric(lot.amount).finish())
}
/** @entrypoint payable */
export function bid(): void {
  requireOpen()
  require(now() < deadline.u64(), TOO_LATE, 'the deadline is over')
  require(seller.account() != caller(), NOT_ALLOWED, 'the seller may not bid')
  const money = only()
  require(money.asset == payment.asset(), WRONG_ASSET, 'bids are in another asset')
  require(<u64>money.amount.digits <= scale.u64(), TOO_LITTLE, 'the bid has more digits than bids may have')
  require(money.amount >= minimum.numeric() && money.amount > highest.numeric(), TOO_LITTLE, 'the bid is too low')
  if (bidder.get() !== null) owe(bidder.account(), highest.numeric())
  bidder.set(caller().id)
  highest.set(money.amount.bytes)
  emit('bid', new Writer().account(caller()).numeric(money.amount).finish())
}
/** @entrypoint */
export function settle(): void {
  require(now() >= deadline.u64(), TOO_EARLY, 'the deadline is not over')
  end('settled')
  const isSold = bidder.get() !== null
  const to = isSold ? bidder.account() : seller.account()
  pay(lotAsset.asset(), to, lotAmount.numeric())
  if (isSold) pay(payment.asset(), seller.account(), highest.numeric())
  emit('settled', new Writer().account(to).numeric(highest.numeric()).finish())
}
/** @entrypoint owner */
export function cancel(): void {
  require(now() >= deadline.u64() + grace.u64(), TOO_EARLY, 'the time to settle is not over')
  end('cancelled')
  if (bidder.get() !== null) owe(bidder.account(), highest.numeric())
  pay(lotAsset.asset(), seller.account(), lotAmount.numeric())
  emit('cancelled', new Writer().finish())
}
/** @entrypoint */
export function withdraw(): void {
  const amount = owed.numeric(caller().id)
  require(amount.sign > 0, NOT_ALLOWED, 'the caller is owed nothing')
  owed.delete(caller().id)
  pay(payment.asset(), caller(), amount)
}
/** @view */
export function highestBid(): Numeric {
  return highest.numeric()
}
/** @view */
export function owedTo(account: Account): Numeric {
  return owed.numeric(account.id)
}
