/** Owns webhooks as clients see them: error codes, records and routes. No part of the ledger. */

import { defineServiceSchema } from '../../api/feature.js'
import { defineRoute } from '../../api/route.js'
import { eventFilter } from '../../api/schema/stream.js'
import { type Infer, list, option, refine, string, struct, u16, unitEnum, varint } from '../../codec/index.js'
import { accountId, declareErrors, type ErrorDef, EXIT, row } from '../../model/index.js'

const errors = declareErrors({
  webhook_url_refused: row(
    422,
    EXIT.badInput,
    'The node does not call this URL.',
    'Give an https URL with a public host; the operator opens others with outbound.allow and outbound.allow_http.',
  ),
  webhook_limit: row(
    429,
    EXIT.rejected,
    'The node or the account has reached its limit of webhooks.',
    'Remove an unused one: `causeway webhook list`.',
  ),
  webhook_dead_letters: row(
    409,
    EXIT.rejected,
    'The webhook has reached its limit of dead events and cannot be enabled.',
    'Deliver them again or discard them: `causeway webhook dead`.',
  ),
  webhook_sealed_lost: row(
    409,
    EXIT.failed,
    'The secret of the webhook was encrypted with another network key of the node.',
    'Remove the webhook and add it again.',
  ),
})

declare module '../../model/error-catalogue.js' {
  interface ErrorRegistry extends Record<keyof typeof errors, ErrorDef> {}
}

/** Maximum webhooks of a node: each may read the chain at its own pace. */
export const HOOKS_MAX = 256
/** Maximum webhooks of one account, within the total. */
export const HOOKS_PER_ACCOUNT_MAX = 16
/** Maximum filters of a webhook; each is evaluated for every event. */
export const HOOK_FILTERS_MAX = 8
/** Maximum refused events kept for another attempt; a webhook with more is disabled. */
export const DEAD_LETTERS_MAX = 1_000
/** Maximum attempts of a webhook kept in memory. */
export const ATTEMPTS_MAX = 100
/** Maximum URL length, in bytes: the limit of outbound requests. */
export const HOOK_URL_MAX_BYTES = 2_048
/** Maximum length of a reason or a type, in bytes. */
export const HOOK_TEXT_MAX_BYTES = 160

/** Number of digits of a webhook id. */
const ID_DIGITS = 16
export const webhookId = refine(
  string(ID_DIGITS),
  'WebhookId',
  (id) => (/^[0-9a-f]{16}$/.test(id) ? undefined : 'a webhook id must be 16 hex digits'),
  { pattern: `^[0-9a-f]{${ID_DIGITS}}$` },
)
/** Maximum length of an event id: two numbers of sixteen digits, with the prefix of a gap. */
const EVENT_ID_MAX_BYTES = 37
/** Gap, given by its first and last height; ids of older nodes contain only the first height. */
const GAP = 'gap_[0-9]{1,16}(_[0-9]{1,16})?'
/** Event position, `height.number`; `gap_` and two heights: blocks that the node no longer stores. */
const EVENT = `^(${GAP}|[0-9]{1,16}\\.[0-9]{1,16})$`
const webhookEventId = refine(
  string(EVENT_ID_MAX_BYTES),
  'WebhookEventId',
  (id) => (new RegExp(EVENT).test(id) ? undefined : 'an event id is written height.number, or gap_from_to'),
  { pattern: EVENT },
)

const ATTEMPTED = `^(test_[0-9]{1,16}|${GAP}|[0-9]{1,16}\\.[0-9]{1,16})$`
/** Content of an attempt: an event, or a requested test, `test_` and its time in ms. */
const attemptedEvent = refine(
  string(EVENT_ID_MAX_BYTES),
  'WebhookAttemptedEvent',
  (id) =>
    new RegExp(ATTEMPTED).test(id) ? undefined : 'a delivery id is written height.number, gap_from_to or test_time',
  { pattern: ATTEMPTED },
)

/** Position of the first event that is neither delivered nor refused. */
export const webhookCursor = struct('WebhookCursor', { height: varint, number: varint })

