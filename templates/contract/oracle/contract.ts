/** An oracle: reporters say a value, everybody reads the median of what was said lately, and nothing where too few said anything. */
import { Account, Bytes, caller, Cell, emit, now, Numeric, require, StorageList, StorageMap, Writer } from './sdk/index'

const NOT_ALLOWED: u32 = 1
const TOO_MANY: u32 = 2
const TOO_FEW: u32 = 3

/** Reporters at most: a view sorts what they said. */
const REPORTERS_MAX: u32 = 15

const quorum = new Cell('quorum')
const maxAge = new Cell('max-age')
const reporters = new StorageList('reporters')
/** By reporter: whether it may report, what it said and when. */
const allowed = new StorageMap('allowed')
const values = new StorageMap('value')
const times = new StorageMap('time')

function timeOf(id: Bytes): u64 {
  const time = times.get(id)
  return time === null ? 0 : load<u64>(changetype<usize>(time))
}

/** @init */
export function init(least: u32, maxAgeMs: u64): void {
  require(least > 0 && least <= REPORTERS_MAX, TOO_FEW, 'one reporter at least, fifteen at most')
  quorum.setU64(least)
  maxAge.setU64(maxAgeMs)
}
/** @entrypoint owner */
export function allow(reporter: Account): void {
  require(!allowed.has(reporter.id), NOT_ALLOWED, 'it reports already')
  allowed.set(reporter.id, new StaticArray<u8>(1))
  // Its place in the list stays when it is removed, and is taken again.
  for (let index: u32 = 0; index < reporters.length; index += 1) {
    if (new Account(reporters.get(index)) == reporter) return
  }
  require(reporters.length < REPORTERS_MAX, TOO_MANY, 'there are fifteen reporters')
  reporters.push(reporter.id)
}
/** @entrypoint owner */
export function remove(reporter: Account): void {
  require(allowed.has(reporter.id), NOT_ALLOWED, 'it does not report')
  allowed.delete(reporter.id)
  values.delete(reporter.id)
  times.delete(reporter.id)
}
/** @entrypoint */
export function report(value: Numeric): void {
  const id = caller().id
  require(allowed.has(id), NOT_ALLOWED, 'only reporters report')
  values.set(id, value.bytes)
  times.set(id, new Writer().u64(now()).finish())
  emit('reported', new Writer().account(caller()).numeric(value).finish())
}

/** What was said lately, smallest first. */
function fresh(): Array<Numeric> {
  const sorted = new Array<Numeric>()
  for (let index: u32 = 0; index < reporters.length; index += 1) {
    const id = reporters.get(index)
    if (values.has(id) && now() - timeOf(id) <= maxAge.u64()) {
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
  return (sorted[middle - 1] + sorted[middle]) / Numeric.of('2')
}
/** @view */
export function reports(): u32 {
  return fresh().length
}
