/** Owns the host functions: their checks, cost and effects. None of them throws: an error traps the call. */

import { type Json, numeric } from '../../../codec/index.js'
import { blake3, keccak256, sha256, verifyEd25519, verifySecp256k1 } from '../../../crypto/index.js'
import { accounts } from '../../../executor/accounts.js'
import { metadataValueOf } from '../../../executor/metadata.js'
import { accountRoles, balances, definitions, nfts } from '../../../ledger/tables.js'
import { keyBytes, metadataValue, type Target } from '../../../model/index.js'
import { READ_BYTES_PER_UNIT } from '../../../state/index.js'
import { type Instance as Engine, HOST_FUNCTIONS, type HostCall, TRAP } from '../../../vm/index.js'
import { HOST_GAS } from '../schema/abi.js'
import { events } from '../schema/events.js'
import * as host from '../schema/host-records.js'
import * as records from '../schema/records.js'
import { execute } from './execute.js'
import { bytesGas, type CallFrame, copyOf, give, NO_BYTES, rangeOf, trapped } from './frame.js'
import { numbers } from './numbers.js'
import { instances, lines, states } from './tables.js'

/** Implementation of a host function. */
type Act = (frame: CallFrame, engine: Engine, a: Int32Array) => number

/** Codes of `context`. */
const CONTEXT = {
  self: 0,
  storage: 1,
  caller: 2,
  authority: 3,
  transaction: 4,
  chain: 5,
  height: 6,
  time: 7,
  gas: 8,
  depth: 9,
  route: 10,
  view: 11,
} as const

function u64(value: number | bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}
function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function contextBytes(frame: CallFrame, engine: Engine, kind: number): Uint8Array | undefined {
  const { ctx, session, instance } = frame
  const { env, transaction } = ctx
  switch (kind) {
    case CONTEXT.self:
      return keyBytes(frame.address)
    case CONTEXT.storage:
      return keyBytes(instance.storageId)
    case CONTEXT.caller:
      return keyBytes(frame.caller)
    case CONTEXT.authority:
      return keyBytes(session.authority)
    case CONTEXT.transaction:
      return transaction.id
    case CONTEXT.chain:
      return Buffer.from(env.chain, 'utf8')
    case CONTEXT.height:
      return u64(env.height)
    case CONTEXT.time:
      return u64(env.timeMs)
    case CONTEXT.gas:
      return u64(engine.gas)
    case CONTEXT.depth:
      return u32(session.atWork.length)
    case CONTEXT.route:
      return Buffer.concat([u32(transaction.lane ?? 0), u64(instance.dataspace)])
    case CONTEXT.view:
      return u32(frame.isView ? 1 : 0)
    default:
      return undefined
  }
}

/** Key of the state; undefined, with a trap, if invalid. */
function keyOf(engine: Engine, at: number, length: number): Uint8Array | undefined {
  if (length >>> 0 > 0) return copyOf(engine, at, length, records.STATE_KEY_MAX_BYTES)
  trapped(engine, TRAP.host_argument)
  return undefined
}

/** Update the counts of the state; false, with a trap, beyond their bounds. */
function count(frame: CallFrame, engine: Engine, keys: number, bytes: number): boolean {
  const { storageId } = frame.instance
  const line = frame.line ?? frame.ctx.get(lines, storageId)
  if (line === undefined) throw new Error('a contract has no line')
  // The most frequent write: a value of unchanged length, which leaves the row of the contract unchanged.
  if (keys === 0 && bytes === 0) return true
  const next = { ...line, keys: line.keys + keys, bytes: line.bytes + bytes }
  if (next.keys > records.STATE_KEYS_MAX || next.bytes > records.STATE_MAX_BYTES) {
    trapped(engine, TRAP.state_limit)
    return false
  }
  frame.line = next
  return true
}

function stateSet(frame: CallFrame, engine: Engine, a: Int32Array, value: Uint8Array | undefined): number {
  if (frame.isView) return trapped(engine, TRAP.write_in_view)
  const key = keyOf(engine, a[0]!, a[1]!)
  if (key === undefined) return 0
  if (!engine.charge(HOST_GAS.stateWrite + HOST_GAS.perStateByte * (key.length + (value?.length ?? 0)))) return 0
  const row = { storageId: frame.instance.storageId, key }
  const before = frame.ctx.get(states, row)
  if (before === undefined && value === undefined) return 0
  const entry = key.length + (value?.length ?? 0)
  const old = before === undefined ? 0 : key.length + before.length
  const keys = (value === undefined ? 0 : 1) - (before === undefined ? 0 : 1)
  if (!count(frame, engine, keys, (value === undefined ? 0 : entry) - old)) return 0
  if (value === undefined) frame.ctx.delete(states, row)
  else frame.ctx.set(states, row, value)
  return before === undefined ? 0 : 1
}

/** Text without its length, which ends with the first byte below 0x80. */
const textOf = (encoded: Buffer): Buffer => encoded.subarray(encoded.findIndex((byte) => byte < 0x80) + 1)

/** Units of a row access in addition to its value: the lookup, its key, rounding. */
const KEY_UNITS = 8

