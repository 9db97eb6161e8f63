/** Owns the signatures of the host functions that a module of profile 1 can import. Append only. */

/** Module from which host functions are imported; functions with a changed meaning would be in another module. */
export const HOST_MODULE = 'host1'

/** Host function: a number of i32 parameters, and one i32 result or none. */
export interface HostFunction {
  readonly name: string
  readonly params: number
  readonly hasResult: boolean
}

const host = (name: string, params: number, hasResult: boolean): HostFunction => ({ name, params, hasResult })

/** Host functions; the engine calls them by their index. */
export const HOST_FUNCTIONS = [
  host('input', 3, true),
  host('ret_read', 3, true),
  host('context', 2, true),
  host('state_get', 4, true),
  host('state_set', 4, true),
  host('state_del', 2, true),
  host('event', 4, false),
  host('log', 2, false),
  host('output', 2, false),
  host('abort', 3, false),
  host('attached', 3, true),
  host('call', 2, true),
  host('execute', 2, true),
  host('query', 2, true),
  host('hash', 4, false),
  host('verify', 7, true),
  host('num', 7, true),
] as const satisfies readonly HostFunction[]

/** Signatures as text, as covered by the hash of the ABI. */
export const hostLines = (): string[] =>
  HOST_FUNCTIONS.map(({ name, params, hasResult }) => `host ${HOST_MODULE} ${name} ${params} ${hasResult ? 1 : 0}`)
