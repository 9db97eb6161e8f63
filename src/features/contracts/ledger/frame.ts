/** Owns the state of one running contract: its context, input and output, and the session of its call. */
import type { ExecContext } from '../../../executor/contract.js'
import type { AccountId } from '../../../model/index.js'
import {
  type Instance as Engine,
  type LoadedModule,
  type Machine,
  type StoppedAt,
  TRAP,
  type Trap,
} from '../../../vm/index.js'
import { HOST_GAS } from '../schema/abi.js'
import type { Attached, Instance, Line } from '../schema/records.js'

/** Position of a trap in a contract, for display; never hashed. The position in the source is looked up on display. */
export interface Stop {
  readonly contract: AccountId
  readonly module: LoadedModule
  readonly at: StoppedAt
  readonly host: string | undefined
}

/** Call from outside with all its nested calls. */
export interface Session {
  readonly machine: Machine
  /** Account for which the transaction, the trigger or the proposal acts. */
  readonly authority: AccountId
  /** True in a view, or nested in one: nothing may be written. */
  readonly isView: boolean
  /** Storage ids of the running contracts. */
  readonly atWork: AccountId[]
  /** Canonical bytes of the events so far. */
  readonly events: Uint8Array[]
  eventBytes: number
  /** Log lines of the contracts; undefined: not collected. */
  readonly logs: string[] | undefined
  abortCode: number
  abortText: string
  /**
   * Positions at which the last trapped call and its callers stopped, innermost first; at most one per running
   * contract.
   */
  readonly stops: Stop[]
}

/** Frame of one running contract. */
export interface CallFrame {
  readonly session: Session
  readonly ctx: ExecContext
  readonly address: AccountId
  readonly instance: Instance
  readonly module: LoadedModule
  readonly caller: AccountId
  readonly isView: boolean
  readonly input: Uint8Array
  readonly attached: readonly Attached[]
  readonly callOther: (frame: CallFrame, request: OtherCall) => OtherResult
  output: Uint8Array
  /** Result of the last host function that returns bytes. */
  returned: Uint8Array
  /** Counts of its state, loaded by the first write. */
  line: Line | undefined
  /** Name of the host function that trapped. */
  hostFault: string | undefined
}

export interface OtherCall {
  readonly address: AccountId
  readonly entrypoint: string
  readonly input: Uint8Array
  readonly gas: number
  readonly attach: readonly Attached[]
}
export interface OtherResult {
  readonly trap: Trap
  readonly gasUsed: number
  readonly output: Uint8Array
}

export const NO_BYTES = new Uint8Array(0)

/** End the call with a trap. */
export function trapped(engine: Engine, trap: Trap): number {
  engine.trap = trap
  return 0
}

/** Range of the memory; undefined, with a trap, if out of bounds. */
export function rangeOf(engine: Engine, at: number, length: number): Uint8Array | undefined {
  const from = at >>> 0
  const size = length >>> 0
  if (from + size <= engine.memory.length) return engine.memory.subarray(from, from + size)
  trapped(engine, TRAP.host_argument)
  return undefined
}

/** Copy of a range of limited size; undefined, with a trap, if out of bounds. */
export function copyOf(engine: Engine, at: number, length: number, max: number, trap: Trap = TRAP.host_argument) {
  const range = rangeOf(engine, at, length)
  if (range === undefined) return undefined
  if (range.length <= max) return range.slice()
  trapped(engine, trap)
  return undefined
}

/** Gas of transferred bytes. */
export const bytesGas = (bytes: number): number => Math.ceil(bytes / HOST_GAS.bytesPerUnit)

/** Write at most `cap` bytes to the contract at `at`, keep all of them for `ret_read`, and return their number. */
export function give(frame: CallFrame, engine: Engine, bytes: Uint8Array, at: number, cap: number): number {
  frame.returned = bytes
  const size = Math.min(bytes.length, cap >>> 0)
  if (!engine.charge(bytesGas(size))) return 0
  const range = rangeOf(engine, at, size)
  if (range === undefined) return 0
  range.set(bytes.subarray(0, size))
  return bytes.length
}