/** Text of a metadata value, which may be undecoded JSON; the remaining gas bounds the bytes that are decoded. */
function metadataText({ ctx }: CallFrame, engine: Engine, target: Target, key: string): Uint8Array | undefined {
  let found: Json | undefined
  const limit = KEY_UNITS + Math.ceil(engine.gas / (HOST_GAS.metadataByte * READ_BYTES_PER_UNIT))
  const { result: unpaid } = ctx.apart(limit, () =>
    ctx.fork((own) => {
      found = metadataValueOf(own, target, key)
      return undefined
    }),
  )
  if (unpaid === undefined) return found === undefined ? undefined : textOf(metadataValue.encode(found))
  trapped(engine, TRAP.out_of_gas)
  return undefined
}

function answer(frame: CallFrame, engine: Engine, query: host.HostQuery): Uint8Array | undefined {
  const { ctx } = frame
  switch (query.kind) {
    case 'balance': {
      const amount = ctx.get(balances, query.value)
      return amount === undefined ? undefined : numeric.encode(amount)
    }
    case 'definition': {
      const found = ctx.get(definitions, query.value.id)
      return found === undefined ? undefined : host.hostDefinition.encode(found)
    }
    case 'account': {
      const found = ctx.get(accounts, query.value.id)
      return found === undefined ? undefined : host.hostAccount.encode(found)
    }
    case 'metadata':
      return metadataText(frame, engine, query.value.target, query.value.key)
    case 'nftOwner': {
      const found = ctx.get(nfts, query.value.id)
      return found === undefined ? undefined : keyBytes(found.owner)
    }
    case 'hasRole':
      return (ctx.get(accountRoles, query.value.account) ?? []).includes(query.value.role) ? NO_BYTES : undefined
    case 'contract': {
      const found = ctx.get(instances, query.value.address)
      if (found === undefined) return undefined
      const { storageId, owner, status } = found
      return host.hostContract.encode({ storageId, owner, active: status === 'active' ? 1 : 0 })
    }
  }
}

