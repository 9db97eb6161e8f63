/** Owns the events of fees. */

import { bool, numeric, option, string } from '../../../codec/index.js'
import { aboutParties, accountId, accountParty, assetDefinitionId, defineEvents } from '../../../model/index.js'

export const events = defineEvents({
  /** The fee of a transaction; it is settled after all triggers, so none can follow it. */
  feePaid: {
    id: 44,
    record: {
      payer: accountId,
      definition: assetDefinitionId,
      amount: numeric,
      /** Account that got it; absent: burned or put into the pot. */
      to: option(accountId),
    },
  },
  sponsorshipChanged: {
    id: 45,
    record: { sponsor: accountId, beneficiary: string(128), active: bool },
    subject: 'sponsorship',
    about: (value) => aboutParties(accountParty(value.sponsor)),
  },
})
