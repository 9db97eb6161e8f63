/**
 * Owns the results of a call: trap codes, which are part of outcomes, and the fault of the engine itself, which is not.
 */

/** Trap codes; 0 is success. Numbers are hashed and never reused. */
export const TRAP = {
  ok: 0,
  out_of_gas: 1,
  stack_exhausted: 2,
  unreachable: 3,
  memory_bounds: 4,
  divide_by_zero: 5,
  integer_overflow: 6,
  indirect_call: 7,
  host_argument: 8,
  write_in_view: 9,
  call_depth: 10,
  reentrant: 11,
  aborted: 12,
  state_limit: 13,
  event_limit: 14,
  contract_inactive: 15,
  no_entrypoint: 16,
  not_permitted: 17,
} as const

export type TrapName = keyof typeof TRAP
/** Trap code of `TRAP`. */
export type Trap = (typeof TRAP)[TrapName]

const NAMES: ReadonlyMap<number, TrapName> = new Map(
  Object.entries(TRAP).map(([name, code]) => [code, name as TrapName]),
)

/** Name of a trap code. */
export const trapName = (code: number): TrapName | undefined => NAMES.get(code)

/**
 * Failure of the engine itself: an allocation or an assertion. It does not depend on the program, so it is never a
 * result: it passes every boundary of execution, and the node stops without a vote.
 */
export class EngineFault extends Error {}
