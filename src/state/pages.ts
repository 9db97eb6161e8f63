/** Owns large values in pages: separate rows, so that their record stays small and reading it reads none of them. */
import { bytes, type Schema, structOf, u8 } from '../codec/index.js'
import type { StateReader, StateWriter } from './reader.js'
import type { TableDef } from './table.js'

/**
 * Maximum size of a row, in bytes, which bounds the cost of reading or writing one key (docs/design/hardening.md 4).
 */
export const ROW_MAX_BYTES = 32 * 1024
/** Content of one page; a full page with its length is a row of ROW_MAX_BYTES. */
const PAGE_BYTES = ROW_MAX_BYTES - 3

/** Key of a page of the value that belongs to `of`. */
export interface PageKey<K> {
  readonly of: K
  readonly page: number
}
export type PageTable<K> = TableDef<PageKey<K>, Uint8Array>

/** Schemas of key and value of a page table; `name`: name of the key record. */
export const pageSchemas = <K>(name: string, of: Schema<K>): Pick<PageTable<K>, 'key' | 'value'> => ({
  key: structOf<PageKey<K>>(name, { of, page: u8 }),
  value: bytes(PAGE_BYTES),
})

const pageCount = (size: number): number => Math.ceil(size / PAGE_BYTES)

/** Write a paged value; its size is needed to read it. */
export function writePages<K>(state: StateWriter, table: PageTable<K>, of: K, value: Uint8Array): void {
  for (let page = 0; page < pageCount(value.length); page++) {
    state.set(table, { of, page }, value.subarray(page * PAGE_BYTES, (page + 1) * PAGE_BYTES))
  }
}

/** Concatenated pages of a value of this size. */
export function readPages<K>(state: StateReader, table: PageTable<K>, of: K, size: number): Uint8Array[] {
  return Array.from({ length: pageCount(size) }, (_, page) => {
    const found = state.get(table, { of, page })
    if (found === undefined) throw new Error(`table ${table.name}: page ${page} is missing`)
    return found
  })
}

/** Remove the pages of a value of this size. */
export function dropPages<K>(state: StateWriter, table: PageTable<K>, of: K, size: number): void {
  for (let page = 0; page < pageCount(size); page++) state.delete(table, { of, page })
}