/** Request for a webhook. */
export interface CreateWebhook extends Infer<typeof createWebhook> {}
const createWebhook = struct('CreateWebhook', {
  url: string(HOOK_URL_MAX_BYTES),
  /** Events that match any of the filters are sent; without filters, all events. */
  filters: list(eventFilter, HOOK_FILTERS_MAX),
  /** First height; absent: the next block. */
  from: option(varint),
})

/**
 * State: `active`: it delivers or retries; `disabled`: it must be enabled again; `sealedLost`: its secret cannot be
 * read.
 */
const webhookState = unitEnum('WebhookState', { active: 0, disabled: 1, sealedLost: 2 })

export interface WebhookView extends Infer<typeof webhookView> {}
const webhookView = struct('Webhook', {
  id: webhookId,
  owner: accountId,
  url: string(HOOK_URL_MAX_BYTES),
  filters: list(eventFilter, HOOK_FILTERS_MAX),
  state: webhookState,
  /** Reason why it is disabled, or the failure of its last attempt. */
  reason: option(string(HOOK_TEXT_MAX_BYTES)),
  cursor: webhookCursor,
  createdAtMs: varint,
  /** Start of the endpoint's current failures. */
  failingSinceMs: option(varint),
  /** Number of blocks by which it is behind the chain. */
  lagBlocks: varint,
  delivered: varint,
  dead: varint,
})
const webhookList = struct('WebhookList', { items: list(webhookView, HOOKS_MAX) })

/** Text of a secret: `whsec_` and the base64 of 32 bytes. */
const SECRET_MAX_BYTES = 64
const webhookCreated = struct('WebhookCreated', {
  id: webhookId,
  /** Shown only once. */
  secret: string(SECRET_MAX_BYTES),
  url: string(HOOK_URL_MAX_BYTES),
  state: webhookState,
  cursor: webhookCursor,
})
const webhookRotated = struct('WebhookRotated', {
  secret: string(SECRET_MAX_BYTES),
  /** Time until which deliveries also have a signature of the previous secret. */
  previousUntilMs: varint,
})

/** Result: `delivered`: 2xx; `refused`: 3xx or 4xx; `failed`: no response, 408, 429 or 5xx. */
export type AttemptResult = Infer<typeof attemptResult>
const attemptResult = unitEnum('WebhookAttemptResult', { delivered: 0, refused: 1, failed: 2 })

export interface WebhookAttempt extends Infer<typeof webhookAttempt> {}
const webhookAttempt = struct('WebhookAttempt', {
  event: attemptedEvent,
  atMs: varint,
  durationMs: varint,
  result: attemptResult,
  /** Absent without a response. */
  status: option(u16),
  reason: option(string(HOOK_TEXT_MAX_BYTES)),
})
const webhookAttempts = struct('WebhookAttempts', { items: list(webhookAttempt, ATTEMPTS_MAX) })

export interface DeadLetter extends Infer<typeof deadLetter> {}
export const deadLetter = struct('WebhookDeadLetter', {
  event: webhookEventId,
  type: string(HOOK_TEXT_MAX_BYTES),
  attempts: varint,
  status: option(u16),
  atMs: varint,
})
/** Dead letters. Their number may exceed the limit by the number of events in progress. */
const deadLetters = struct('WebhookDeadLetters', { items: list(deadLetter, 2 * DEAD_LETTERS_MAX) })

/** Response of an endpoint to one request. */
const webhookAnswer = struct('WebhookAnswer', {
  result: attemptResult,
  status: option(u16),
  reason: option(string(HOOK_TEXT_MAX_BYTES)),
  durationMs: varint,
})
export type WebhookAnswer = Infer<typeof webhookAnswer>

const path = struct('WebhookPath', { id: webhookId })
const eventPath = struct('WebhookEventPath', { id: webhookId, event: webhookEventId })
const own = { access: 'account', format: 'json' } as const
/** Maximum size of a request for a webhook, in bytes: a URL and filters with names of accounts and assets. */
const BODY_MAX_BYTES = 16 * 1024

