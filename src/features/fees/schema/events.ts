/** Owns the events of fees. */

import { bool, numeric, option, string, struct } from '../../../codec/index.js'
import { aboutParties, accountId, accountParty, assetDefinitionId, defineEvent } from '../../../model/index.js'
import { FEE_EVENTS as ID } from './ids.js'

/** The fee of a transaction; it is settled after all triggers, so none can follow it. */
export const feePaid = defineEvent(
  ID.feePaid,
  'feePaid',
  struct('FeePaid', {
    payer: accountId,
    definition: assetDefinitionId,
    amount: numeric,
    /** Account that got it; absent: burned or put into the pot. */
    to: option(accountId),
  }),
)
export const sponsorshipChanged = defineEvent(
  ID.sponsorshipChanged,
  'sponsorshipChanged',
  struct('SponsorshipChanged', { sponsor: accountId, beneficiary: string(128), active: bool }),
  { subject: 'sponsorship', about: (value) => aboutParties(accountParty(value.sponsor)) },
)
