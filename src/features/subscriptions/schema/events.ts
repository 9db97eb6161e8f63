/** Owns the events of plans and subscriptions. Data triggers and streams filter them by the id of a subscription. */
import { bool, hash32, numeric, option, u16, varint } from '../../../codec/index.js'
import {
  aboutObjects,
  aboutParties,
  accountId,
  accountParty,
  defineEvents,
  type EventSubject,
} from '../../../model/index.js'
import { invoice, planName, subscriptionId, subscriptionReference, subscriptionStatus } from './records.js'

const SUBJECT = 'subscription'
const subscription: EventSubject<{ readonly subscription: Uint8Array }> = {
  subject: SUBJECT,
  about: (value) => aboutObjects(Buffer.from(value.subscription).toString('hex')),
}
const plan: EventSubject<{ readonly provider: string }> = {
  subject: SUBJECT,
  about: ({ provider }) => aboutParties(accountParty(provider)),
}
const parties = { subscription: subscriptionId, provider: accountId, subscriber: accountId }

export const events = defineEvents({
  subscriptionPlanCreated: { id: 1900, record: { provider: accountId, plan: planName, planHash: hash32 }, ...plan },
  subscriptionPlanClosed: { id: 1901, record: { provider: accountId, plan: planName }, ...plan },
  subscriptionCreated: {
    id: 1902,
    record: { ...parties, plan: planName, reference: subscriptionReference, status: subscriptionStatus },
    ...subscription,
  },
  subscriptionStatusChanged: { id: 1903, record: { ...parties, status: subscriptionStatus }, ...subscription },
  /** A charge was paid, or its credit covers it. */
  subscriptionCharged: {
    id: 1904,
    record: {
      ...parties,
      invoice,
      /** Time of the next due run; absent: no charge follows, or the provider has no free run in that hour. */
      nextMs: option(varint),
    },
    ...subscription,
  },
  subscriptionChargeFailed: {
    id: 1905,
    record: {
      ...parties,
      number: varint,
      /** Error number. */
      error: option(u16),
      status: subscriptionStatus,
      /** Time of the next attempt; absent: no attempt is scheduled. */
      retryMs: option(varint),
    },
    ...subscription,
  },
  subscriptionUsageRecorded: {
    id: 1906,
    record: { ...parties, sequence: varint, quantity: numeric, usage: numeric },
    ...subscription,
  },
  subscriptionRefunded: { id: 1907, record: { ...parties, amount: numeric, credit: numeric }, ...subscription },
  subscriptionPlanChanged: { id: 1908, record: { ...parties, plan: planName }, ...subscription },
  subscriptionEndChanged: {
    id: 1909,
    record: { ...parties, /** True if it is canceled at the end of its period. */ isEnding: bool },
    ...subscription,
  },
})
