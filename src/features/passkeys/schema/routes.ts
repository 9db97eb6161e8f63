/** Owns the routes of passkeys (specification 4.3): a ticket for an operator key, a passkey for the ticket, a session for the passkey. */
import { operatorSession } from '../../../api/operator-routes.js'
import { defineRoute } from '../../../api/route.js'
import { struct } from '../../../codec/index.js'
import * as records from './records.js'

const path = struct('PasskeyPath', { id: records.passkeyId })
/** Largest body with what a browser answers, in bytes. */
const BODY_MAX_BYTES = records.RESPONSE_MAX_BYTES + 1_024
const SMALL_BODY_MAX_BYTES = 1_024
const ofOperators = { access: 'operator', format: 'json', audited: true } as const
const ofPages = { method: 'POST', access: 'public', format: 'json' } as const
const refusals = ['passkey_refused', 'passkey_locked', 'integrations_unavailable'] as const

export const ticketRoute = defineRoute({
  ...ofOperators,
  id: 'operator.passkeys.ticket',
  method: 'POST',
  path: '/v1/operator/auth/registration/ticket',
  summary: 'A ticket for one new passkey, for ten minutes; signed by an operator key, never with a session',
  body: { as: 'record', schema: records.passkeyTicketRequest, maxBytes: SMALL_BODY_MAX_BYTES },
  response: records.passkeyTicket,
  success: 201,
  errors: ['passkey_limit', 'integrations_unavailable'],
})
export const registrationOptionsRoute = defineRoute({
  ...ofPages,
  id: 'operator.passkeys.registration.options',
  path: '/v1/operator/auth/registration/options',
  summary: 'What a browser makes the passkey of a ticket with',
  body: { as: 'record', schema: records.passkeyTicketUse, maxBytes: SMALL_BODY_MAX_BYTES },
  response: records.passkeyOptions,
  errors: refusals,
})
export const registrationVerifyRoute = defineRoute({
  ...ofPages,
  id: 'operator.passkeys.registration.verify',
  path: '/v1/operator/auth/registration/verify',
  summary: 'Keeps the passkey that a browser made; the ticket is used up',
  body: { as: 'record', schema: records.passkeyRegistration, maxBytes: BODY_MAX_BYTES },
  response: records.passkeyView,
  success: 201,
  errors: [...refusals, 'passkey_limit'],
})
export const loginOptionsRoute = defineRoute({
  ...ofPages,
  id: 'operator.passkeys.login.options',
  path: '/v1/operator/auth/login/options',
  summary: 'What a browser asks for a passkey with',
  response: records.passkeyOptions,
  errors: ['passkey_locked'],
})
export const loginVerifyRoute = defineRoute({
  ...ofPages,
  id: 'operator.passkeys.login.verify',
  path: '/v1/operator/auth/login/verify',
  summary: 'A session token of the operator whose passkey answered',
  body: { as: 'record', schema: records.passkeyLogin, maxBytes: BODY_MAX_BYTES },
  response: operatorSession,
  errors: refusals,
})
export const listRoute = defineRoute({
  access: 'operator',
  format: 'json',
  id: 'operator.passkeys.list',
  method: 'GET',
  path: '/v1/operator/auth/passkeys',
  summary: 'Passkeys of the operators of the node, oldest first',
  response: records.passkeyList,
  errors: ['integrations_unavailable'],
})
export const removeRoute = defineRoute({
  ...ofOperators,
  id: 'operator.passkeys.remove',
  method: 'DELETE',
  path: '/v1/operator/auth/passkeys/{id}',
  summary: 'Remove a passkey; all sessions of its operator end',
  params: path,
  response: records.passkeyView,
  errors: ['not_found', 'integrations_unavailable'],
})
