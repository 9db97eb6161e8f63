/** Owns the table of settlements of lots. */
import { hash32, type Infer, struct, varint } from '../../../codec/index.js'
import { name, RWA_IDS } from '../../../model/index.js'
import type { TableDef } from '../../../state/index.js'

/** Completed settlement; the row is permanent, so that an id can be used only once. */
export interface LotSettlement extends Infer<typeof lotSettlement_> {}
const lotSettlement_ = struct('LotSettlement', { transactionHash: hash32, height: varint })
export const lotSettlements: TableDef<string, LotSettlement> = {
  id: RWA_IDS.first + 3,
  name: 'rwa_settlement',
  bound: { holds: 'one settlement', filledBy: 'SettleRwaDvp', atBound: 'stays: an id is used once' },
  key: name,
  value: lotSettlement_,
}
