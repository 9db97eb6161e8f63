/** Owns the records of notifications as clients see them. */
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
} from '../../../codec/index.js'
import { accountId } from '../../../model/index.js'

/** Devices of a node, and of one account. */
export const DEVICES_MAX = 10_000
export const DEVICES_PER_ACCOUNT_MAX = 8
export const TOPICS_MAX = 32
/** Longest endpoint of a push service, and token of another one, in bytes. */
export const ENDPOINT_MAX_BYTES = 2_048
export const TOKEN_MAX_BYTES = 4_096
/** Base64url of a point of P-256 and of 16 bytes, in bytes; some add padding. */
const P256DH_MAX_BYTES = 90
const AUTH_MAX_BYTES = 26
/** Longest topic, in bytes: a word and the id of a definition. */
const TOPIC_MAX_BYTES = 280
const REASON_MAX_BYTES = 160

const ID_DIGITS = 32
export const deviceId = refine(
  string(ID_DIGITS),
  'DeviceId',
  (id) => (/^[0-9a-f]{32}$/.test(id) ? undefined : 'the id of a device is 32 hex digits'),
  { pattern: `^[0-9a-f]{${ID_DIGITS}}$` },
)

export const TOPIC_WORDS = ['incoming', 'outgoing', 'approvals', 'payments', 'account'] as const
const TOPIC = /^(?:(?:incoming|outgoing)(?::[^\s:]{1,256})?|approvals|payments|account)$/
/** What a device hears of; `incoming` and `outgoing` may name one definition. */
export const notifyTopic = refine(
  string(TOPIC_MAX_BYTES),
  'NotifyTopic',
  (topic) =>
    TOPIC.test(topic)
      ? undefined
      : `a topic is one of ${TOPIC_WORDS.join(', ')}, or incoming:DEFINITION, outgoing:DEFINITION`,
  { pattern: TOPIC.source },
)

export const notifyPlatform = unitEnum('NotifyPlatform', { webpush: 0, fcm: 1, apns: 2 })

/** A subscription of the Push API, by the fields of its JSON. */
export interface PushSubscription extends Infer<typeof pushSubscription> {}
export const pushSubscription = struct('PushSubscription', {
  endpoint: string(ENDPOINT_MAX_BYTES),
  keys: struct('PushSubscriptionKeys', { p256dh: string(P256DH_MAX_BYTES), auth: string(AUTH_MAX_BYTES) }),
})

/** What a device is registered with; once more: its topics change, and its time begins anew. */
export interface RegisterDevice extends Infer<typeof registerDevice> {}
export const registerDevice = struct('RegisterDevice', {
  platform: notifyPlatform,
  /** For `Webpush`. */
  subscription: omissible(pushSubscription),
  /** For the others. */
  token: omissible(string(TOKEN_MAX_BYTES)),
  topics: list(notifyTopic, TOPICS_MAX),
})

/** A device. What it is reached by is in no answer but by its host. */
export interface DeviceView extends Infer<typeof deviceView> {}
export const deviceView = struct('NotifyDevice', {
  id: deviceId,
  account: accountId,
  platform: notifyPlatform,
  /** Host of the push service; absent for the others. */
  host: option(string(ENDPOINT_MAX_BYTES)),
  topics: list(notifyTopic, TOPICS_MAX),
  createdAtMs: varint,
  expiresAtMs: varint,
  /** Notifications since the node started. */
  sent: varint,
})
export const deviceList = struct('NotifyDeviceList', { items: list(deviceView, DEVICES_MAX) })

/** Public key that browsers subscribe with (`applicationServerKey`), in base64url. */
export const notifyKey = struct('NotifyKey', { key: string(P256DH_MAX_BYTES) })

export const notifyResult = unitEnum('NotifyResult', { sent: 0, refused: 1, failed: 2, gone: 3 })
export const notifyAnswer = struct('NotifyAnswer', {
  result: notifyResult,
  status: option(u16),
  reason: option(string(REASON_MAX_BYTES)),
})
