/** Owns the record of the totals of objects. */
import { type Infer, struct, varint } from '../../../codec/index.js'

export const totalsInput = struct('TotalsQuery', {})

/** Objects that exist after the block of a height. */
export interface Totals extends Infer<typeof totals> {}
export const totals = struct('Totals', {
  domains: varint,
  accounts: varint,
  assetDefinitions: varint,
  nfts: varint,
  height: varint,
})
