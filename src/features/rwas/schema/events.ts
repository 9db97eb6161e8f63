/** Owns the events of real-world assets. */
import { bool, numeric, option, varint } from '../../../codec/index.js'
import {
  type AccountId,
  aboutLots,
  accountId,
  accountParty,
  assetDefinitionId,
  defineEvents,
  type EventSubject,
  lotEvents,
  lotHold,
  lotId,
  lotList,
  lotPapers,
  lotReason,
  RWA_IDS,
  rwaFlags,
} from '../../../model/index.js'

/** The first ids belong to `lotEvents`. */
const BASE = RWA_IDS.first + 10

const ofClass: EventSubject<{ readonly class: string }> = {
  subject: 'rwa',
  about: ({ class: id }) => ({ objects: [id], parties: [] }),
}
const ofOwner: EventSubject<{ readonly class: string; readonly account: AccountId }> = {
  subject: 'rwa',
  about: ({ class: id, account }) => ({ objects: [id], parties: [accountParty(account)] }),
}
const ofLot: EventSubject<{ readonly lot: string }> = { subject: 'rwa', about: ({ lot }) => aboutLots([lot]) }
const ofHeldLot: EventSubject<{ readonly lot: string; readonly holder: AccountId }> = {
  subject: 'rwa',
  about: ({ lot, holder }) => aboutLots([lot], [holder]),
}

export const events = {
  ...lotEvents,
  ...defineEvents({
    rwaClassRegistered: { id: BASE, record: { class: assetDefinitionId, account: accountId }, ...ofOwner },
    rwaClassChanged: { id: BASE + 1, record: { class: assetDefinitionId, paused: bool, flags: rwaFlags }, ...ofClass },
    rwaIssued: {
      id: BASE + 2,
      record: { lot: lotId, holder: accountId, quantity: numeric, reference: lotPapers.reference },
      ...ofHeldLot,
    },
    rwaMerged: {
      id: BASE + 3,
      record: { lot: lotId, parents: lotList, holder: accountId, quantity: numeric },
      subject: 'rwa',
      about: ({ lot, parents, holder }) => aboutLots([lot, ...parents], [holder]),
    },
    rwaFrozen: { id: BASE + 4, record: { lot: lotId, frozen: bool, reason: lotReason }, ...ofLot },
    rwaHeld: { id: BASE + 5, record: { lot: lotId, hold: lotHold }, ...ofLot },
    rwaReleased: { id: BASE + 6, record: { lot: lotId, hold: varint, reason: lotReason }, ...ofLot },
    rwaRedeemed: {
      id: BASE + 7,
      record: { lot: lotId, hold: varint, holder: accountId, quantity: numeric, rest: numeric },
      ...ofHeldLot,
    },
    rwaHolderSet: {
      id: BASE + 8,
      record: { class: assetDefinitionId, account: accountId, eligibleUntilMs: option(varint) },
      ...ofOwner,
    },
    rwaIncomeDeclared: {
      id: BASE + 9,
      record: { class: assetDefinitionId, cash: assetDefinitionId, amount: numeric },
      ...ofClass,
    },
    rwaIncomeClaimed: {
      id: BASE + 10,
      record: { class: assetDefinitionId, account: accountId, amount: numeric },
      ...ofOwner,
    },
  }),
}
