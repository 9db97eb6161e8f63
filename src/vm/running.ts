/** Owns the runtime data of the interpreter: the shared stack, and the parts of one running module. */
import { FRAME_UNITS, STACK_UNITS_MAX } from './limits.js'
import type { LoadedModule } from './loaded.js'
import type { Trap } from './traps.js'

/** Frames at most: each takes 4 units or more, and the words of one beside them. */
const FRAME_WORDS_MAX = (Math.ceil(STACK_UNITS_MAX / FRAME_UNITS) + 2) * 3

/** The stack of a call with all that it calls. */
export class Machine {
  /** Lower and upper halves of the slots of all frames. */
  readonly lo = new Int32Array(STACK_UNITS_MAX)
  readonly hi = new Int32Array(STACK_UNITS_MAX)
  readonly frames = new Int32Array(FRAME_WORDS_MAX)
  /** First slot that is free, words of frames in use, stack units in use. */
  top = 0
  frameTop = 0
  units = 0
}

/** Position of a stopped call: a function of the module and the word of its internal form. */
export interface StoppedAt {
  readonly index: number
  readonly word: number
}

/** A module at work, as the interpreter sees it. */
export interface Running {
  readonly module: LoadedModule
  readonly machine: Machine
  /** Remaining gas, never below zero. */
  gas: number
  memory: Uint8Array
  /** Over the memory and what it may grow into. */
  readonly view: DataView
  readonly globalsLo: Int32Array
  readonly globalsHi: Int32Array
  readonly table: Int32Array
  /** Functions that were entered in this call. */
  readonly entered: Uint8Array
  /** Set by a host function that ends the call. */
  trap: Trap
  stoppedAt: StoppedAt
  /** Calls a host function: its place in `HOST_FUNCTIONS`, the slot of its first argument. */
  host(place: number, firstArgument: number): number
  /** Makes the memory so many pages. */
  grow(pages: number): void
}
