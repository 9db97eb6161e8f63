/** Owns the events of repos. Data triggers and streams filter them by the id and the parties of an agreement. */
import { hash32, numeric, option, varint } from '../../../codec/index.js'
import {
  type AccountId,
  aboutObjects,
  accountId,
  accountParty,
  assetDefinitionId,
  defineEvents,
  type EventSubject,
  name,
} from '../../../model/index.js'
import { closeCause, defaultCause, REPO_IDS, repoFailure, repoReference } from './records.js'

const BASE = REPO_IDS.first
const SUBJECT = 'repo'
/** Id of an agreement as an object of events. */
export const repoObject = (id: Uint8Array): string => Buffer.from(id).toString('hex')

const place = { id: hash32, seller: accountId, buyer: accountId }
const ofRepo: EventSubject<{ readonly id: Uint8Array; readonly seller: AccountId; readonly buyer: AccountId }> = {
  subject: SUBJECT,
  about: ({ id, seller, buyer }) => ({ objects: [repoObject(id)], parties: [seller, buyer].map(accountParty) }),
}

export const events = defineEvents({
  businessCalendarSet: {
    id: BASE,
    record: { calendar: name, owner: accountId },
    subject: SUBJECT,
    about: ({ calendar }) => aboutObjects(calendar),
  },
  repoPricePosted: {
    id: BASE + 1,
    record: { poster: accountId, definition: assetDefinitionId, cash: assetDefinitionId, price: numeric },
    subject: SUBJECT,
    about: ({ poster, definition }) => ({ objects: [definition], parties: [accountParty(poster)] }),
  },
  repoProposed: {
    id: BASE + 2,
    record: { ...place, custodian: option(accountId), reference: repoReference, termsHash: hash32 },
    subject: SUBJECT,
    about: ({ id, seller, buyer, custodian }) => ({
      objects: [repoObject(id)],
      parties: [seller, buyer, ...(custodian === undefined ? [] : [custodian])].map(accountParty),
    }),
  },
  repoConsented: { id: BASE + 3, record: { ...place, by: accountId }, ...ofRepo },
  /** All consents are given; it opens when its purchase date begins. */
  repoWaiting: { id: BASE + 4, record: { ...place, opensMs: varint }, ...ofRepo },
  repoOpened: { id: BASE + 5, record: { ...place, cash: numeric, maturityMs: varint }, ...ofRepo },
  repoMarginCalled: { id: BASE + 6, record: { ...place, exposure: numeric, dueMs: varint }, ...ofRepo },
  repoMarginMet: { id: BASE + 7, record: { ...place, cashMargin: numeric }, ...ofRepo },
  repoExcessTaken: { id: BASE + 8, record: { ...place, cashMargin: numeric }, ...ofRepo },
  /** One party requested an early repurchase, which the other can complete on the same day. */
  repoRepurchaseAsked: { id: BASE + 9, record: { ...place, by: accountId }, ...ofRepo },
  repoLate: {
    id: BASE + 10,
    record: {
      ...place,
      /** Code of the payment that failed. */
      failure: repoFailure,
      /** Time of the next attempt; absent: no attempt is scheduled. */
      retryMs: option(varint),
    },
    ...ofRepo,
  },
  repoDefaulted: { id: BASE + 11, record: { ...place, cause: defaultCause }, ...ofRepo },
  repoClosed: {
    id: BASE + 12,
    record: {
      ...place,
      cause: closeCause,
      /** Cash that was paid to the buyer. */
      paid: numeric,
      shortfall: option(numeric),
      /** Code of the error of the opening. */
      failure: option(repoFailure),
    },
    ...ofRepo,
  },
})
