/** The contract SDK: values, state, events, the caller, assets. A contract imports from here alone. */
import { at, Bytes, copied, encoded, joined, ofUtf8, room, sameBytes, SCRATCH, SCRATCH_BYTES, toUtf8 } from './bytes'
import * as host from './host'

export { Bytes, joined, ofUtf8, sameBytes, toUtf8 }

/** Codes of the SDK: those of a contract are smaller. */
const BAD_DECIMAL: u32 = 1_001
const BAD_INPUT: u32 = 1_002
const NO_PLACE: u32 = 1_003
const NOT_PAID: u32 = 1_004

/** Ends the call with a code and a text; nothing of it stays. */
export function fail(code: u32, text: string): void {
  const bytes = encoded(text)
  host.hostAbort(code, at(bytes), bytes.length)
}
/** Ends the call unless the condition holds. */
export function require(condition: bool, code: u32, text: string): void {
  if (!condition) fail(code, text)
}

/** What the compiler calls where its own checks fail. */
export function stopped(_message: string | null, _file: string | null, _line: u32, _column: u32): void {
  fail(u32.MAX_VALUE, 'a check of the language failed')
}

const NOTHING: Bytes = []

/** What the last host function gave: it stands in the scratch as far as that reaches. */
function given(length: i32): Bytes {
  if (length <= SCRATCH_BYTES) return copied(SCRATCH, length)
  const bytes = room(length)
  host.hostReturned(at(bytes), 0, length)
  return bytes
}
function context(kind: u32): Bytes {
  return copied(SCRATCH, host.hostContext(kind, SCRATCH))
}
function contextNumber(kind: u32): u64 {
  host.hostContext(kind, SCRATCH)
  return load<u64>(SCRATCH)
}

/** An account, by the bytes of its id. */
export class Account {
  constructor(readonly id: Bytes) {}
  @operator('==') equals(other: Account): bool { return sameBytes(this.id, other.id) }
  @operator('!=') differs(other: Account): bool { return !sameBytes(this.id, other.id) }
}
/** An asset definition: `name#domain`. */
export class Asset {
  constructor(readonly id: string) {}
  @operator('==') equals(other: Asset): bool { return this.id == other.id }
  @operator('!=') differs(other: Asset): bool { return this.id != other.id }
}

/** Zero in its canonical bytes: its digits behind the point, the length of its whole number, that number. */
const ZERO: Bytes = [0, 1, 0]

/** An exact decimal, in its canonical bytes. */
export class Numeric {
  constructor(readonly bytes: Bytes) {}
  static zero(): Numeric { return new Numeric(ZERO) }
  static of(text: string): Numeric {
    const bytes = toUtf8(text)
    return Numeric.result(host.hostNum(5, at(bytes), bytes.length, 0, 0, SCRATCH, SCRATCH_BYTES))
  }
  private static result(length: i32): Numeric {
    require(length >= 0, BAD_DECIMAL, 'the result is no decimal')
    return new Numeric(given(length))
  }
  private with(op: u32, other: Numeric): Numeric {
    const length = host.hostNum(
      op, at(this.bytes), this.bytes.length, at(other.bytes), other.bytes.length, SCRATCH, SCRATCH_BYTES,
    )
    return Numeric.result(length)
  }
  /** -1, 0 or 1: known from the bytes, without the host. */
  get sign(): i32 {
    const first = <i32>load<i8>(at(this.bytes) + 2)
    if (first < 0) return -1
    return first === 0 && load<u8>(at(this.bytes) + 1) === 1 ? 0 : 1
  }
  /** Digits behind the point. */
  get digits(): i32 { return load<u8>(at(this.bytes)) }
  private compared(other: Numeric): i32 {
    return host.hostNum(4, at(this.bytes), this.bytes.length, at(other.bytes), other.bytes.length, 0, 0) - 1
  }
  @operator('+') add(other: Numeric): Numeric { return this.with(0, other) }
  @operator('-') subtract(other: Numeric): Numeric { return this.with(1, other) }
  @operator('*') multiply(other: Numeric): Numeric { return this.with(2, other) }
  @operator('/') divide(other: Numeric): Numeric { return this.with(3, other) }
  @operator('<') less(other: Numeric): bool { return this.compared(other) < 0 }
  @operator('>') greater(other: Numeric): bool { return this.compared(other) > 0 }
  @operator('<=') lessOrEqual(other: Numeric): bool { return this.compared(other) <= 0 }
  @operator('>=') greaterOrEqual(other: Numeric): bool { return this.compared(other) >= 0 }
  @operator('==') equals(other: Numeric): bool { return this.compared(other) === 0 }
  /** The decimal with at most so many digits behind the point, cut off towards zero. */
  rounded(digits: i32): Numeric {
    const text = this.toString()
    const point = text.indexOf('.')
    if (point < 0 || text.length - point - 1 <= digits) return this
    let end = digits === 0 ? point : point + 1 + digits
    // The one form of a decimal has no zero at its end, no point without digits, and no zero below zero.
    while (end > point && (text.charCodeAt(end - 1) === 0x30 || text.charCodeAt(end - 1) === 0x2e)) end -= 1
    const cut = text.substring(0, max(end, point))
    return cut == '-0' ? Numeric.zero() : Numeric.of(cut)
  }
  toString(): string {
    return ofUtf8(given(host.hostNum(6, at(this.bytes), this.bytes.length, 0, 0, SCRATCH, SCRATCH_BYTES)))
  }
}

