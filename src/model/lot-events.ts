/** Owns the events of lots that the kernel records; the feature of real-world assets includes them in its schema. */
import { numeric, option } from '../codec/index.js'
import { type AccountId, accountId } from './address.js'
import { defineEvents } from './definition.js'
import { accountParty, type EventAbout } from './event.js'
import { lotId, lotReason, parseLot, RWA_IDS } from './lot.js'

/** Lots with their classes, and the accounts of an event. */
export const aboutLots = (lots: readonly string[], parties: readonly AccountId[] = []): EventAbout => ({
  objects: [...lots, ...new Set(lots.map((lot) => parseLot(lot).definition))],
  parties: [...new Set(parties)].map(accountParty),
})

export const lotEvents = defineEvents({
  /** A whole lot changed its holder. */
  rwaTransferred: {
    id: RWA_IDS.first,
    record: { lot: lotId, from: accountId, to: accountId, quantity: numeric, reason: option(lotReason) },
    subject: 'rwa',
    about: ({ lot, from, to }) => aboutLots([lot], [from, to]),
  },
  /** A part of a lot became a lot of its own; the parent is spent if nothing remains. */
  rwaSplit: {
    id: RWA_IDS.first + 1,
    record: { lot: lotId, parent: lotId, from: accountId, to: accountId, quantity: numeric, rest: numeric },
    subject: 'rwa',
    about: ({ lot, parent, from, to }) => aboutLots([lot, parent], [from, to]),
  },
})
