/** Owns the choice of ports for a local network: free ranges, and conflicts. */
import { createServer } from 'node:net'
import { LedgerError } from '../../model/index.js'

/** Maximum number of ranges that are tried. */
const TRIES = 50
const PORT_MAX = 65_535

/** True if nothing listens on a port of the loopback address. */
export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen({ host: '127.0.0.1', port, exclusive: true }, () => server.close(() => resolve(true)))
  })
}

/** Ports in use within a range. */
export async function takenPorts(base: number, count: number): Promise<number[]> {
  const taken: number[] = []
  for (let port = base; port < base + count; port++) if (!(await isFree(port))) taken.push(port)
  return taken
}

/** Chosen range; `moved`: ports that blocked the preferred one. */
export interface PortRange {
  readonly base: number
  readonly moved: readonly number[]
}

/**
 * Choose a range of free ports that starts at `base`, or after it unless `fixed`. Throws `address_in_use` with the
 * ports in use, `usage` if the range exceeds the port space.
 */
export async function choosePorts(base: number, count: number, fixed: boolean, flag: string): Promise<PortRange> {
  let moved: readonly number[] = []
  let at = base
  for (let tries = 0; tries < TRIES && at + count - 1 <= PORT_MAX; tries++) {
    const taken = await takenPorts(at, count)
    if (taken.length === 0) return { base: at, moved }
    if (fixed) {
      throw new LedgerError('address_in_use', `port ${taken.join(', ')} of 127.0.0.1 is in use`, {
        hint: `Choose another start with ${flag}, or omit ${flag} to use a free range.`,
        details: { ports: taken },
      })
    }
    if (moved.length === 0) moved = taken
    at = taken.at(-1)! + 1
  }
  throw new LedgerError('address_in_use', `no ${count} consecutive free ports from ${base} on`, {
    hint: `Choose a start with ${flag}.`,
  })
}
