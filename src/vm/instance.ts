/**
 * Owns the environment of one contract call: initial memory, globals and table of its module, gas, and the shared
 * stack.
 */
import { interpret } from './interpret.js'
import { PAGE_BYTES, PAGES_MAX } from './limits.js'
import type { LoadedModule } from './loaded.js'
import type { Machine, Running, StoppedAt } from './running.js'
import { EngineFault, TRAP, type Trap } from './traps.js'

/**
 * Calls a host function by its index in `HOST_FUNCTIONS` and the slot of its first argument. Invalid arguments are
 * traps.
 */
export type HostCall = (instance: Instance, place: number, firstArgument: number) => number

export class Instance implements Running {
  memory: Uint8Array
  /** View over the maximum memory; callers check addresses against the current length of the memory. */
  readonly view: DataView
  private readonly room: Uint8Array
  readonly globalsLo: Int32Array
  readonly globalsHi: Int32Array
  readonly table: Int32Array
  /** Functions that were entered during this call. */
  readonly entered: Uint8Array
  /** Trap of a host function that ended the call. */
  trap: Trap = TRAP.ok
  stoppedAt: StoppedAt = { index: -1, word: 0 }

  /** @param gas remaining gas, never below zero */
  constructor(
    readonly module: LoadedModule,
    readonly machine: Machine,
    public gas: number,
    private readonly hostCall: HostCall,
  ) {
    const { def } = module
    this.room = spareRoom()
    this.memory = this.room.subarray(0, def.minPages * PAGE_BYTES).fill(0)
    this.view = new DataView(this.room.buffer)
    for (const { at, bytes } of def.data) this.memory.set(bytes, at)
    this.globalsLo = Int32Array.from(def.globals, ({ lo }) => lo)
    this.globalsHi = Int32Array.from(def.globals, ({ hi }) => hi)
    // Nothing of profile 1 writes to a table.
    this.table = def.table ?? NO_TABLE
    this.entered = new Uint8Array(def.functions.length)
  }

  /** Run an exported function; returns the trap that ended it. The stack is restored. */
  run(index: number): Trap {
    const { machine } = this
    const { top, frameTop, units } = machine
    try {
      return interpret(this, index - this.module.def.imports.length)
    } finally {
      machine.top = top
      machine.frameTop = frameTop
      machine.units = units
    }
  }

  host(place: number, firstArgument: number): number {
    return this.hostCall(this, place, firstArgument)
  }

  /** Releases the memory for later calls; it must not be read afterwards. */
  release(): void {
    if (spares.length < SPARES_MAX) spares.push(this.room)
  }

  /** Charge gas; false if too little remains, which ends the call. */
  charge(gas: number): boolean {
    this.gas -= gas
    if (this.gas >= 0) return true
    this.gas = 0
    this.trap = TRAP.out_of_gas
    return false
  }

  /** Grow the memory in place. */
  grow(pages: number): void {
    const size = pages * PAGE_BYTES
    this.room.fill(0, this.memory.length, size)
    this.memory = this.room.subarray(0, size)
  }
}

const NO_TABLE = new Int32Array(0)

/**
 * Maximum spare buffers of ended calls, each for the largest memory, so that no memory is ever moved. Equals the
 * maximum nesting of contract calls.
 */
const SPARES_MAX = 8
const spares: Uint8Array[] = []

/** Buffer for the largest memory; its content is not cleared. */
function spareRoom(): Uint8Array {
  const spare = spares.pop()
  if (spare !== undefined) return spare
  try {
    return new Uint8Array(PAGES_MAX * PAGE_BYTES)
  } catch (cause) {
    throw new EngineFault(`no memory of ${PAGES_MAX} pages`, { cause })
  }
}
