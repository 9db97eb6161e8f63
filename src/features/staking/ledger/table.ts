/** Owns the declaration of staking tables. */

import { type Schema, string } from '../../../codec/index.js'
import type { TableDef } from '../../../state/index.js'

export const table = <K, V>(
  id: number,
  name: string,
  key: Schema<K>,
  value: Schema<V>,
  bound: TableDef<K, V>['bound'],
): TableDef<K, V> => ({ id, name: `staking_${name}`, bound, key, value })
/** Key of the only row of a table. */
export const ONLY = ''
export const only: Schema<string> = string(1)
