/** Owns the record of the totals of objects. */
import { type Infer, type Schema, struct, varint } from '../../../codec/index.js'

const input_ = struct('TotalsQuery', {})
export const totalsInput: Schema<object> = input_

const totals_ = struct('Totals', {
  domains: varint,
  accounts: varint,
  assetDefinitions: varint,
  nfts: varint,
  height: varint,
})
/** Objects that exist after the block of a height. */
export type Totals = Infer<typeof totals_>
export const totals: Schema<Totals> = totals_
