/** Owns the records of webhooks as clients see them. */
import { eventFilter } from '../../../api/schema/stream.js'
import { type Infer, list, option, refine, string, struct, u16, unitEnum, varint } from '../../../codec/index.js'
import { accountId } from '../../../model/index.js'

/** Hooks of a node: each may read the chain at its own pace. */
export const HOOKS_MAX = 256
/** Of them, those of one account. */
export const HOOKS_PER_ACCOUNT_MAX = 16
/** Filters of a hook: each costs a look per event. */
export const HOOK_FILTERS_MAX = 8
/** Events that an endpoint refused and that are kept for another try; with more of them the hook is disabled. */
export const DEAD_LETTERS_MAX = 1_000
/** Attempts that a node remembers of a hook. */
export const ATTEMPTS_MAX = 100
/** Longest URL, in bytes: as long as outbound requests take. */
export const HOOK_URL_MAX_BYTES = 2_048
/** Longest text of a reason or a type, in bytes. */
export const HOOK_TEXT_MAX_BYTES = 160

/** Digits of the id of a hook. */
const ID_DIGITS = 16
export const webhookId = refine(
  string(ID_DIGITS),
  'WebhookId',
  (id) => (/^[0-9a-f]{16}$/.test(id) ? undefined : 'the id of a webhook is 16 hex digits'),
  { pattern: `^[0-9a-f]{${ID_DIGITS}}$` },
)
/** Two numbers of sixteen digits, with the word for a gap. */
const EVENT_ID_MAX_BYTES = 37
/** A gap by its first and last height; older nodes named the first alone. */
const GAP = 'gap_[0-9]{1,16}(_[0-9]{1,16})?'
/** Place of an event in the chain, `height.number`; `gap_` and two heights: blocks that the node no longer has. */
const EVENT = `^(${GAP}|[0-9]{1,16}\\.[0-9]{1,16})$`
export const webhookEventId = refine(
  string(EVENT_ID_MAX_BYTES),
  'WebhookEventId',
  (id) => (new RegExp(EVENT).test(id) ? undefined : 'an event id is written height.number, or gap_from_to'),
  { pattern: EVENT },
)

const ATTEMPTED = `^(test_[0-9]{1,16}|${GAP}|[0-9]{1,16}\\.[0-9]{1,16})$`
/** What an attempt sent: an event, or a try that somebody asked for, `test_` and its time in ms. */
const attemptedEvent = refine(
  string(EVENT_ID_MAX_BYTES),
  'WebhookAttemptedEvent',
  (id) =>
    new RegExp(ATTEMPTED).test(id)
      ? undefined
      : 'what an attempt sent is written height.number, gap_from_to or test_time',
  { pattern: ATTEMPTED },
)

/** First event that is not done. */
export interface WebhookCursor extends Infer<typeof webhookCursor> {}
export const webhookCursor = struct('WebhookCursor', { height: varint, number: varint })

/** What a hook is made from. */
export interface CreateWebhook extends Infer<typeof createWebhook> {}
export const createWebhook = struct('CreateWebhook', {
  url: string(HOOK_URL_MAX_BYTES),
  /** Events that match one of them are sent; none of them: all. */
  filters: list(eventFilter, HOOK_FILTERS_MAX),
  /** Height to begin with; absent: with the next block. */
  from: option(varint),
})

/** `active`: delivers or tries to; `disabled`: until it is enabled; `sealedLost`: its secret cannot be read. */
export type WebhookState = Infer<typeof webhookState>
export const webhookState = unitEnum('WebhookState', { active: 0, disabled: 1, sealedLost: 2 })

export interface WebhookView extends Infer<typeof webhookView> {}
export const webhookView = struct('Webhook', {
  id: webhookId,
  owner: accountId,
  url: string(HOOK_URL_MAX_BYTES),
  filters: list(eventFilter, HOOK_FILTERS_MAX),
  state: webhookState,
  /** Why it is disabled, or what its last attempt met with. */
  reason: option(string(HOOK_TEXT_MAX_BYTES)),
  cursor: webhookCursor,
  createdAtMs: varint,
  /** Since when the endpoint fails. */
  failingSinceMs: option(varint),
  /** Blocks that it is behind the chain. */
  lagBlocks: varint,
  delivered: varint,
  dead: varint,
})
export const webhookList = struct('WebhookList', { items: list(webhookView, HOOKS_MAX) })

/** Text of a secret: `whsec_` and the base64 of 32 bytes. */
const SECRET_MAX_BYTES = 64
export const webhookCreated = struct('WebhookCreated', {
  id: webhookId,
  /** Shown this once. */
  secret: string(SECRET_MAX_BYTES),
  url: string(HOOK_URL_MAX_BYTES),
  state: webhookState,
  cursor: webhookCursor,
})
export const webhookRotated = struct('WebhookRotated', {
  secret: string(SECRET_MAX_BYTES),
  /** Until then deliveries carry a signature of the previous secret too. */
  previousUntilMs: varint,
})

/** `delivered`: 2xx; `refused`: 3xx or 4xx; `failed`: no answer, 408, 429 or 5xx. */
export type AttemptResult = Infer<typeof attemptResult>
export const attemptResult = unitEnum('WebhookAttemptResult', { delivered: 0, refused: 1, failed: 2 })

export interface WebhookAttempt extends Infer<typeof webhookAttempt> {}
export const webhookAttempt = struct('WebhookAttempt', {
  event: attemptedEvent,
  atMs: varint,
  durationMs: varint,
  result: attemptResult,
  /** Absent when nobody answered. */
  status: option(u16),
  reason: option(string(HOOK_TEXT_MAX_BYTES)),
})
export const webhookAttempts = struct('WebhookAttempts', { items: list(webhookAttempt, ATTEMPTS_MAX) })

export interface DeadLetter extends Infer<typeof deadLetter> {}
export const deadLetter = struct('WebhookDeadLetter', {
  event: webhookEventId,
  type: string(HOOK_TEXT_MAX_BYTES),
  attempts: varint,
  status: option(u16),
  atMs: varint,
})
/** Some are on their way when there are too many. */
export const deadLetters = struct('WebhookDeadLetters', { items: list(deadLetter, 2 * DEAD_LETTERS_MAX) })

/** What an endpoint said to one request. */
export const webhookAnswer = struct('WebhookAnswer', {
  result: attemptResult,
  status: option(u16),
  reason: option(string(HOOK_TEXT_MAX_BYTES)),
  durationMs: varint,
})
export type WebhookAnswer = Infer<typeof webhookAnswer>