const ACTS: Readonly<Record<(typeof HOST_FUNCTIONS)[number]['name'], Act>> = {
  input: (frame, engine, a) => slice(engine, frame.input, a),
  ret_read: (frame, engine, a) => slice(engine, frame.returned, a),
  context(frame, engine, a) {
    if (!engine.charge(HOST_GAS.context)) return 0
    const bytes = contextBytes(frame, engine, a[0]!)
    if (bytes === undefined) return trapped(engine, TRAP.host_argument)
    return give(frame, engine, bytes, a[1]!, bytes.length)
  },
  state_get(frame, engine, a) {
    const key = keyOf(engine, a[0]!, a[1]!)
    if (key === undefined || !engine.charge(HOST_GAS.stateRead + HOST_GAS.perStateByte * key.length)) return 0
    const value = frame.ctx.get(states, { storageId: frame.instance.storageId, key })
    if (value === undefined) return -1
    if (!engine.charge(HOST_GAS.perStateByte * value.length)) return 0
    return give(frame, engine, value, a[2]!, a[3]!)
  },
  state_set(frame, engine, a) {
    const value = copyOf(engine, a[2]!, a[3]!, records.STATE_VALUE_MAX_BYTES, TRAP.state_limit)
    return value === undefined ? 0 : stateSet(frame, engine, a, value)
  },
  state_del: (frame, engine, a) => stateSet(frame, engine, a, undefined),
  event(frame, engine, a) {
    const { session, ctx } = frame
    if (frame.isView) return trapped(engine, TRAP.write_in_view)
    const name = copyOf(engine, a[0]!, a[1]!, records.TOPIC_MAX_BYTES)
    const data = name && copyOf(engine, a[2]!, a[3]!, records.EVENT_DATA_MAX_BYTES, TRAP.event_limit)
    if (name === undefined || data === undefined) return 0
    const size = name.length + data.length
    if (!engine.charge(HOST_GAS.event + HOST_GAS.perEventByte * size)) return 0
    const topic = Buffer.from(name).toString('latin1')
    if (!/^[!-~]{1,64}$/.test(topic)) return trapped(engine, TRAP.host_argument)
    if (session.events.length >= records.EVENTS_MAX || session.eventBytes + size > records.EVENT_BYTES_MAX) {
      return trapped(engine, TRAP.event_limit)
    }
    const value = { address: frame.address, topic, data }
    session.events.push(events.contractEvent.schema.encode(value))
    session.eventBytes += size
    ctx.emit(events.contractEvent, value)
    return 0
  },
  log(frame, engine, a) {
    const text = copyOf(engine, a[0]!, a[1]!, records.EVENT_DATA_MAX_BYTES)
    if (text === undefined || !engine.charge(text.length)) return 0
    const { logs } = frame.session
    if (logs !== undefined && logs.length < records.EVENTS_MAX) logs.push(Buffer.from(text).toString('utf8'))
    return 0
  },
  output(frame, engine, a) {
    const bytes = copyOf(engine, a[0]!, a[1]!, records.OUTPUT_MAX_BYTES)
    if (bytes === undefined || !engine.charge(bytesGas(bytes.length))) return 0
    frame.output = bytes
    return 0
  },
  abort(frame, engine, a) {
    const text = copyOf(engine, a[1]!, a[2]!, records.EVENT_DATA_MAX_BYTES)
    if (text === undefined) return 0
    frame.session.abortCode = a[0]! >>> 0
    frame.session.abortText = Buffer.from(text).toString('utf8')
    return trapped(engine, TRAP.aborted)
  },
  attached(frame, engine, a) {
    const one = frame.attached[a[0]! >>> 0]
    return one === undefined ? -1 : give(frame, engine, records.attached.encode(one), a[1]!, a[2]!)
  },
  call(frame, engine, a) {
    const bytes = rangeOf(engine, a[0]!, a[1]!)
    if (bytes === undefined || !engine.charge(HOST_GAS.contractCall + bytesGas(bytes.length))) return 0
    const decoded = host.nestedCall.decode(bytes.slice())
    if (!decoded.ok) return trapped(engine, TRAP.host_argument)
    if (frame.isView && decoded.value.attach.length > 0) return trapped(engine, TRAP.write_in_view)
    if (!engine.charge(HOST_GAS.attached * decoded.value.attach.length)) return 0
    const gas = Math.min(decoded.value.gas, engine.gas - Math.ceil(engine.gas / 64))
    const { trap, gasUsed, output } = frame.callOther(frame, { ...decoded.value, gas })
    frame.returned = output
    return engine.charge(gasUsed) ? trap : 0
  },
  execute(frame, engine, a) {
    if (frame.isView) return trapped(engine, TRAP.write_in_view)
    const bytes = rangeOf(engine, a[0]!, a[1]!)
    return bytes === undefined ? 0 : execute(frame, engine, bytes)
  },
  query(frame, engine, a) {
    const bytes = rangeOf(engine, a[0]!, a[1]!)
    if (bytes === undefined || !engine.charge(HOST_GAS.query + bytesGas(bytes.length))) return 0
    const decoded = host.hostQuery.decode(bytes.slice())
    if (!decoded.ok) return trapped(engine, TRAP.host_argument)
    const found = answer(frame, engine, decoded.value)
    if (found === undefined) return -1
    const looked = decoded.value.kind === 'metadata' ? HOST_GAS.metadataByte * found.length : bytesGas(found.length)
    if (!engine.charge(looked)) return 0
    frame.returned = found
    return found.length
  },
  hash(_frame, engine, a) {
    const bytes = rangeOf(engine, a[1]!, a[2]!)
    const hasher = [blake3, sha256, keccak256][a[0]! >>> 0]
    if (bytes === undefined) return 0
    if (hasher === undefined) return trapped(engine, TRAP.host_argument)
    const price =
      hasher === keccak256
        ? HOST_GAS.keccak + HOST_GAS.keccakPerByte * bytes.length
        : HOST_GAS.hash + Math.ceil(bytes.length / HOST_GAS.hashBytesPerUnit)
    if (!engine.charge(price)) return 0
    rangeOf(engine, a[3]!, 32)?.set(hasher(bytes))
    return 0
  },
  verify(_frame, engine, a) {
    const [key, message, signature] = [
      rangeOf(engine, a[1]!, a[2]!),
      rangeOf(engine, a[3]!, a[4]!),
      rangeOf(engine, a[5]!, a[6]!),
    ]
    if (key === undefined || message === undefined || signature === undefined) return 0
    const kind = a[0]! >>> 0
    if (kind > 1) return trapped(engine, TRAP.host_argument)
    const price = kind === 0 ? HOST_GAS.verifyEd25519 : HOST_GAS.verifySecp256k1
    if (!engine.charge(price + Math.ceil(message.length / HOST_GAS.hashBytesPerUnit))) return 0
    if (signature.length !== 64 || key.length !== (kind === 0 ? 32 : 33)) return 0
    const verifier = kind === 0 ? verifyEd25519 : verifySecp256k1
    return verifier(key.slice(), message.slice(), signature.slice()) ? 1 : 0
  },
  num: (frame, engine, a) => numbers(frame, engine, a),
}

/** Copy a part of bytes that the host holds into the contract; returns their total length. */
function slice(engine: Engine, bytes: Uint8Array, a: Int32Array): number {
  const offset = a[1]! >>> 0
  const size = Math.min(Math.max(0, bytes.length - offset), a[2]! >>> 0)
  if (!engine.charge(bytesGas(size))) return 0
  const range = rangeOf(engine, a[0]!, size)
  if (range === undefined) return 0
  range.set(bytes.subarray(offset, offset + size))
  return bytes.length
}

/** Host of one frame. */
export const hostOf =
  (frame: CallFrame): HostCall =>
  (engine, place, first) => {
    const { name, params } = HOST_FUNCTIONS[place] as (typeof HOST_FUNCTIONS)[number]
    if (!engine.charge(HOST_GAS.call)) return 0
    const args = engine.machine.lo.slice(first, first + params)
    const act = ACTS[name] as Act
    const result = act(frame, engine, args)
    if (engine.trap !== TRAP.ok) frame.hostFault = name
    return result
  }
