/**
 * Owns the generation of hostile messages: true ones of a running network, changed at random places, or resigned. A change
 * keeps to the declaration of the message where the codec takes it, reaches its bounds, and leaves its meaning behind.
 */
import { type Random, randomOf } from '../../src/simulation/prng.js'

export { type Random, randomOf }

/** Numbers at which counters and lengths break. */
const NUMBERS = [
  0,
  1,
  2,
  127,
  128,
  255,
  65_535,
  65_536,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 32 - 1,
  2 ** 50,
  Number.MAX_SAFE_INTEGER,
]
/** Longest list and byte string that a change makes: beyond most bounds, within what a message may have. */
const ITEMS_MAX = 5_000
const BYTES_MAX = 1_100_000

type Change = (random: Random) => unknown

const bytesLike = (value: Uint8Array): Change[] => [
  () => Buffer.alloc(value.length),
  (random) => Buffer.alloc(value.length, random.below(256)),
  (random) => {
    const copy = Buffer.from(value)
    if (copy.length > 0) copy[random.below(copy.length)] = random.below(256)
    return copy
  },
  () => value.subarray(0, Math.max(0, value.length - 1)),
  () => Buffer.concat([value, Buffer.of(0)]),
  () => Buffer.alloc(0),
  (random) => Buffer.alloc(random.below(BYTES_MAX), 7),
]

const listLike = (value: readonly unknown[]): Change[] => [
  () => [],
  () => value.slice(1),
  () => [...value].reverse(),
  () => [...value, ...value],
  (random) => (value.length === 0 ? value : Array.from({ length: random.below(ITEMS_MAX) }, () => value[0])),
]

const numberLike = (value: number): Change[] => [
  (random) => random.pick(NUMBERS),
  () => value + 1,
  () => Math.max(0, value - 1),
]

function changesOf(value: unknown): Change[] {
  if (value instanceof Uint8Array) return bytesLike(value)
  if (Array.isArray(value)) return listLike(value)
  if (typeof value === 'number') return numberLike(value)
  if (typeof value === 'bigint') return [() => 0n, () => 2n ** 64n - 1n, () => value + 1n]
  // Keys of peers and accounts are strings of bytes.
  if (typeof value === 'string') {
    return [(random) => Buffer.alloc(value.length, random.below(256)).toString('latin1'), () => '', () => `${value}x`]
  }
  return []
}

/** A copy of a value in which one thing at a random place is another; the same where there is nothing to change. */
export function mutated<T>(value: T, random: Random): T {
  const places: { readonly holder: Record<string, unknown>; readonly key: string }[] = []
  const root = { value: structuredCloneOf(value) }
  const walk = (holder: Record<string, unknown>): void => {
    for (const [key, inner] of Object.entries(holder)) {
      // The kind of a variant and its value belong together.
      if (key === 'kind') continue
      if (changesOf(inner).length > 0 || inner === undefined) places.push({ holder, key })
      if (inner instanceof Uint8Array || inner === null || typeof inner !== 'object') continue
      places.push({ holder, key })
      walk(inner as Record<string, unknown>)
    }
  }
  walk(root as Record<string, unknown>)
  if (places.length === 0) return root.value
  const { holder, key } = random.pick(places)
  const changes = changesOf(holder[key])
  holder[key] = changes.length === 0 || random.chance(0.1) ? undefined : random.pick(changes)(random)
  return root.value
}

/** Deep, with views copied and buffers kept as such. */
function structuredCloneOf<T>(value: T): T {
  if (value instanceof Uint8Array) return Buffer.from(value) as unknown as T
  if (Array.isArray(value)) return value.map(structuredCloneOf) as unknown as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, structuredCloneOf(inner)])) as T
}

/** Bytes with one of them another, some missing or some more: what no declaration allows. */
export function spoiled(bytes: Uint8Array, random: Random): Buffer {
  const copy = Buffer.from(bytes)
  if (random.chance(0.3)) return copy.subarray(0, random.below(copy.length + 1))
  if (random.chance(0.2)) return Buffer.concat([copy, Buffer.alloc(1 + random.below(64), random.below(256))])
  if (copy.length > 0) copy[random.below(copy.length)] = random.below(256)
  return copy
}
