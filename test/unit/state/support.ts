// Shared parts of the state tests: sample tables, a seeded generator, and a naive implementation of the tree.
import { type Schema, string, struct, varint } from '../../../src/codec/index.js'
import { blake3, hash } from '../../../src/crypto/index.js'
import { type Overlay, rowKey, rowKeyBytes, type TableDef } from '../../../src/state/index.js'

export interface Account {
  readonly owner: string
  readonly balance: number
}
const account_ = struct('TestAccount', { owner: string(64), balance: varint })
const account: Schema<Account> = account_

const bound = { holds: 'what a test says', filledBy: 'a test', atBound: 'nothing' }
export const accounts: TableDef<string, Account> = { id: 300, name: 'accounts', bound, key: string(64), value: account }
export const counters: TableDef<number, number> = { id: 2, name: 'counters', bound, key: varint, value: varint }

/** Reproducible pseudo-random integers in [0, n) (mulberry32). */
export function seeded(seed: number): (n: number) => number {
  let state = seed >>> 0
  return (n) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % n
  }
}

/** The root of a set of counters, straight from the definition. */
export function naiveRoot(content: ReadonlyMap<number, number>): Buffer {
  const leaves = [...content].map(([key, value]) => ({
    place: hash('state-key', rowKeyBytes(rowKey(counters, key))),
    value: hash('state-value', counters.value.encode(value)),
  }))
  const bit = (place: Buffer, depth: number) => (place[Math.floor(depth / 8)]! >> (7 - (depth % 8))) & 1
  const subtree = (list: typeof leaves, depth: number): Buffer => {
    if (list.length === 0) return Buffer.alloc(32)
    if (list.length === 1) return hash('state-leaf', list[0]!.place, list[0]!.value)
    const left = list.filter((leaf) => bit(leaf.place, depth) === 0)
    const right = list.filter((leaf) => bit(leaf.place, depth) === 1)
    return blake3(Buffer.concat([subtree(left, depth + 1), subtree(right, depth + 1)]))
  }
  return subtree(leaves, 0)
}

/** One block of random changes to counters, made on the overlay and on the model. */
export function randomBlock(
  random: (n: number) => number,
  overlay: Overlay,
  model: Map<number, number>,
  options: { keys: number; changes: number },
): void {
  for (let at = 0; at < options.changes; at += 1) {
    const key = random(options.keys)
    if (random(3) === 0) {
      overlay.delete(counters, key)
      model.delete(key)
    } else {
      const value = random(1_000_000)
      overlay.set(counters, key, value)
      model.set(key, value)
    }
  }
}
