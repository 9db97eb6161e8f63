/** Owns notifications as clients see them: error codes, records and routes. No part of the ledger. */

import { defineServiceSchema } from '../../api/feature.js'
import { defineRoute } from '../../api/route.js'
import {
  type Infer,
  list,
  omissible,
  option,
  refine,
  string,
  struct,
  u16,
  unitEnum,
  varint,
} from '../../codec/index.js'
import { accountId, declareErrors, type ErrorDef, EXIT, row } from '../../model/index.js'

const errors = declareErrors({
  notify_device_refused: row(
    422,
    EXIT.badInput,
    'The node does not send to this device.',
    'Give the subscription as the browser made it; fcm and apns need notify.upstream_url at the node.',
  ),
  notify_limit: row(
    429,
    EXIT.rejected,
    'The node or the account has reached its limit of devices.',
    'Remove an unused one: `causeway notify list`.',
  ),
})

declare module '../../model/error-catalogue.js' {
  interface ErrorRegistry extends Record<keyof typeof errors, ErrorDef> {}
}

/** Maximum devices of a node, and of one account. */
export const DEVICES_MAX = 10_000
export const DEVICES_PER_ACCOUNT_MAX = 8
export const TOPICS_MAX = 32
/** Maximum length of the endpoint of a push service, and of the token of any other service, in bytes. */
export const ENDPOINT_MAX_BYTES = 2_048
export const TOKEN_MAX_BYTES = 4_096
/** Maximum length of a P-256 point and of 16 bytes in base64url, in bytes, with optional padding. */
const P256DH_MAX_BYTES = 90
const AUTH_MAX_BYTES = 26
/** Maximum length of a topic, in bytes: a word and the id of a definition. */
const TOPIC_MAX_BYTES = 280
const REASON_MAX_BYTES = 160

const ID_DIGITS = 32
export const deviceId = refine(
  string(ID_DIGITS),
  'DeviceId',
  (id) => (/^[0-9a-f]{32}$/.test(id) ? undefined : 'a device id must be 32 hex digits'),
  { pattern: `^[0-9a-f]{${ID_DIGITS}}$` },
)

export const TOPIC_WORDS = ['incoming', 'outgoing', 'approvals', 'payments', 'account'] as const
const TOPIC = /^(?:(?:incoming|outgoing)(?::[^\s:]{1,256})?|approvals|payments|account)$/
/** Topic of a device; `incoming` and `outgoing` may name one definition. */
export const notifyTopic = refine(
  string(TOPIC_MAX_BYTES),
  'NotifyTopic',
  (topic) =>
    TOPIC.test(topic)
      ? undefined
      : `a topic must be one of ${TOPIC_WORDS.join(', ')}, or incoming:DEFINITION, outgoing:DEFINITION`,
  { pattern: TOPIC.source },
)

export const notifyPlatform = unitEnum('NotifyPlatform', { webpush: 0, fcm: 1, apns: 2 })

/** Subscription of the Push API, with the fields of its JSON. */
export interface PushSubscription extends Infer<typeof pushSubscription> {}
export const pushSubscription = struct('PushSubscription', {
  endpoint: string(ENDPOINT_MAX_BYTES),
  keys: struct('PushSubscriptionKeys', { p256dh: string(P256DH_MAX_BYTES), auth: string(AUTH_MAX_BYTES) }),
})

/** Registration of a device. Repeating it replaces the topics and renews the expiry. */
export interface RegisterDevice extends Infer<typeof registerDevice> {}
export const registerDevice = struct('RegisterDevice', {
  platform: notifyPlatform,
  /** Present for `Webpush`. */
  subscription: omissible(pushSubscription),
  /** Present for the other platforms. */
  token: omissible(string(TOKEN_MAX_BYTES)),
  topics: list(notifyTopic, TOPICS_MAX),
})

/** Device view. It omits the address of the device, apart from the host. */
export interface DeviceView extends Infer<typeof deviceView> {}
const deviceView = struct('NotifyDevice', {
  id: deviceId,
  account: accountId,
  platform: notifyPlatform,
  /** Host of the push service; absent for the other platforms. */
  host: option(string(ENDPOINT_MAX_BYTES)),
  topics: list(notifyTopic, TOPICS_MAX),
  createdAtMs: varint,
  expiresAtMs: varint,
  /** Number of notifications since the node started. */
  sent: varint,
})
const deviceList = struct('NotifyDeviceList', { items: list(deviceView, DEVICES_MAX) })

/** Public key that browsers subscribe with (`applicationServerKey`), in base64url. */
const notifyKey = struct('NotifyKey', { key: string(P256DH_MAX_BYTES) })

const notifyResult = unitEnum('NotifyResult', { sent: 0, refused: 1, failed: 2, gone: 3 })
const notifyAnswer = struct('NotifyAnswer', {
  result: notifyResult,
  status: option(u16),
  reason: option(string(REASON_MAX_BYTES)),
})

const path = struct('NotifyDevicePath', { id: deviceId })
const own = { access: 'account', format: 'json' } as const
const about = { ...own, params: path, errors: ['not_found', 'integrations_unavailable'] } as const
/** Maximum size of a registration, in bytes: an endpoint or token, and topics. */
const BODY_MAX_BYTES = 16 * 1024

export const registerRoute = defineRoute({
  ...own,
  id: 'notify.register',
  method: 'POST',
  path: '/v1/notify/devices',
  summary: 'Register a device of the caller for 90 days, or replace its topics',
  body: { as: 'record', schema: registerDevice, maxBytes: BODY_MAX_BYTES },
  response: deviceView,
  success: 201,
  errors: ['notify_device_refused', 'notify_limit', 'forbidden', 'integrations_unavailable'],
})
export const listRoute = defineRoute({
  ...own,
  id: 'notify.list',
  method: 'GET',
  path: '/v1/notify/devices',
  summary: 'Devices of the caller, or all devices for an operator',
  response: deviceList,
})
export const removeRoute = defineRoute({
  ...about,
  id: 'notify.remove',
  method: 'DELETE',
  path: '/v1/notify/devices/{id}',
  summary: 'Remove a device',
  response: deviceView,
})
export const testRoute = defineRoute({
  ...about,
  id: 'notify.test',
  method: 'POST',
  path: '/v1/notify/devices/{id}/test',
  summary: 'Send one test notification to a device',
  response: notifyAnswer,
  errors: [...about.errors, 'rate_limited'],
})
export const keyRoute = defineRoute({
  access: 'public',
  format: 'json',
  id: 'notify.key',
  method: 'GET',
  path: '/v1/notify/key',
  summary: 'Public key that browsers subscribe with',
  response: notifyKey,
  errors: ['integrations_unavailable'],
})

export const notifySchema = defineServiceSchema({
  name: 'notify',
  version: 1,
  errors,
  routes: {
    register: registerRoute,
    list: listRoute,
    remove: removeRoute,
    test: testRoute,
    key: keyRoute,
  },
  topics: {
    notify: 'Devices that are notified of events of an account',
  },
})
