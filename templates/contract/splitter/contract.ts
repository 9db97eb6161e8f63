/** A payment splitter: what comes in is shared among accounts by their weights, at once. */
import { Account, Asset, attached, caller, Cell, emit, Numeric, pay, require, StorageList, Writer } from './sdk/index'

const NOT_ALLOWED: u32 = 1
const NO_SHARES: u32 = 2

const owner = new Cell('owner')
const accounts = new StorageList('account')
const weights = new StorageList('weight')
const total = new Cell('total')

/** @init */
export function init(): void {
  owner.set(caller().id)
}
/** @entrypoint owner */
export function add(account: Account, weight: u32): void {
  require(owner.account() == caller(), NOT_ALLOWED, 'only the owner adds')
  require(weight > 0 && accounts.length < 16, NO_SHARES, 'a weight from 1 on, at most 16 accounts')
  accounts.push(account.id)
  weights.push(new Writer().u32(weight).finish())
  total.setU64(total.u64() + weight)
}
/** @entrypoint payable */
export function split(): void {
  const count = accounts.length
  require(count > 0, NO_SHARES, 'there are no accounts')
  const all = Numeric.of(total.u64().toString())
  for (let index: u32 = 0; ; index += 1) {
    const one = attached(index)
    if (one === null) break
    share(one.asset, one.amount, all, count)
  }
}
/** The last one has what rounding leaves. */
function share(asset: Asset, amount: Numeric, all: Numeric, count: u32): void {
  let left = amount
  for (let index: u32 = 0; index < count; index += 1) {
    const to = new Account(accounts.get(index))
    const weight = load<u32>(changetype<usize>(weights.get(index)))
    const exact = (amount * Numeric.of(weight.toString())) / all
    const part = index + 1 === count ? left : exact.rounded(2)
    if (part.sign > 0) pay(asset, to, part)
    left = left - part
  }
  emit('split', new Writer().asset(asset).numeric(amount).finish())
}
/** @view */
export function members(): u32 {
  return accounts.length
}