/** Writes values one after the other. */
export class Writer {
  private buffer: Bytes = room(256)
  private length: i32 = 0

  private room(more: i32): usize {
    const needed = this.length + more
    if (needed > this.buffer.length) {
      const larger = room(max(needed, 2 * this.buffer.length))
      memory.copy(at(larger), at(this.buffer), this.length)
      this.buffer = larger
    }
    const place = at(this.buffer) + this.length
    this.length = needed
    return place
  }
  bool(value: bool): Writer { store<u8>(this.room(1), value ? 1 : 0); return this }
  u8(value: u8): Writer { store<u8>(this.room(1), value); return this }
  u16(value: u16): Writer { store<u16>(this.room(2), value); return this }
  u32(value: u32): Writer { store<u32>(this.room(4), value); return this }
  u64(value: u64): Writer { store<u64>(this.room(8), value); return this }
  i64(value: i64): Writer { store<i64>(this.room(8), value); return this }
  raw(value: Bytes): Writer { memory.copy(this.room(value.length), at(value), value.length); return this }
  bytes(value: Bytes): Writer { return this.u32(value.length).raw(value) }
  string(value: string): Writer { return this.bytes(toUtf8(value)) }
  account(value: Account): Writer { return this.bytes(value.id) }
  asset(value: Asset): Writer { return this.string(value.id) }
  numeric(value: Numeric): Writer { return this.bytes(value.bytes) }
  /** A count as the records of the ledger have it. */
  varint(value: u64): Writer {
    while (value >= 0x80) {
      this.u8(<u8>(value & 0x7f) | 0x80)
      value >>= 7
    }
    return this.u8(<u8>value)
  }
  /** Bytes as the records of the ledger have them. */
  record(value: Bytes): Writer { return this.varint(value.length).raw(value) }
  finish(): Bytes { return copied(at(this.buffer), this.length) }
}

/** Reads values one after the other; bytes that end early end the call. */
export class Reader {
  private place: usize
  private readonly end: usize
  /** Reads the first bytes of the source, all of them where no length is given. */
  constructor(source: Bytes, length: i32 = source.length) {
    this.place = at(source)
    this.end = at(source) + length
  }

  private take(length: i32): usize {
    const place = this.place
    require(<usize>length <= this.end - place, BAD_INPUT, 'the input ends early')
    this.place = place + length
    return place
  }
  bool(): bool { return load<u8>(this.take(1)) !== 0 }
  u8(): u8 { return load<u8>(this.take(1)) }
  u16(): u16 { return load<u16>(this.take(2)) }
  u32(): u32 { return load<u32>(this.take(4)) }
  u64(): u64 { return load<u64>(this.take(8)) }
  i64(): i64 { return load<i64>(this.take(8)) }
  bytes(): Bytes {
    const length = <i32>this.u32()
    return copied(this.take(length), length)
  }
  string(): string { return ofUtf8(this.bytes()) }
  account(): Account { return new Account(this.bytes()) }
  asset(): Asset { return new Asset(this.string()) }
  /** A decimal; bytes that are none trap, since the caller may send any. */
  numeric(): Numeric {
    const value = new Numeric(this.bytes())
    value.equals(value)
    return value
  }
  finish(): void { require(this.place === this.end, BAD_INPUT, 'the input is longer than its arguments') }
}

