/** Owns the runtime data of the interpreter: the shared stack, and the parts of one running module. */
import { FRAME_UNITS, STACK_UNITS_MAX } from './limits.js'
import type { LoadedModule } from './loaded.js'
import type { Trap } from './traps.js'

/** Maximum words of all frames; each frame uses 4 units or more, and its words beside them. */
const FRAME_WORDS_MAX = (Math.ceil(STACK_UNITS_MAX / FRAME_UNITS) + 2) * 3

/** Stack of a call, including nested calls. */
export class Machine {
  /** Lower and upper halves of the slots of all frames. */
  readonly lo = new Int32Array(STACK_UNITS_MAX)
  readonly hi = new Int32Array(STACK_UNITS_MAX)
  readonly frames = new Int32Array(FRAME_WORDS_MAX)
  /** First free slot, words of frames in use, stack units in use. */
  top = 0
  frameTop = 0
  units = 0
}

/** Position of a stopped call: a function of the module and the word of its internal form. */
export interface StoppedAt {
  readonly index: number
  readonly word: number
}

/** Running module, as seen by the interpreter. */
export interface Running {
  readonly module: LoadedModule
  readonly machine: Machine
  /** Remaining gas, never below zero. */
  gas: number
  memory: Uint8Array
  /** View over the memory and the space into which it may grow. */
  readonly view: DataView
  readonly globalsLo: Int32Array
  readonly globalsHi: Int32Array
  readonly table: Int32Array
  /** Functions that were entered during this call. */
  readonly entered: Uint8Array
  /** Trap of a host function that ended the call. */
  trap: Trap
  stoppedAt: StoppedAt
  /** Call a host function by its index in `HOST_FUNCTIONS` and the slot of its first argument. */
  host(place: number, firstArgument: number): number
  /** Grow the memory to this many pages. */
  grow(pages: number): void
}
