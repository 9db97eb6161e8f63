/** Subscriptions on a node: drafts, and the stream of their events. */
import { type AnyHandler, handle } from '../../api/handler.js'
import type { NodeServices } from '../../api/services.js'
import { eventsOfKinds, type StreamSource, streamItems } from '../../api/stream-source.js'
import { type AccountId, type InstructionDef, instruction } from '../../model/index.js'
import { answerDraft, type Drafting, draftOfBody } from '../drafts.js'
import { defineService } from '../service.js'
import { subscriptionSchema } from './schema/index.js'
import { instructions } from './schema/instructions.js'
import * as routes from './schema/routes.js'

type OfOne = Drafting & { readonly params: { readonly id: Uint8Array } }
type ById = { readonly subscription: Uint8Array }

/** Draft of a change of the subscription of the path; the body has the other fields. */
const change =
  <T extends ById>(def: InstructionDef<T>) =>
  (input: OfOne & { readonly body: Omit<T, 'subscription'> }) =>
    answerDraft(
      input,
      [instruction<ById>(def as InstructionDef<ById>, { ...input.body, subscription: input.params.id })],
      () => ({}),
    )

/** Draft of a change without other fields. */
const changeById = (def: InstructionDef<ById>) => (input: OfOne) =>
  answerDraft(input, [instruction(def, { subscription: input.params.id })], () => ({}))

const handlers: ReadonlyMap<string, AnyHandler<NodeServices>> = new Map([
  handle(routes.planDraftRoute, draftOfBody(instructions.createPlan)),
  handle(routes.closeDraftRoute, draftOfBody(instructions.closePlan)),
  handle(routes.subscribeDraftRoute, draftOfBody(instructions.subscribe)),
  handle(routes.approveDraftRoute, changeById(instructions.approveSubscription)),
  handle(routes.pauseDraftRoute, changeById(instructions.pauseSubscription)),
  handle(routes.resumeDraftRoute, changeById(instructions.resumeSubscription)),
  handle(routes.keepDraftRoute, changeById(instructions.keepSubscription)),
  handle(routes.chargeDraftRoute, changeById(instructions.chargeSubscription)),
  handle(routes.cancelDraftRoute, change(instructions.cancelSubscription)),
  handle(routes.usageDraftRoute, change(instructions.recordSubscriptionUsage)),
  handle(routes.changeDraftRoute, change(instructions.changeSubscriptionPlan)),
  handle(routes.refundDraftRoute, change(instructions.refundSubscription)),
])

const KINDS: ReadonlySet<string> = new Set(Object.keys(subscriptionSchema.events))

/** Fields of events of subscriptions; events of plans have only the provider. */
interface Parties {
  readonly subscription?: Uint8Array
  readonly provider: AccountId
  readonly subscriber?: AccountId
}

const streams: ReadonlyMap<string, StreamSource> = new Map([
  streamItems(routes.eventStream, {
    event: 'subscription.event',
    schema: routes.subscriptionEvent,
    read: (services, height) => eventsOfKinds(services, height, KINDS),
    wanted({ query: { subscription }, accounts: { account } }) {
      return ({ event }: routes.SubscriptionEvent) => {
        const of = event.value as Parties
        if (account !== undefined && of.provider !== account && of.subscriber !== account) return false
        return (
          subscription === undefined ||
          (of.subscription !== undefined && Buffer.compare(of.subscription, subscription) === 0)
        )
      }
    },
  }),
])

export const subscriptionService = defineService(subscriptionSchema, { open: () => ({ handlers, streams }) })
