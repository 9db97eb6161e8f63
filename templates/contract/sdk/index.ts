/** The contract SDK: values, state, events, the caller, assets. A contract imports from here alone. */
import * as host from './host'

/** Bytes of any length. */
export type Bytes = StaticArray<u8>

const at = (bytes: Bytes): usize => changetype<usize>(bytes)

/** Ends the call with a code and a text; nothing of it stays. */
export function fail(code: u32, text: string): void {
  const bytes = toUtf8(text)
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

/** Texts as UTF-8. */
export function toUtf8(text: string): Bytes {
  const bytes = new StaticArray<u8>(String.UTF8.byteLength(text))
  String.UTF8.encodeUnsafe(changetype<usize>(text), text.length, at(bytes))
  return bytes
}
export function ofUtf8(bytes: Bytes): string {
  return String.UTF8.decodeUnsafe(at(bytes), bytes.length)
}
export function joined(a: Bytes, b: Bytes): Bytes {
  const bytes = new StaticArray<u8>(a.length + b.length)
  memory.copy(at(bytes), at(a), a.length)
  memory.copy(at(bytes) + a.length, at(b), b.length)
  return bytes
}
export function sameBytes(a: Bytes, b: Bytes): bool {
  if (a.length !== b.length) return false
  for (let index = 0; index < a.length; index += 1) if (unchecked(a[index]) !== unchecked(b[index])) return false
  return true
}
const NOTHING: Bytes = new StaticArray<u8>(0)

/** What the last host function left, whole. */
function returned(length: i32): Bytes {
  const bytes = new StaticArray<u8>(length)
  host.hostReturned(at(bytes), 0, length)
  return bytes
}
function context(kind: u32): Bytes {
  const small = new StaticArray<u8>(128)
  const length = host.hostContext(kind, at(small))
  const bytes = new StaticArray<u8>(length)
  memory.copy(at(bytes), at(small), length)
  return bytes
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
}

/** An exact decimal, in its canonical bytes. */
export class Numeric {
  constructor(readonly bytes: Bytes) {}
  static zero(): Numeric { return Numeric.of('0') }
  static of(text: string): Numeric {
    const bytes = toUtf8(text)
    return Numeric.result(host.hostNum(5, at(bytes), bytes.length, 0, 0, 0, 0))
  }
  private static result(length: i32): Numeric {
    require(length >= 0, 1, 'a decimal has no such form')
    return new Numeric(returned(length))
  }
  private with(op: u32, other: Numeric): Numeric {
    return Numeric.result(host.hostNum(op, at(this.bytes), this.bytes.length, at(other.bytes), other.bytes.length, 0, 0))
  }
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
    // The one form of a decimal has no zero at its end, and no point without digits.
    while (end > point && (text.charCodeAt(end - 1) === 0x30 || text.charCodeAt(end - 1) === 0x2e)) end -= 1
    return Numeric.of(text.substring(0, max(end, point)))
  }
  toString(): string {
    return ofUtf8(returned(host.hostNum(6, at(this.bytes), this.bytes.length, 0, 0, 0, 0)))
  }
}

/** Writes values one after the other. */
export class Writer {
  private buffer: Bytes = new StaticArray<u8>(256)
  private length: i32 = 0

  private room(more: i32): usize {
    const needed = this.length + more
    if (needed > this.buffer.length) {
      const larger = new StaticArray<u8>(max(needed, 2 * this.buffer.length))
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
  finish(): Bytes {
    const bytes = new StaticArray<u8>(this.length)
    memory.copy(at(bytes), at(this.buffer), this.length)
    return bytes
  }
}

/** Reads values one after the other; bytes that end early end the call. */
export class Reader {
  private place: i32 = 0
  constructor(private readonly source: Bytes) {}

  private take(length: i32): usize {
    require(length >= 0 && this.place + length <= this.source.length, 2, 'the input ends early')
    const place = at(this.source) + this.place
    this.place += length
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
    const from = this.take(length)
    const bytes = new StaticArray<u8>(length)
    memory.copy(at(bytes), from, length)
    return bytes
  }
  string(): string { return ofUtf8(this.bytes()) }
  account(): Account { return new Account(this.bytes()) }
  asset(): Asset { return new Asset(this.string()) }
  numeric(): Numeric { return new Numeric(this.bytes()) }
  finish(): void { require(this.place === this.source.length, 2, 'the input is longer than its arguments') }
}

/** The input of the call. */
export function input(): Reader {
  const length = host.hostInput(0, 0, 0)
  const bytes = new StaticArray<u8>(length)
  host.hostInput(at(bytes), 0, length)
  return new Reader(bytes)
}
export function output(value: Bytes): void { host.hostOutput(at(value), value.length) }

/** Account that this contract acts as. */
export function self(): Account { return new Account(context(1)) }
/** Who called: an account, or the account of another contract. */
export function caller(): Account { return new Account(context(2)) }
/** Header time of the block, in ms since the Unix epoch. */
export function now(): u64 { return load<u64>(at(context(7))) }
export function height(): u64 { return load<u64>(at(context(6))) }

/** State under an exact key. */
export function getState(key: Bytes): Bytes | null {
  const length = host.hostStateGet(at(key), key.length, 0, 0)
  return length < 0 ? null : returned(length)
}
export function setState(key: Bytes, value: Bytes): void { host.hostStateSet(at(key), key.length, at(value), value.length) }
export function deleteState(key: Bytes): void { host.hostStateDelete(at(key), key.length) }

/** One value of state. */
export class Cell {
  private readonly key: Bytes
  constructor(name: string) { this.key = toUtf8(name) }
  get(): Bytes | null { return getState(this.key) }
  set(value: Bytes): void { setState(this.key, value) }
  clear(): void { deleteState(this.key) }
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
}
/** Values of state by keys. */
export class StorageMap {
  private readonly prefix: Bytes
  constructor(name: string) { this.prefix = toUtf8(name + ':') }
  get(key: Bytes): Bytes | null { return getState(joined(this.prefix, key)) }
  set(key: Bytes, value: Bytes): void { setState(joined(this.prefix, key), value) }
  delete(key: Bytes): void { deleteState(joined(this.prefix, key)) }
  has(key: Bytes): bool { return this.get(key) !== null }
  numeric(key: Bytes): Numeric {
    const value = this.get(key)
    return value === null ? Numeric.zero() : new Numeric(value)
  }
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
      fail(3, 'the list has no such place')
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
  const length = host.hostAttached(index, 0, 0)
  if (length < 0) return null
  // A record of the ledger: a text with its length as a count, then the decimal.
  const bytes = returned(length)
  const name = <i32>unchecked(bytes[0])
  const id = new StaticArray<u8>(name)
  memory.copy(at(id), at(bytes) + 1, name)
  const rest = new StaticArray<u8>(length - 1 - name)
  memory.copy(at(rest), at(bytes) + 1 + name, rest.length)
  return new Attached(new Asset(ofUtf8(id)), new Numeric(rest))
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
  require(error === 0, 4, 'the ledger refused a transfer')
}
export enum Hash { Blake3 = 0, Sha256 = 1, Keccak256 = 2 }
export function hash(kind: Hash, bytes: Bytes): Bytes {
  const digest = new StaticArray<u8>(32)
  host.hostHash(kind, at(bytes), bytes.length, at(digest))
  return digest
}
