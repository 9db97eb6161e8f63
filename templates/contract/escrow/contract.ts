/** An escrow with a timeout: a buyer pays in, releases to the seller, or has it back when the time is over. */
import { Account, Asset, attached, caller, Cell, emit, now, Numeric, pay, require, toUtf8, ofUtf8, Writer } from './sdk/index'

const NOT_ALLOWED: u32 = 1
const WRONG_STATE: u32 = 2
const TOO_EARLY: u32 = 3

const seller = new Cell('seller')
const buyer = new Cell('buyer')
const asset = new Cell('asset')
const amount = new Cell('amount')
const deadline = new Cell('deadline')
const closed = new Cell('closed')

function close(to: Account, word: string): void {
  require(buyer.get() !== null && closed.get() === null, WRONG_STATE, 'nothing is held')
  closed.set(toUtf8(word))
  const name = asset.get()
  pay(new Asset(name === null ? '' : ofUtf8(name)), to, amount.numeric())
  emit(word, new Writer().account(to).numeric(amount.numeric()).finish())
}

/** @init */
export function init(to: Account, timeoutMs: u64): void {
  seller.set(to.id)
  deadline.setU64(now() + timeoutMs)
}
/** @entrypoint payable */
export function fund(): void {
  require(buyer.get() === null, WRONG_STATE, 'somebody has paid in')
  const first = attached(0)
  require(first !== null && attached(1) === null, WRONG_STATE, 'pay in one asset')
  if (first === null) return
  buyer.set(caller().id)
  asset.set(toUtf8(first.asset.id))
  amount.set(first.amount.bytes)
  emit('funded', new Writer().account(caller()).asset(first.asset).numeric(first.amount).finish())
}
/** @entrypoint */
export function release(): void {
  require(buyer.account() == caller(), NOT_ALLOWED, 'only the buyer releases')
  close(seller.account(), 'released')
}
/** @entrypoint */
export function refund(): void {
  require(now() >= deadline.u64() || seller.account() == caller(), TOO_EARLY, 'the time is not over')
  close(buyer.account(), 'refunded')
}
/** @view */
export function held(): Numeric {
  return closed.get() === null ? amount.numeric() : Numeric.zero()
}
