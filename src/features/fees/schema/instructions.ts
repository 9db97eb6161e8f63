/** Owns the record of sponsorship (docs/design/lanes.md 5). */

import { enumOf, type Infer, numeric, option, struct, varint } from '../../../codec/index.js'
import { accountId, defineInstructions, domainId, type InstructionOf } from '../../../model/index.js'

/** Whose fees are paid: of one account, or of all accounts at home in a domain. */
export type Beneficiary = Infer<typeof beneficiary>
export const beneficiary = enumOf('FeeBeneficiary', { account: [0, accountId], domain: [1, domainId] })

/** What a sponsor lets others spend, in the fee asset. */
export interface SponsorTerms extends Infer<typeof sponsorTerms> {}
export const sponsorTerms = struct('SponsorTerms', {
  maxPerTx: numeric,
  /** Per UTC day of header time. */
  maxPerDay: numeric,
  /** End, in ms since the Unix epoch of header time; absent: none. */
  expiresMs: option(varint),
})

export const instructions = defineInstructions({
  sponsorFees: {
    id: 46,
    label: 'fee::sponsor',
    record: {
      beneficiary,
      /** Absent: the sponsorship ends. */
      terms: option(sponsorTerms),
    },
  },
})

export interface SponsorFees extends InstructionOf<typeof instructions.sponsorFees> {}