export const createRoute = defineRoute({
  ...own,
  id: 'webhooks.create',
  method: 'POST',
  path: '/v1/webhooks',
  summary: 'Add a webhook; the response shows its secret only once',
  body: { as: 'record', schema: createWebhook, maxBytes: BODY_MAX_BYTES },
  response: webhookCreated,
  success: 201,
  errors: ['webhook_url_refused', 'webhook_limit', 'forbidden', 'integrations_unavailable'],
})
export const listRoute = defineRoute({
  ...own,
  id: 'webhooks.list',
  method: 'GET',
  path: '/v1/webhooks',
  summary: 'Webhooks of the caller, or all webhooks for an operator',
  response: webhookList,
})
const about = { ...own, params: path, errors: ['not_found', 'integrations_unavailable'] } as const
export const showRoute = defineRoute({
  ...about,
  id: 'webhooks.show',
  method: 'GET',
  path: '/v1/webhooks/{id}',
  summary: 'A webhook: its position and the state of its endpoint',
  response: webhookView,
})
export const removeRoute = defineRoute({
  ...about,
  id: 'webhooks.remove',
  method: 'DELETE',
  path: '/v1/webhooks/{id}',
  summary: 'Remove a webhook with all its data',
  response: webhookView,
})
export const rotateRoute = defineRoute({
  ...about,
  id: 'webhooks.rotate',
  method: 'POST',
  path: '/v1/webhooks/{id}/rotate',
  summary: 'Replace the secret of a webhook; for a day deliveries carry signatures of both secrets',
  response: webhookRotated,
  errors: [...about.errors, 'webhook_sealed_lost'],
})
export const enableRoute = defineRoute({
  ...about,
  id: 'webhooks.enable',
  method: 'POST',
  path: '/v1/webhooks/{id}/enable',
  summary: 'Resume a webhook from its cursor',
  response: webhookView,
  errors: [...about.errors, 'webhook_sealed_lost'],
})
export const disableRoute = defineRoute({
  ...about,
  id: 'webhooks.disable',
  method: 'POST',
  path: '/v1/webhooks/{id}/disable',
  summary: 'Pause a webhook and keep its cursor',
  response: webhookView,
})
export const testRoute = defineRoute({
  ...about,
  id: 'webhooks.test',
  method: 'POST',
  path: '/v1/webhooks/{id}/test',
  summary: 'Send one webhook.test to the endpoint',
  response: webhookAnswer,
  errors: [...about.errors, 'webhook_sealed_lost'],
})
export const attemptsRoute = defineRoute({
  ...about,
  id: 'webhooks.attempts',
  method: 'GET',
  path: '/v1/webhooks/{id}/attempts',
  summary: 'The last attempts of a webhook since the node started, newest first',
  response: webhookAttempts,
})
export const deadRoute = defineRoute({
  ...about,
  id: 'webhooks.dead',
  method: 'GET',
  path: '/v1/webhooks/{id}/dead',
  summary: 'Dead events of a webhook, oldest first',
  response: deadLetters,
})
export const redeliverRoute = defineRoute({
  ...about,
  id: 'webhooks.redeliver',
  method: 'POST',
  path: '/v1/webhooks/{id}/dead/{event}/redeliver',
  summary: 'Send a dead event once more; it is removed if the endpoint accepts it',
  params: eventPath,
  response: webhookAnswer,
  errors: [...about.errors, 'webhook_sealed_lost'],
})
export const forgetRoute = defineRoute({
  ...about,
  id: 'webhooks.forget',
  method: 'DELETE',
  path: '/v1/webhooks/{id}/dead/{event}',
  summary: 'Discard a dead event',
  params: eventPath,
  response: deadLetter,
})

export const webhookSchema = defineServiceSchema({
  name: 'webhooks',
  version: 1,
  errors,
  routes: {
    create: createRoute,
    list: listRoute,
    show: showRoute,
    remove: removeRoute,
    rotate: rotateRoute,
    enable: enableRoute,
    disable: disableRoute,
    test: testRoute,
    attempts: attemptsRoute,
    dead: deadRoute,
    redeliver: redeliverRoute,
    forget: forgetRoute,
  },
  topics: {
    webhook: 'Webhooks: committed events, sent to your endpoints',
  },
})
