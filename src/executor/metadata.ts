/**
 * Owns the metadata of objects in the state: one row per key, so that access to an object reads none of it
 * (docs/design/hardening.md 4).
 */
import { type Infer, type Json, map, struct, u32 } from '../codec/index.js'
import {
  METADATA_MAX_BYTES,
  METADATA_MAX_KEYS,
  type Metadata,
  metadataValue,
  NO_METADATA,
  name,
  type Target,
  target,
} from '../model/index.js'
import type { StateReader, StateWriter, TableDef } from '../state/index.js'
import { type Rejection, reject } from './contract.js'

/** Keys of an object with the size of each entry: the basis of its removal and of its total bound. */
export const metadataKeys: TableDef<Target, ReadonlyMap<string, number>> = {
  id: 45,
  name: 'metadata_keys',
  bound: {
    holds: '64 keys of an object',
    filledBy: 'SetKeyValue, registrations',
    atBound: '`metadata_limit`; leaves with its object',
  },
  key: target,
  value: map(name, u32, METADATA_MAX_KEYS),
}

/** Key of one metadata value of an object. */
export interface MetadataKey extends Infer<typeof metadataKey_> {}
const metadataKey_ = struct('MetadataKey', { object: target, key: name })
export const metadataValues: TableDef<MetadataKey, Json> = {
  id: 46,
  name: 'metadata',
  bound: {
    holds: 'one value of 16 KiB',
    filledBy: 'SetKeyValue, registrations',
    atBound: '64 KiB an object: `metadata_limit`; leaves with its object',
  },
  key: metadataKey_,
  value: metadataValue,
}

export const METADATA_TABLES = [metadataKeys, metadataValues]

const NO_KEYS: ReadonlyMap<string, number> = new Map()
const sizeOf = (key: string, value: Json): number => name.encode(key).length + metadataValue.encode(value).length
const sumOf = (sizes: Iterable<number>): number => [...sizes].reduce((sum, size) => sum + size, 0)

const tooManyKeys = (): Rejection =>
  reject('metadata_limit', `an object can have at most ${METADATA_MAX_KEYS} metadata keys`)
const tooLarge = (bytes: number): Rejection =>
  reject('metadata_limit', `the metadata would have ${bytes} bytes, exceeding the limit of ${METADATA_MAX_BYTES}`)

/** Total bytes of names and values. */
export const metadataBytes = (state: StateReader, object: Target): number =>
  sumOf((state.get(metadataKeys, object) ?? NO_KEYS).values())

/** All metadata of an object, for display; execution reads single values. */
export function metadataOf(state: StateReader, object: Target): Metadata {
  const keys = state.get(metadataKeys, object)
  if (keys === undefined) return NO_METADATA
  return new Map([...keys.keys()].map((key) => [key, present(state, object, key)]))
}

function present(state: StateReader, object: Target, key: string): Json {
  const value = state.get(metadataValues, { object, key })
  if (value === undefined) throw new Error(`metadata key ${key} has no value`)
  return value
}

/** Metadata value of an object, or undefined. */
export const metadataValueOf = (state: StateReader, object: Target, key: string): Json | undefined =>
  state.get(metadataValues, { object, key })

/** Write the metadata of a newly registered object, or return the rejection. */
export function writeMetadata(state: StateWriter, object: Target, metadata: Metadata): Rejection | undefined {
  if (metadata.size === 0) return undefined
  const sizes = new Map([...metadata].map(([key, value]) => [key, sizeOf(key, value)]))
  if (sizes.size > METADATA_MAX_KEYS) return tooManyKeys()
  const bytes = sumOf(sizes.values())
  if (bytes > METADATA_MAX_BYTES) return tooLarge(bytes)
  state.set(metadataKeys, object, sizes)
  for (const [key, value] of metadata) state.set(metadataValues, { object, key }, value)
  return undefined
}

/** Sizes with one more entry, in encoding order (by length, then by bytes), so that they need not be sorted again. */
function withSize(before: ReadonlyMap<string, number>, key: string, size: number): ReadonlyMap<string, number> {
  if (before.has(key)) return new Map(before).set(key, size)
  const sizes = new Map<string, number>()
  for (const [other, bytes] of before) {
    if (!sizes.has(key) && (other.length > key.length || (other.length === key.length && other > key))) {
      sizes.set(key, size)
    }
    sizes.set(other, bytes)
  }
  return sizes.set(key, size)
}

/** Set one value, or return the rejection if the metadata is full. */
export function setMetadata(state: StateWriter, object: Target, key: string, value: Json): Rejection | undefined {
  const before = state.get(metadataKeys, object) ?? NO_KEYS
  if (!before.has(key) && before.size >= METADATA_MAX_KEYS) return tooManyKeys()
  const sizes = withSize(before, key, sizeOf(key, value))
  const bytes = sumOf(sizes.values())
  if (bytes > METADATA_MAX_BYTES) return tooLarge(bytes)
  state.set(metadataKeys, object, sizes)
  state.set(metadataValues, { object, key }, value)
  return undefined
}

/** Remove one value; false if it does not exist. */
export function removeMetadata(state: StateWriter, object: Target, key: string): boolean {
  const sizes = new Map(state.get(metadataKeys, object) ?? NO_KEYS)
  if (!sizes.delete(key)) return false
  if (sizes.size === 0) state.delete(metadataKeys, object)
  else state.set(metadataKeys, object, sizes)
  state.delete(metadataValues, { object, key })
  return true
}

/** Remove all metadata of a removed object, so that a later object with its name has none. */
export function dropMetadata(state: StateWriter, object: Target): void {
  const keys = state.get(metadataKeys, object)
  if (keys === undefined) return
  for (const key of keys.keys()) state.delete(metadataValues, { object, key })
  state.delete(metadataKeys, object)
}
