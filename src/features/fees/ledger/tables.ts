/** Owns the table of sponsorships (docs/design/lanes.md 5). */

import { type Infer, type Numeric, numeric, option, struct, varint } from '../../../codec/index.js'
import { accountId, type Incarnation, incarnation } from '../../../model/index.js'
import type { TableDef } from '../../../state/index.js'
import { beneficiary, type SponsorTerms } from '../schema.js'

export interface SponsorshipKey extends Infer<typeof sponsorshipKey_> {}
/** A sponsorship and what it paid on one day. */
export interface Sponsorship extends SponsorTerms {
  /** Registration of the beneficiary: whoever takes its id later is not sponsored. */
  readonly incarnation: Incarnation
  readonly day: number
  readonly spent: Numeric
}
const sponsorshipKey_ = struct('SponsorshipKey', { sponsor: accountId, beneficiary })
const sponsorship_ = struct('Sponsorship', {
  maxPerTx: numeric,
  maxPerDay: numeric,
  expiresMs: option(varint),
  incarnation,
  day: varint,
  spent: numeric,
})
export const sponsorships: TableDef<SponsorshipKey, Sponsorship> = {
  id: 40,
  name: 'sponsorships',
  bound: { holds: 'terms and what a day has cost', filledBy: 'SponsorFees', atBound: 'leaves when it is ended' },
  key: sponsorshipKey_,
  value: sponsorship_,
}
