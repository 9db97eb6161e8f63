/** Faults of one source text: `path:line what`. */
export function faultsIn(path: string, text: string): string[]
/** Faults of all tests. */
export function check(): string[]