/** Bytes that most inputs fit into: one look at the input is enough then. */
const INPUT_ROOM: i32 = 512
/** The input of the call. */
export function input(): Reader {
  let bytes = room(INPUT_ROOM)
  const length = <i32>host.hostInput(at(bytes), 0, INPUT_ROOM)
  if (length > INPUT_ROOM) {
    bytes = room(length)
    host.hostInput(at(bytes), 0, length)
  }
  return new Reader(bytes, length)
}
export function output(value: Bytes): void { host.hostOutput(at(value), value.length) }

/** Account that this contract acts as. */
export function self(): Account { return new Account(context(1)) }
/** Who called: an account, or the account of another contract. */
export function caller(): Account { return new Account(context(2)) }
/** Header time of the block, in ms since the Unix epoch. */
export function now(): u64 { return contextNumber(7) }
export function height(): u64 { return contextNumber(6) }

/** State under an exact key. */
export function getState(key: Bytes): Bytes | null {
  const length = host.hostStateGet(at(key), key.length, SCRATCH, SCRATCH_BYTES)
  return length < 0 ? null : given(length)
}
export function setState(key: Bytes, value: Bytes): void { host.hostStateSet(at(key), key.length, at(value), value.length) }
export function deleteState(key: Bytes): void { host.hostStateDelete(at(key), key.length) }

/** One value of state. */
export class Cell {
  constructor(private readonly name: string) {}
  get(): Bytes | null { return getState(toUtf8(this.name)) }
  set(value: Bytes): void { setState(toUtf8(this.name), value) }
  clear(): void { deleteState(toUtf8(this.name)) }
  /** An account, of no bytes where there is none: nobody is that. */
  account(): Account {
    const value = this.get()
    return new Account(value === null ? NOTHING : value)
  }
  numeric(): Numeric {
    const value = this.get()
    return value === null ? Numeric.zero() : new Numeric(value)
  }
  u64(): u64 {
    const value = this.get()
    return value === null ? 0 : load<u64>(at(value))
  }
  setU64(value: u64): void { this.set(new Writer().u64(value).finish()) }
  text(): string {
    const value = this.get()
    return value === null ? '' : ofUtf8(value)
  }
  asset(): Asset { return new Asset(this.text()) }
  setAsset(value: Asset): void { this.set(toUtf8(value.id)) }
}
const COLON: Bytes = [0x3a]
/** Values of state by keys. */
export class StorageMap {
  /** Made when it is needed first: a call that does not touch the map does not pay for it. */
  private prefix: Bytes | null = null
  constructor(private readonly name: string) {}
  private row(key: Bytes): Bytes {
    let prefix = this.prefix
    if (prefix === null) {
      prefix = joined(toUtf8(this.name), COLON)
      this.prefix = prefix
    }
    return joined(prefix, key)
  }
  get(key: Bytes): Bytes | null { return getState(this.row(key)) }
  set(key: Bytes, value: Bytes): void { setState(this.row(key), value) }
  delete(key: Bytes): void { deleteState(this.row(key)) }
  has(key: Bytes): bool { return this.get(key) !== null }
  numeric(key: Bytes): Numeric {
    const value = this.get(key)
    return value === null ? Numeric.zero() : new Numeric(value)
  }
  u64(key: Bytes): u64 {
    const value = this.get(key)
    return value === null ? 0 : load<u64>(at(value))
  }
  setU64(key: Bytes, value: u64): void { this.set(key, new Writer().u64(value).finish()) }
}
/** A list in state: its length, and a value for each index. */
export class StorageList {
  private readonly size: Cell
  private readonly values: StorageMap
  constructor(name: string) {
    this.size = new Cell(name + '#')
    this.values = new StorageMap(name)
  }
  get length(): u32 { return <u32>this.size.u64() }
  private key(index: u32): Bytes { return new Writer().u32(index).finish() }
  get(index: u32): Bytes {
    const value = this.values.get(this.key(index))
    if (value === null) {
      fail(NO_PLACE, 'the list has no such place')
      return NOTHING
    }
    return value
  }
  set(index: u32, value: Bytes): void { this.values.set(this.key(index), value) }
  push(value: Bytes): void {
    const index = this.length
    this.set(index, value)
    this.size.setU64(index + 1)
  }
}

