/** Owns the instructions of plans and subscriptions. */
import { hash32, numeric, option, unitEnum, varint } from '../../../codec/index.js'
import { accountId, defineInstructions, type InstructionOf } from '../../../model/index.js'
import { mandate, planName, planTerms, subscriptionId, subscriptionReference } from './records.js'

const subscription = { subscription: subscriptionId }

/** Fields for a change of one subscription, apart from its id. */
export const changes = {
  cancel: { at: unitEnum('SubscriptionEnd', { immediate: 0, periodEnd: 1 }) },
  changePlan: {
    /** New plan of the same provider and asset, or the same plan with a new mandate. */
    plan: planName,
    planHash: hash32,
    /** Absent: the current mandate is kept. */
    mandate: option(mandate),
  },
  usage: {
    /** Must exceed every earlier sequence, so that usage is recorded only once. */
    sequence: varint,
    quantity: numeric,
  },
  refund: { amount: numeric },
}

export const instructions = defineInstructions({
  createPlan: { id: 1900, label: 'subscription::create_plan', record: { plan: planName, terms: planTerms } },
  closePlan: { id: 1901, label: 'subscription::close_plan', record: { plan: planName } },
  subscribe: {
    id: 1902,
    label: 'subscription::subscribe',
    record: {
      provider: accountId,
      plan: planName,
      /** Terms that the subscriber agrees to. */
      planHash: hash32,
      reference: subscriptionReference,
      mandate,
    },
  },
  approveSubscription: { id: 1903, label: 'subscription::approve', record: subscription },
  pauseSubscription: { id: 1904, label: 'subscription::pause', record: subscription },
  resumeSubscription: { id: 1905, label: 'subscription::resume', record: subscription },
  cancelSubscription: { id: 1906, label: 'subscription::cancel', record: { ...subscription, ...changes.cancel } },
  keepSubscription: { id: 1907, label: 'subscription::keep', record: subscription },
  changeSubscriptionPlan: {
    id: 1908,
    label: 'subscription::change_plan',
    record: { ...subscription, ...changes.changePlan },
  },
  recordSubscriptionUsage: {
    id: 1909,
    label: 'subscription::record_usage',
    record: { ...subscription, ...changes.usage },
  },
  chargeSubscription: { id: 1910, label: 'subscription::charge', record: subscription },
  refundSubscription: { id: 1911, label: 'subscription::refund', record: { ...subscription, ...changes.refund } },
})

export interface CreatePlan extends InstructionOf<typeof instructions.createPlan> {}
export interface Subscribe extends InstructionOf<typeof instructions.subscribe> {}
export interface ChangeSubscriptionPlan extends InstructionOf<typeof instructions.changeSubscriptionPlan> {}
