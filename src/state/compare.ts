/** Owns the comparison of two state databases, row by row. */
import type { StateBackend } from './backend.js'
import { SPACE } from './key-space.js'
import type { RowKey } from './table.js'

/** Row that differs between the databases. */
export interface DifferingRow {
  readonly row: RowKey
  readonly left: Buffer | undefined
  readonly right: Buffer | undefined
}

/** Rows that differ, in byte order of their keys, at most `limit`. */
export async function differingRows(left: StateBackend, right: StateBackend, limit: number): Promise<DifferingRow[]> {
  const range = { gte: Buffer.of(SPACE.row), lt: Buffer.of(SPACE.row + 1) }
  const sides = [left.range(range)[Symbol.asyncIterator](), right.range(range)[Symbol.asyncIterator]()] as const
  const found: DifferingRow[] = []
  let [a, b] = await Promise.all([sides[0].next(), sides[1].next()])
  while (found.length < limit && !(a.done === true && b.done === true)) {
    const order = a.done === true ? 1 : b.done === true ? -1 : a.value[0].compare(b.value[0])
    const key: Buffer = order <= 0 ? a.value[0] : b.value[0]
    const row = key.toString('latin1', 1)
    const ours: Buffer | undefined = order <= 0 ? a.value[1] : undefined
    const theirs: Buffer | undefined = order >= 0 ? b.value[1] : undefined
    if (ours === undefined || theirs === undefined || !ours.equals(theirs))
      found.push({ row, left: ours, right: theirs })
    if (order <= 0) a = await sides[0].next()
    if (order >= 0) b = await sides[1].next()
  }
  await Promise.all([sides[0].return?.(), sides[1].return?.()])
  return found
}
