/**
 * An auction whose delivery and payment are one: the seller brings a lot, bidders bring their bids, and when the time is over the lot
 * goes to the highest bidder in the call that pays the seller. Who was outbid takes the bid back with `withdraw`: nobody's account
 * that cannot be paid stops the auction.
 */
import {
  Account, Asset, Attached, attached, Bytes, caller, Cell, emit, now, Numeric, ofUtf8, pay, require, StorageMap, toUtf8, Writer,
} from './sdk/index'

const NOT_ALLOWED: u32 = 1
const WRONG_STATE: u32 = 2
const TOO_EARLY: u32 = 3
const TOO_LATE: u32 = 4
const TOO_LITTLE: u32 = 5

const seller = new Cell('seller')
const payment = new Cell('payment')
const minimum = new Cell('minimum')
const deadline = new Cell('deadline')
const grace = new Cell('grace')
const lotAsset = new Cell('lot-asset')
const lotAmount = new Cell('lot-amount')
const bidder = new Cell('bidder')
const highest = new Cell('highest')
const closed = new Cell('closed')
const owed = new StorageMap('owed')

function textOf(cell: Cell): string {
  const value = cell.get()
  return value === null ? '' : ofUtf8(value)
}
/** The one asset that came with the call. */
function only(): Attached {
  const first = attached(0)
  require(first !== null && attached(1) === null, WRONG_STATE, 'bring one asset')
  return first!
}
function owe(to: Account, amount: Numeric): void {
  owed.set(to.id, (owed.numeric(to.id) + amount).bytes)
}
function end(word: string): void {
  require(lotAsset.get() !== null && closed.get() === null, WRONG_STATE, 'there is no open auction')
  closed.set(toUtf8(word))
}

/** @init */
export function init(paidIn: Asset, least: Numeric, durationMs: u64, graceMs: u64): void {
  seller.set(caller().id)
  payment.set(toUtf8(paidIn.id))
  minimum.set(least.bytes)
  deadline.setU64(now() + durationMs)
  grace.setU64(graceMs)
}
/** @entrypoint payable owner */
export function offer(): void {
  require(lotAsset.get() === null, WRONG_STATE, 'the lot is here already')
  const lot = only()
  lotAsset.set(toUtf8(lot.asset.id))
  lotAmount.set(lot.amount.bytes)
  emit('offered', new Writer().asset(lot.asset).numeric(lot.amount).finish())
}
/** @entrypoint payable */
export function bid(): void {
  require(lotAsset.get() !== null && closed.get() === null, WRONG_STATE, 'there is no open auction')
  require(now() < deadline.u64(), TOO_LATE, 'the time is over')
  const money = only()
  require(money.asset.id == textOf(payment), WRONG_STATE, 'bids are in another asset')
  require(money.amount >= minimum.numeric() && money.amount > highest.numeric(), TOO_LITTLE, 'bid more')
  if (bidder.get() !== null) owe(bidder.account(), highest.numeric())
  bidder.set(caller().id)
  highest.set(money.amount.bytes)
  emit('bid', new Writer().account(caller()).numeric(money.amount).finish())
}
/** @entrypoint */
export function settle(): void {
  require(now() >= deadline.u64(), TOO_EARLY, 'the time is not over')
  end('settled')
  const sold = bidder.get() !== null
  const to = sold ? bidder.account() : seller.account()
  pay(new Asset(textOf(lotAsset)), to, lotAmount.numeric())
  if (sold) pay(new Asset(textOf(payment)), seller.account(), highest.numeric())
  emit('settled', new Writer().account(to).numeric(highest.numeric()).finish())
}
/** @entrypoint owner */
export function cancel(): void {
  require(now() >= deadline.u64() + grace.u64(), TOO_EARLY, 'the winner still has time')
  end('cancelled')
  if (bidder.get() !== null) owe(bidder.account(), highest.numeric())
  pay(new Asset(textOf(lotAsset)), seller.account(), lotAmount.numeric())
  emit('cancelled', new Writer().finish())
}
/** @entrypoint */
export function withdraw(): void {
  const amount = owed.numeric(caller().id)
  require(amount.sign > 0, NOT_ALLOWED, 'nothing is owed to you')
  owed.delete(caller().id)
  pay(new Asset(textOf(payment)), caller(), amount)
}
/** @view */
export function highestBid(): Numeric {
  return highest.numeric()
}
/** @view */
export function owedTo(account: Account): Numeric {
  return owed.numeric(account.id)
}
