/** Owns the tables of slashes. */

import { type Infer, u32, varint } from '../../../../codec/index.js'
import { type AccountId, accountId } from '../../../../model/index.js'
import type { TableDef } from '../../../../state/index.js'
import { type Slash, slash } from '../../schema/records.js'
import { exposureKey } from '../elections/tables.js'
import { table } from '../table.js'

export const slashes: TableDef<number, Slash> = table(613, 'slashes', varint, slash, {
  holds: 'one slash',
  filledBy: 'blocks with evidence',
  atBound: '16 of a peer in an evidence window; stays',
})
/** Share slashed from a validator for faults of a term, in bps: the highest fault counts, not the sum. */
export const takenShares: TableDef<Infer<typeof exposureKey>, number> = table(615, 'taken', exposureKey, u32, {
  holds: 'a share',
  filledBy: 'executed slashes',
  atBound: 'stays: one row for each validator and term that was slashed',
})
export const openSlashes: TableDef<AccountId, number> = table(616, 'open_slashes', accountId, u32, {
  holds: 'a count',
  filledBy: 'blocks with evidence',
  atBound: 'leaves at zero',
})
