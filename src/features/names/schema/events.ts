/** Owns the events of names. */
import { hash32, list, option, u32, varint } from '../../../codec/index.js'
import {
  aboutObjects,
  accountId,
  accountParty,
  defineEvents,
  domainId,
  type EventAbout,
  type EventSubject,
} from '../../../model/index.js'
import { labelInput, NAME_IDS, nameInput, RESERVATIONS_MAX, TRANSFERRED_MAX } from './records.js'

const BASE = NAME_IDS.first
const SUBJECT = 'name'

const named = { name: nameInput }
const owned = { ...named, owner: accountId }
const held = { ...owned, account: accountId }
const about = (names: readonly string[], ...accounts: readonly string[]): EventAbout => ({
  objects: names,
  parties: [...new Set(accounts)].map(accountParty),
})
const ofName: EventSubject<{ readonly name: string }> = { subject: SUBJECT, about: ({ name }) => aboutObjects(name) }
const ofOwner: EventSubject<{ readonly name: string; readonly owner: string }> = {
  subject: SUBJECT,
  about: ({ name, owner }) => about([name], owner),
}
const ofHolder: EventSubject<{ readonly name: string; readonly owner: string; readonly account: string }> = {
  subject: SUBJECT,
  about: ({ name, owner, account }) => about([name], owner, account),
}

export const events = defineEvents({
  namePolicySet: {
    id: BASE,
    record: { domain: domainId, version: u32 },
    subject: SUBJECT,
    about: ({ domain }) => aboutObjects(domain),
  },
  nameCommitted: {
    id: BASE + 1,
    record: { commitment: hash32, account: accountId },
    subject: SUBJECT,
    about: ({ account }) => about([], account),
  },
  nameRegistered: { id: BASE + 2, record: { ...held, expiresMs: varint }, ...ofHolder },
  nameRenewed: { id: BASE + 3, record: { ...owned, expiresMs: varint }, ...ofOwner },
  nameTransferred: {
    id: BASE + 4,
    record: { names: list(nameInput, TRANSFERRED_MAX), from: accountId, to: accountId },
    subject: SUBJECT,
    about: ({ names, from, to }) => about(names, from, to),
  },
  nameAccountSet: { id: BASE + 5, record: held, ...ofHolder },
  nameRecordsSet: { id: BASE + 6, record: named, ...ofName },
  nameManagerSet: { id: BASE + 7, record: { ...named, manager: option(accountId) }, ...ofName },
  primaryNameSet: {
    id: BASE + 8,
    record: { account: accountId, name: option(nameInput) },
    subject: SUBJECT,
    about: ({ account, name }) => about(name === undefined ? [] : [name], account),
  },
  subnameCreated: { id: BASE + 9, record: { ...held, expiresMs: option(varint) }, ...ofHolder },
  subnameRemoved: { id: BASE + 10, record: owned, ...ofOwner },
  nameReleased: { id: BASE + 11, record: { ...owned, quarantineUntilMs: varint }, ...ofOwner },
  namePruned: { id: BASE + 12, record: owned, ...ofOwner },
  namesReserved: {
    id: BASE + 13,
    record: {
      domain: option(domainId),
      added: list(labelInput, RESERVATIONS_MAX),
      removed: list(labelInput, RESERVATIONS_MAX),
    },
    subject: SUBJECT,
    about: ({ domain }) => aboutObjects(...(domain === undefined ? [] : [domain])),
  },
})
