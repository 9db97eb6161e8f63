/**
 * Owns records with delayed changes: values in effect at a height, latest decided values, and activation. A catalogue
 * has one row for each item and version; its index lists the versions in effect together.
 */
import { list, type Schema, structOf, varint } from '../codec/index.js'
import { GENESIS_HEIGHT } from '../model/index.js'
import type { StateReader, StateWriter, TableDef } from '../state/index.js'

/**
 * Maximum pending changes: a change takes effect two heights after its block, so that at most two heights are pending.
 */
const STAGED_MAX = 2

/** Value and its pending changes, ascending by height. */
export interface Staged<T> {
  readonly current: T
  readonly staged: readonly { readonly fromHeight: number; readonly value: T }[]
}

/** Schema of a staged record. */
export const stagedSchema = <T>(name: string, value: Schema<T>): Schema<Staged<T>> =>
  structOf<Staged<T>>(name, {
    current: value,
    staged: list(structOf<Staged<T>['staged'][number]>(`${name}Change`, { fromHeight: varint, value }), STAGED_MAX),
  })

/** Key of the only row of a table. */
const SINGLETON_KEY = ''

type StagedTable<T> = TableDef<string, Staged<T>>

/** Value in effect at a height; undefined if none was decided. */
function valueAt<T>(state: StateReader, table: StagedTable<T>, height: number): T | undefined {
  const row = state.get(table, SINGLETON_KEY)
  return row?.staged.findLast((change) => change.fromHeight <= height)?.value ?? row?.current
}

/** Latest decided value, in effect or pending; the next decision is based on it. */
function latestValue<T>(state: StateReader, table: StagedTable<T>): T | undefined {
  const row = state.get(table, SINGLETON_KEY)
  return row?.staged.at(-1)?.value ?? row?.current
}

/** Version of an item, with the height from which it is in effect. */
export interface Version<K> {
  readonly id: K
  readonly from: number
}
export const versionSchema = <K>(name: string, id: Schema<K>): Schema<Version<K>> =>
  structOf<Version<K>>(name, { id, from: varint })

/** Items that change together, with a delay. */
export interface StagedCatalogue<K, V> {
  readonly index: StagedTable<readonly Version<K>[]>
  readonly items: TableDef<Version<K>, V>
  readonly idOf: (item: V) => K
  /** Value if no version was ever decided. */
  readonly fallback: readonly V[]
}

function itemOf<K, V>(state: StateReader, { items }: StagedCatalogue<K, V>, version: Version<K>): V {
  const item = state.get(items, version)
  if (item === undefined) throw new Error(`table ${items.name}: a version that its index names is missing`)
  return item
}

/** Items of an index, or the fallback if there is no index. */
const itemsOf = <K, V>(
  state: StateReader,
  catalogue: StagedCatalogue<K, V>,
  index: readonly Version<K>[] | undefined,
): readonly V[] => index?.map((version) => itemOf(state, catalogue, version)) ?? catalogue.fallback

/** Items in effect at a height. */
export const itemsAt = <K, V>(state: StateReader, catalogue: StagedCatalogue<K, V>, height: number): readonly V[] =>
  itemsOf(state, catalogue, valueAt(state, catalogue.index, height))

/** Latest decided items. */
export const latestItems = <K, V>(state: StateReader, catalogue: StagedCatalogue<K, V>): readonly V[] =>
  itemsOf(state, catalogue, latestValue(state, catalogue.index))

/** Latest decided version of one item; reads no other items. */
export function latestItem<K, V>(state: StateReader, catalogue: StagedCatalogue<K, V>, id: K): V | undefined {
  const index = latestValue(state, catalogue.index)
  if (index === undefined) return catalogue.fallback.find((item) => catalogue.idOf(item) === id)
  const version = index.find((one) => one.id === id)
  return version === undefined ? undefined : itemOf(state, catalogue, version)
}

/** Fingerprint of the items in effect at a height: equal as long as nothing changes; empty for the fallback. */
export function catalogueMark<K, V>(
  state: StateReader,
  { index, items }: StagedCatalogue<K, V>,
  height: number,
): Buffer {
  return Buffer.concat((valueAt(state, index, height) ?? []).map((version) => items.key.encode(version)))
}

/** Heights at which pending changes take effect. */
export const stagedHeights = <K, V>(state: StateReader, { index }: StagedCatalogue<K, V>): number[] =>
  state.get(index, SINGLETON_KEY)?.staged.map((change) => change.fromHeight) ?? []

/** Delete versions that no index contains. */
function dropUnused<K, V>(
  state: StateWriter,
  { items }: StagedCatalogue<K, V>,
  gone: readonly (readonly Version<K>[])[],
  kept: readonly (readonly Version<K>[])[],
): void {
  const used = new Set(kept.flat().map(({ id, from }) => `${id} ${from}`))
  for (const version of gone.flat()) if (!used.has(`${version.id} ${version.from}`)) state.delete(items, version)
}

/**
 * Stage items to take effect at a height; with `fromHeight` undefined, at once, for genesis. Writes only differences.
 */
export function stageItems<K, V>(
  state: StateWriter,
  catalogue: StagedCatalogue<K, V>,
  items: readonly V[],
  fromHeight: number | undefined,
): void {
  const from = fromHeight ?? GENESIS_HEIGHT
  const known = new Map(latestValue(state, catalogue.index)?.map((version) => [version.id, version]))
  const next = items.map((item) => {
    const id = catalogue.idOf(item)
    const before = known.get(id)
    if (before !== undefined && isSame(catalogue, itemOf(state, catalogue, before), item)) return before
    const version = { id, from }
    state.set(catalogue.items, version, item)
    return version
  })
  const row = state.get(catalogue.index, SINGLETON_KEY)
  const before = row === undefined ? [] : [row.current, ...row.staged.map((change) => change.value)]
  const after =
    fromHeight === undefined
      ? { current: next, staged: [] }
      : {
          current: row?.current ?? stagedFallback(state, catalogue),
          staged: [
            ...(row?.staged.filter((change) => change.fromHeight < fromHeight) ?? []),
            { fromHeight, value: next },
          ],
        }
  state.set(catalogue.index, SINGLETON_KEY, after)
  dropUnused(state, catalogue, before, [after.current, ...after.staged.map((change) => change.value)])
}

const isSame = <K, V>({ items }: StagedCatalogue<K, V>, a: V, b: V): boolean =>
  a === b || items.value.encode(a).equals(items.value.encode(b))

/** Write the fallback as rows; it stays in effect until the first decision takes effect. */
function stagedFallback<K, V>(state: StateWriter, catalogue: StagedCatalogue<K, V>): readonly Version<K>[] {
  return catalogue.fallback.map((item) => {
    const version = { id: catalogue.idOf(item), from: 0 }
    state.set(catalogue.items, version, item)
    return version
  })
}

/** Activate due items at the start of a block; writes only if there are any. */
export function foldDue<K, V>(state: StateWriter, catalogue: StagedCatalogue<K, V>, height: number): void {
  const row = state.get(catalogue.index, SINGLETON_KEY)
  const due = row?.staged.findLast((change) => change.fromHeight <= height)
  if (row === undefined || due === undefined) return
  const staged = row.staged.filter((change) => change.fromHeight > height)
  state.set(catalogue.index, SINGLETON_KEY, { current: due.value, staged })
  const gone = [row.current, ...row.staged.map((change) => change.value)]
  dropUnused(state, catalogue, gone, [due.value, ...staged.map((change) => change.value)])
}