/** Tells something: the data is what a Writer made. */
export function emit(topic: string, data: Bytes): void {
  const name = toUtf8(topic)
  host.hostEvent(at(name), name.length, at(data), data.length)
}
/** Seen in simulations only. */
export function log(text: string): void {
  const bytes = toUtf8(text)
  host.hostLog(at(bytes), bytes.length)
}

/** An asset that came with the call. */
export class Attached {
  constructor(readonly asset: Asset, readonly amount: Numeric) {}
}
/** The assets that came with the call, in their order. */
export function attached(index: u32): Attached | null {
  const length = host.hostAttached(index, SCRATCH, SCRATCH_BYTES)
  if (length < 0) return null
  // A record of the ledger: a text, then the decimal.
  const bytes = given(length)
  const name = recordStart(bytes)
  const id = recordLength(bytes)
  const amount = name + id
  return new Attached(
    new Asset(ofUtf8(copied(at(bytes) + name, id))), new Numeric(copied(at(bytes) + amount, length - amount)),
  )
}
/** Attached assets where there is exactly one; null for none and for more. */
export function attachedAlone(): Attached | null {
  return attached(1) === null ? attached(0) : null
}

/** Length of the text or the bytes that a record of the ledger begins with: a count of one byte or two. */
function recordLength(bytes: Bytes): i32 {
  const low = <i32>unchecked(bytes[0])
  return low < 0x80 ? low : (low & 0x7f) | (<i32>unchecked(bytes[1]) << 7)
}
/** Where that text begins. */
function recordStart(bytes: Bytes): i32 { return unchecked(bytes[0]) < 0x80 ? 1 : 2 }

/** Number of the query for a definition in the registry of the host. */
const DEFINITION: u64 = 1
/** Most digits behind the point that a decimal has. */
export const DIGITS_MAX: i32 = 28
/** Most of a quotient: it is cut towards zero. */
export const QUOTIENT_DIGITS: i32 = 18
/** Digits behind the point that amounts of an asset may have; -1 if there is no such asset. */
export function digitsOf(asset: Asset): i32 {
  const query = new Writer().varint(DEFINITION).record(toUtf8(asset.id)).finish()
  const length = host.hostQuery(at(query), query.length)
  if (length < 0) return -1
  const found = room(length)
  host.hostReturned(at(found), 0, length)
  // A record of the ledger: its owner, a byte that says whether there is a scale, the scale.
  const owner = recordStart(found) + recordLength(found)
  return unchecked(found[owner]) === 0 ? DIGITS_MAX : <i32>unchecked(found[owner + 1])
}
/** Number of the instruction `transfer` in the registry of the ledger. */
const TRANSFER: u64 = 14
/** Pays from the account of this contract; the call ends where the ledger refuses. */
export function pay(asset: Asset, to: Account, amount: Numeric): void {
  const body = new Writer()
    .record(toUtf8(asset.id)).record(self().id)
    .record(to.id)
    .raw(amount.bytes)
    .finish()
  const bytes = new Writer().varint(TRANSFER).record(body).finish()
  const error = host.hostExecute(at(bytes), bytes.length)
  require(error === 0, NOT_PAID, 'the ledger refused a transfer')
}
export enum Hash { Blake3 = 0, Sha256 = 1, Keccak256 = 2 }
export function hash(kind: Hash, bytes: Bytes): Bytes {
  const digest = room(32)
  host.hostHash(kind, at(bytes), bytes.length, at(digest))
  return digest
}
