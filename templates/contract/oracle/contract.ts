/** An oracle: reporters report values within bounds, and readers get the median of the fresh reports, if there are enough of them. */
import { Account, caller, Cell, emit, now, Numeric, QUOTIENT_DIGITS, require, StorageList, StorageMap, Writer } from './sdk/index'

/** @event reported(reporter: Account, value: Numeric) */

const NOT_ALLOWED: u32 = 1
const TOO_MANY: u32 = 2
const TOO_FEW: u32 = 3
const BAD_VALUE: u32 = 4
const BAD_TERMS: u32 = 5

/** Reporters at most: a view sorts their values. */
const REPORTERS_MAX: u32 = 15
/** Greatest age of a report: a year. */
const AGE_MAX_MS: u64 = 31_536_000_000

const quorum = new Cell('quorum')
const maxAge = new Cell('max-age')
/** Digits behind the point that values may have, and the median has at most. */
const scale = new Cell('digits')
const lower = new Cell('lower')
const upper = new Cell('upper')
const reporters = new StorageList('reporters')
/** By reporter: whether it may report, its value and the time of that. */
const allowed = new StorageMap('allowed')
const values = new StorageMap('value')
const times = new StorageMap('time')

/** @init */
export function init(least: u32, maxAgeMs: u64, digits: u32, lowest: Numeric, highest: Numeric): void {
  require(least > 0 && least <= REPORTERS_MAX, BAD_TERMS, 'the quorum is not between 1 and 15')
  require(maxAgeMs > 0 && maxAgeMs <= AGE_MAX_MS, BAD_TERMS, 'the age is not between 1 ms and a year')
  require(digits <= <u32>QUOTIENT_DIGITS, BAD_TERMS, 'values may have more digits than a median can have')
  require(<u32>max(lowest.digits, highest.digits) <= digits, BAD_TERMS, 'a bound has more digits than values may have')
  require(lowest < highest, BAD_TERMS, 'the lowest value is not below the highest')
  quorum.setU64(least)
  maxAge.setU64(maxAgeMs)
  scale.setU64(digits)
  lower.set(lowest.bytes)
  upper.set(highest.bytes)
}
/** @entrypoint owner */
export function allow(reporter: Account): void {
  require(!allowed.has(reporter.id), NOT_ALLOWED, 'the account is a reporter already')
  allowed.set(reporter.id, new StaticArray<u8>(1))
  // A reporter that was removed has its place in the list still.
  for (let index: u32 = 0; index < reporters.length; index += 1) {
    if (new Account(reporters.get(index)) == reporter) return
  }
  require(reporters.length < REPORTERS_MAX, TOO_MANY, 'there are fifteen reporters already')
  reporters.push(reporter.id)
}
/** @entrypoint owner */
export function remove(reporter: Account): void {
  require(allowed.has(reporter.id), NOT_ALLOWED, 'the account is no reporter')
  allowed.delete(reporter.id)
  values.delete(reporter.id)
  times.delete(reporter.id)
}
/** @entrypoint */
export function report(value: Numeric): void {
  const id = caller().id
  require(allowed.has(id), NOT_ALLOWED, 'the caller is no reporter')
  require(value >= lower.numeric() && value <= upper.numeric(), BAD_VALUE, 'the value is out of bounds')
  require(<u64>value.digits <= scale.u64(), BAD_VALUE, 'the value has more digits than values may have')
  values.set(id, value.bytes)
  times.setU64(id, now())
  emit('reported', new Writer().account(caller()).numeric(value).finish())
}

/** Fresh values, smallest first. */
function fresh(): Array<Numeric> {
  const sorted = new Array<Numeric>()
  for (let index: u32 = 0; index < reporters.length; index += 1) {
    const id = reporters.get(index)
    if (values.has(id) && now() - times.u64(id) <= maxAge.u64()) {
      const value = values.numeric(id)
      sorted.push(value)
      for (let place = sorted.length - 1; place > 0 && sorted[place - 1] > value; place -= 1) {
        sorted[place] = sorted[place - 1]
        sorted[place - 1] = value
      }
    }
  }
  return sorted
}
/** @view */
export function median(): Numeric {
  const sorted = fresh()
  require(<u64>sorted.length >= quorum.u64(), TOO_FEW, 'too few reports are fresh')
  const middle = sorted.length >> 1
  if ((sorted.length & 1) === 1) return sorted[middle]
  return ((sorted[middle - 1] + sorted[middle]) / Numeric.of('2')).rounded(<i32>scale.u64())
}
/** @view */
export function reports(): u32 {
  return fresh().length
}
