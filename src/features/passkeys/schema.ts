/** Owns passkeys of operators as clients see them: error codes, records and routes. No part of the ledger. */

import { defineServiceSchema } from '../../api/feature.js'
import { operatorSession } from '../../api/operator-routes.js'
import { defineRoute } from '../../api/route.js'
import { type Infer, json, list, option, refine, string, struct, varint } from '../../codec/index.js'
import { accountId, declareErrors, type ErrorDef, EXIT, row } from '../../model/index.js'

const errors = declareErrors({
  passkey_refused: row(
    401,
    EXIT.notAuthorised,
    'The node does not accept the passkey, or the ticket for a new one.',
    'Start again with `causeway operator passkey add`; a ticket is valid once, for ten minutes.',
  ),
  passkey_locked: row(
    429,
    EXIT.notAuthorised,
    'Too many passkey attempts from this address.',
    'Wait a quarter of an hour, or sign with the operator key, which is never locked.',
  ),
  passkey_limit: row(
    429,
    EXIT.rejected,
    'The node has reached its limit of passkeys or tickets.',
    'Remove an unused one: `causeway operator passkey list`.',
  ),
})

declare module '../../model/error-catalogue.js' {
  interface ErrorRegistry extends Record<keyof typeof errors, ErrorDef> {}
}

/** Maximum passkeys of a node; a node has few operators. */
export const PASSKEYS_MAX = 32
/** Maximum length of the name of a passkey, in bytes. */
export const LABEL_MAX_BYTES = 64
/** Maximum length of a ticket, in bytes: 32 random bytes in base64url. */
const TICKET_MAX_BYTES = 64
/** Maximum length of the URL of a page, in bytes. */
const URL_MAX_BYTES = 2_048
/** Maximum size of a browser response, in bytes of JSON: without attestation it is below 2 KiB. */
const RESPONSE_MAX_BYTES = 16 * 1024
/** Maximum size of the browser options, in bytes of JSON. */
const OPTIONS_MAX_BYTES = 4_096
/** Maximum nesting of both. */
const LEVELS_MAX = 6

const ID_DIGITS = 32
export const passkeyId = refine(
  string(ID_DIGITS),
  'PasskeyId',
  (id) => (/^[0-9a-f]{32}$/.test(id) ? undefined : 'a passkey id must be 32 hex digits'),
  { pattern: `^[0-9a-f]{${ID_DIGITS}}$` },
)

const passkeyLabel = refine(
  string(LABEL_MAX_BYTES),
  'PasskeyLabel',
  (label) => (label === '' ? 'a passkey must have a name' : undefined),
  { minLength: 1 },
)

/** Passkey; it has the rights of the operator key that signed the request for its ticket. */
export interface PasskeyView extends Infer<typeof passkeyView> {}
const passkeyView = struct('Passkey', {
  id: passkeyId,
  label: string(LABEL_MAX_BYTES),
  account: accountId,
  createdAtMs: varint,
  lastUsedAtMs: option(varint),
})
const passkeyList = struct('PasskeyList', { items: list(passkeyView, PASSKEYS_MAX) })

const passkeyTicketRequest = struct('PasskeyTicketRequest', { label: passkeyLabel })
const passkeyTicket = struct('PasskeyTicket', {
  /** Shown only once. */
  ticket: string(TICKET_MAX_BYTES),
  /** Page that creates the passkey. */
  url: string(URL_MAX_BYTES),
  expiresAtMs: varint,
})

const passkeyTicketUse = struct('PasskeyTicketUse', { ticket: string(TICKET_MAX_BYTES) })
/**
 * Options for `navigator.credentials`, in the format of `parseCreationOptionsFromJSON` and
 * `parseRequestOptionsFromJSON`.
 */
const passkeyOptions = struct('PasskeyOptions', { options: json(OPTIONS_MAX_BYTES, LEVELS_MAX) })

/** `response`: the credential's `toJSON()` (WebAuthn level 3, section 5.1.8). */
const response = json(RESPONSE_MAX_BYTES, LEVELS_MAX)
const passkeyRegistration = struct('PasskeyRegistration', { ticket: string(TICKET_MAX_BYTES), response })
const passkeyLogin = struct('PasskeyLogin', { response })

const path = struct('PasskeyPath', { id: passkeyId })
/** Maximum size of a body with a browser response, in bytes. */
const BODY_MAX_BYTES = RESPONSE_MAX_BYTES + 1_024
const SMALL_BODY_MAX_BYTES = 1_024
const ofOperators = { access: 'operator', format: 'json', audited: true } as const
const ofPages = { method: 'POST', access: 'public', format: 'json' } as const
const refusals = ['passkey_refused', 'passkey_locked', 'integrations_unavailable'] as const

export const ticketRoute = defineRoute({
  ...ofOperators,
  id: 'operator.passkeys.ticket',
  method: 'POST',
  path: '/v1/operator/auth/registration/ticket',
  summary: 'Create a ticket for one new passkey, valid for ten minutes; signed by an operator key, not with a session',
  body: { as: 'record', schema: passkeyTicketRequest, maxBytes: SMALL_BODY_MAX_BYTES },
  response: passkeyTicket,
  success: 201,
  errors: ['passkey_limit', 'integrations_unavailable'],
})
export const registrationOptionsRoute = defineRoute({
  ...ofPages,
  id: 'operator.passkeys.registration.options',
  path: '/v1/operator/auth/registration/options',
  summary: 'Options for creating the passkey of a ticket in a browser',
  body: { as: 'record', schema: passkeyTicketUse, maxBytes: SMALL_BODY_MAX_BYTES },
  response: passkeyOptions,
  errors: refusals,
})
export const registrationVerifyRoute = defineRoute({
  ...ofPages,
  id: 'operator.passkeys.registration.verify',
  path: '/v1/operator/auth/registration/verify',
  summary: 'Store the passkey that a browser created, and consume its ticket',
  body: { as: 'record', schema: passkeyRegistration, maxBytes: BODY_MAX_BYTES },
  response: passkeyView,
  success: 201,
  errors: [...refusals, 'passkey_limit'],
})
export const loginOptionsRoute = defineRoute({
  ...ofPages,
  id: 'operator.passkeys.login.options',
  path: '/v1/operator/auth/login/options',
  summary: 'Options for a passkey login in a browser',
  response: passkeyOptions,
  errors: ['passkey_locked'],
})
export const loginVerifyRoute = defineRoute({
  ...ofPages,
  id: 'operator.passkeys.login.verify',
  path: '/v1/operator/auth/login/verify',
  summary: 'Create a session for the operator of a passkey',
  body: { as: 'record', schema: passkeyLogin, maxBytes: BODY_MAX_BYTES },
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
  response: passkeyList,
  errors: ['integrations_unavailable'],
})
export const removeRoute = defineRoute({
  ...ofOperators,
  id: 'operator.passkeys.remove',
  method: 'DELETE',
  path: '/v1/operator/auth/passkeys/{id}',
  summary: 'Remove a passkey and end all sessions of its operator',
  params: path,
  response: passkeyView,
  errors: ['not_found', 'integrations_unavailable'],
})

export const passkeySchema = defineServiceSchema({
  name: 'passkeys',
  version: 1,
  errors,
  routes: {
    ticket: ticketRoute,
    registrationOptions: registrationOptionsRoute,
    registrationVerify: registrationVerifyRoute,
    loginOptions: loginOptionsRoute,
    loginVerify: loginVerifyRoute,
    list: listRoute,
    remove: removeRoute,
  },
  topics: {
    operator: 'Administration of a node by its operators',
    'operator passkey': 'Passkeys of operators for the pages of a node',
  },
})
