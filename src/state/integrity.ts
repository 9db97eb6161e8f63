/** Owns the comparison of stored rows with the state tree, to find a row changed on disk. */
import { sameBytes } from '../base/bytes.js'
import { valueHashOf } from './proof.js'
import type { RowKey } from './table.js'
import type { WorldState } from './world-state.js'

/** Row whose stored bytes do not match the tree. */
export interface DamagedRow {
  readonly row: RowKey
  /** Stored bytes; undefined if the row is missing. */
  readonly stored: Buffer | undefined
  /** Hash of the committed value, from the tree; undefined if the tree has no such row. */
  readonly recordedHash: Buffer | undefined
}

/** Damage of one row, or undefined if it matches the tree. */
export function rowDamage(world: WorldState, row: RowKey): DamagedRow | undefined {
  const stored = world.rowBytes(row)
  const recordedHash = world.recordedHash(row)
  if (stored === undefined && recordedHash === undefined) return undefined
  const sound = stored !== undefined && recordedHash !== undefined && sameBytes(valueHashOf(stored), recordedHash)
  return sound ? undefined : { row, stored, recordedHash }
}

/** All damaged rows, in byte order of their keys; reads the whole state. */
export async function damagedRows(world: WorldState, limit: number): Promise<DamagedRow[]> {
  const found: DamagedRow[] = []
  for await (const { row } of world.allRows()) {
    const damage = rowDamage(world, row)
    if (damage !== undefined) found.push(damage)
    if (found.length >= limit) break
  }
  return found
}
