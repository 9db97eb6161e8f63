/** Owns free ports and timeouts for tests with real processes. */
import { createServer } from 'node:net'
import { threadId } from 'node:worker_threads'
import { isFree } from '../../src/node/genesis/ports.js'

/** Below the range from which systems allocate the ports of outgoing connections. */
const PORTS = { from: 20_000, to: 32_000 }
/** Ports per block; a test file that needs more has several blocks. */
const BLOCK = 200
const BLOCKS = (PORTS.to - PORTS.from) / BLOCK
/** Maximum wait for anything that must happen, in ms: far more than it takes on a busy machine. */
export const PATIENCE_MS = 120_000
/** Timeout of a test or a hook, in ms: long enough for slow tests, finite for hanging ones. */
export const TEST_MS = 900_000
const POLL_MS = 50

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Poll until `look` returns a value; fails with `what` at the timeout. */
export async function until<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  const deadlineMs = performance.now() + PATIENCE_MS
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    if (performance.now() > deadlineMs) throw new Error(`waited in vain for ${what}`)
    await pause(POLL_MS)
  }
}

/** Block of ports owned by this thread: it listens on the first one until it ends. */
interface Block {
  /** First port after the guard. */
  readonly from: number
  /** Port after the last one. */
  readonly to: number
  /** Start of the next search: ports are reused as late as possible. */
  next: number
  /** Ports of the running test file, which it may use again after it closed them. */
  readonly given: Set<number>
}

const blocks: Block[] = []
/** Serialises requests: concurrent ones would find the same ports. */
let turn: Promise<unknown> = Promise.resolve()

/** Listen on the guard of a block for the lifetime of this thread; false if another thread or process has it. */
function guarded(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const guard = createServer((socket) => socket.destroy())
    guard.once('error', () => resolve(false))
    guard.listen({ host: '127.0.0.1', port, exclusive: true }, () => {
      guard.unref()
      resolve(true)
    })
  })
}

/** Reserve the next free block of ports. */
async function takeBlock(): Promise<Block> {
  const start = (process.pid + threadId) % BLOCKS
  for (let step = 0; step < BLOCKS; step += 1) {
    const guard = PORTS.from + ((start + step) % BLOCKS) * BLOCK
    if (!(await guarded(guard))) continue
    const block = { from: guard + 1, to: guard + BLOCK, next: guard + 1, given: new Set<number>() }
    blocks.push(block)
    return block
  }
  throw new Error(`no block of ports is left from ${PORTS.from} to ${PORTS.to}`)
}

/** True if all of these ports are free: a node may outlive the worker whose test started it. */
async function areFree(block: Block, base: number, count: number): Promise<boolean> {
  for (let port = base; port < base + count; port += 1) {
    if (block.given.has(port) || !(await isFree(port))) return false
  }
  return true
}

/** Start of a free range of a block. */
async function rangeOf(block: Block, count: number): Promise<number | undefined> {
  const places = block.to - block.from - count + 1
  for (let step = 0; step < places; step += 1) {
    const base = block.from + ((block.next - block.from + step) % places)
    if (!(await areFree(block, base, count))) continue
    for (let port = base; port < base + count; port += 1) block.given.add(port)
    block.next = base + count
    return base
  }
  return undefined
}

async function nextPorts(count: number): Promise<number> {
  if (count >= BLOCK) throw new Error(`a block has no ${count} ports`)
  for (const block of blocks) {
    const base = await rangeOf(block, count)
    if (base !== undefined) return base
  }
  return (await rangeOf(await takeBlock(), count)) ?? nextPorts(count)
}

/**
 * Start of a range of free ports of the loopback address. No other test gets them while the test file runs, whatever runs
 * beside it on this machine, so a node that starts again finds its port free.
 */
export function freePorts(count: number): Promise<number> {
  const range = turn.then(() => nextPorts(count))
  turn = range.catch(() => undefined)
  return range
}

/** Release the ports of an ended test file to the next one. */
export function releasePorts(): void {
  for (const { given } of blocks) given.clear()
}
