/** Faults of one source text: `path:line what`. */
export function faultsIn(path: string, text: string): string[]
/** Faults of the whole tree. */
export function check(): string[]
