/**
 * A payment splitter of one asset: a payment is shared among the members by their weights, at once. Each part is cut to the digits
 * that the contract names, and the last member gets what the cuts leave.
 */
import {
  Account, Asset, attachedAlone, Cell, digitsOf, emit, Numeric, pay, require, StorageList, StorageMap, Writer,
} from './sdk/index'

/** @event split(asset: Asset, amount: Numeric) */

const BAD_MEMBER: u32 = 1
const NO_MEMBERS: u32 = 2
const WRONG_PAYMENT: u32 = 3
const BAD_TERMS: u32 = 4

/** Members at most: a payment is shared in one call. */
const MEMBERS_MAX: u32 = 16
/** Largest weight: weights may be hundredths of a percent, and their sum cannot overflow. */
const WEIGHT_MAX: u32 = 10_000

const paidIn = new Cell('asset')
/** Digits behind the point that each part has at most. */
const scale = new Cell('digits')
const accounts = new StorageList('account')
const weights = new StorageMap('weight')
const total = new Cell('total')

/** @init */
export function init(asset: Asset, digits: u32): void {
  const most = digitsOf(asset)
  require(most >= 0 && digits <= <u32>most, BAD_TERMS, 'there is no such asset, or it has fewer digits')
  paidIn.setAsset(asset)
  scale.setU64(digits)
}
/** @entrypoint owner */
export function add(account: Account, weight: u32): void {
  require(weight > 0 && weight <= WEIGHT_MAX, BAD_MEMBER, 'the weight is not between 1 and 10000')
  require(!weights.has(account.id), BAD_MEMBER, 'the account is a member already')
  require(accounts.length < MEMBERS_MAX, BAD_MEMBER, 'there are sixteen members already')
  accounts.push(account.id)
  weights.setU64(account.id, weight)
  total.setU64(total.u64() + weight)
}
/** @entrypoint payable */
export function split(): void {
  const count = accounts.length
  require(count > 0, NO_MEMBERS, 'there are no members')
  const payment = attachedAlone()
  require(payment !== null && payment.asset == paidIn.asset(), WRONG_PAYMENT, 'the payment is not in the asset that the splitter names')
  const asset = payment!.asset
  const amount = payment!.amount
  const digits = <i32>scale.u64()
  require(amount.digits <= digits, WRONG_PAYMENT, 'the payment has more digits than the splitter')
  const all = Numeric.of(total.u64().toString())
  let left = amount
  for (let index: u32 = 0; index < count; index += 1) {
    const to = new Account(accounts.get(index))
    const weight = Numeric.of(weights.u64(to.id).toString())
    const part = index + 1 === count ? left : ((amount * weight) / all).rounded(digits)
    if (part.sign > 0) pay(asset, to, part)
    left = left - part
  }
  emit('split', new Writer().asset(asset).numeric(amount).finish())
}
/** @view */
export function members(): u32 {
  return accounts.length
}
