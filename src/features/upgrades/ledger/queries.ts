/** Owns the answer about runtime upgrades. */
import type { QueryRun } from '../../../executor/reads.js'
import type * as schema from '../schema/views.js'
import { allOf, isOpen } from './tables.js'

export const upgradesQuery: QueryRun<Record<string, never>, schema.UpgradeList> = async ({ reader, height }) => {
  const items = allOf(reader).map((one): schema.UpgradeView => {
    const isOver = one.status === 'proposed' && !isOpen(one, height + 1)
    return isOver ? { ...one, status: 'expired' } : one
  })
  return { items, height }
}
