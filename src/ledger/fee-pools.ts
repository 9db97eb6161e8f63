/** Owns the fee pools: fees that wait for those whom it rewards (docs/design/lanes.md 5). */

import { type Numeric, numeric } from '../codec/index.js'
import { assetDefinitionId } from '../model/index.js'
import type { TableDef } from '../state/index.js'
import { KERNEL_TABLES } from './ids.js'

/** Fees that wait for those whom they reward, by definition; they are part of its total. */
export const feePools: TableDef<string, Numeric> = {
  id: KERNEL_TABLES.feePools,
  name: 'fee_pools',
  bound: { holds: 'an amount of 512 bits', filledBy: 'fees', atBound: 'what does not fit is burned' },
  key: assetDefinitionId,
  value: numeric,
}
