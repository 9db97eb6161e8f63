/** Owns the events of real-world assets. */
import { numeric } from '../../../codec/index.js'
import {
  aboutLots,
  accountId,
  accountParty,
  assetDefinitionId,
  defineEvents,
  lotEvents,
  lotId,
  lotPapers,
  RWA_IDS,
} from '../../../model/index.js'

/** The first ids are those of lot-events.ts. */
const BASE = RWA_IDS.first + 10

export const events = {
  ...lotEvents,
  ...defineEvents({
    rwaClassRegistered: {
      id: BASE,
      record: { class: assetDefinitionId, owner: accountId },
      subject: 'rwa',
      about: ({ class: id, owner }) => ({ objects: [id], parties: [accountParty(owner)] }),
    },
    rwaIssued: {
      id: BASE + 1,
      record: { lot: lotId, holder: accountId, quantity: numeric, reference: lotPapers.reference },
      subject: 'rwa',
      about: ({ lot, holder }) => aboutLots([lot], [holder]),
    },
  }),
}
