/** Owns the routes of webhooks (specification 4.3). */
import { defineRoute } from '../../../api/route.js'
import { struct } from '../../../codec/index.js'
import * as records from './records.js'

const path = struct('WebhookPath', { id: records.webhookId })
const eventPath = struct('WebhookEventPath', { id: records.webhookId, event: records.webhookEventId })
const own = { access: 'account', format: 'json' } as const
/** Largest body that creates a hook, in bytes: a URL and filters with names of accounts and assets. */
const BODY_MAX_BYTES = 16 * 1024

export const createRoute = defineRoute({
  ...own,
  id: 'webhooks.create',
  method: 'POST',
  path: '/v1/webhooks',
  summary: 'Add a webhook; the answer shows its secret, this once',
  body: { as: 'record', schema: records.createWebhook, maxBytes: BODY_MAX_BYTES },
  response: records.webhookCreated,
  success: 201,
  errors: ['webhook_url_refused', 'webhook_limit', 'forbidden', 'integrations_unavailable'],
})
export const listRoute = defineRoute({
  ...own,
  id: 'webhooks.list',
  method: 'GET',
  path: '/v1/webhooks',
  summary: 'Webhooks of the caller; of everybody for an operator',
  response: records.webhookList,
})
const about = { ...own, params: path, errors: ['not_found', 'integrations_unavailable'] } as const
export const showRoute = defineRoute({
  ...about,
  id: 'webhooks.show',
  method: 'GET',
  path: '/v1/webhooks/{id}',
  summary: 'A webhook: how far it is, and how its endpoint does',
  response: records.webhookView,
})
export const removeRoute = defineRoute({
  ...about,
  id: 'webhooks.remove',
  method: 'DELETE',
  path: '/v1/webhooks/{id}',
  summary: 'Remove a webhook with all that it keeps',
  response: records.webhookView,
})
export const rotateRoute = defineRoute({
  ...about,
  id: 'webhooks.rotate',
  method: 'POST',
  path: '/v1/webhooks/{id}/rotate',
  summary: 'Give a webhook a new secret; for a day deliveries carry signatures of both',
  response: records.webhookRotated,
  errors: [...about.errors, 'webhook_sealed_lost'],
})
export const enableRoute = defineRoute({
  ...about,
  id: 'webhooks.enable',
  method: 'POST',
  path: '/v1/webhooks/{id}/enable',
  summary: 'Go on with a webhook from its cursor',
  response: records.webhookView,
  errors: [...about.errors, 'webhook_sealed_lost'],
})
export const disableRoute = defineRoute({
  ...about,
  id: 'webhooks.disable',
  method: 'POST',
  path: '/v1/webhooks/{id}/disable',
  summary: 'Pause a webhook; its cursor stays',
  response: records.webhookView,
})
export const testRoute = defineRoute({
  ...about,
  id: 'webhooks.test',
  method: 'POST',
  path: '/v1/webhooks/{id}/test',
  summary: 'Send a webhook.test to the endpoint, once',
  response: records.webhookAnswer,
  errors: [...about.errors, 'webhook_sealed_lost'],
})
export const attemptsRoute = defineRoute({
  ...about,
  id: 'webhooks.attempts',
  method: 'GET',
  path: '/v1/webhooks/{id}/attempts',
  summary: 'The last attempts of a webhook since the node started, newest first',
  response: records.webhookAttempts,
})
export const deadRoute = defineRoute({
  ...about,
  id: 'webhooks.dead',
  method: 'GET',
  path: '/v1/webhooks/{id}/dead',
  summary: 'Events that the endpoint refused, oldest first',
  response: records.deadLetters,
})
export const redeliverRoute = defineRoute({
  ...about,
  id: 'webhooks.redeliver',
  method: 'POST',
  path: '/v1/webhooks/{id}/dead/{event}/redeliver',
  summary: 'Send a refused event again, once; it is forgotten when the endpoint takes it',
  params: eventPath,
  response: records.webhookAnswer,
  errors: [...about.errors, 'webhook_sealed_lost'],
})
export const forgetRoute = defineRoute({
  ...about,
  id: 'webhooks.forget',
  method: 'DELETE',
  path: '/v1/webhooks/{id}/dead/{event}',
  summary: 'Forget a refused event',
  params: eventPath,
  response: records.deadLetter,
})
