/** Owns webhooks on disk: definition, position and dead letters. */
import { eventFilter } from '../../../api/schema/stream.js'
import {
  bool,
  bytes,
  type CodecContext,
  type Infer,
  list,
  option,
  type Schema,
  string,
  struct,
  varint,
} from '../../../codec/index.js'
import { accountId } from '../../../model/index.js'
import type { IntegrationStore } from '../../../storage/integration-store.js'
import {
  type DeadLetter,
  deadLetter,
  HOOK_FILTERS_MAX,
  HOOK_TEXT_MAX_BYTES,
  HOOK_URL_MAX_BYTES,
  webhookCursor,
  webhookId,
} from '../schema.js'
import { PREVIOUS_SECRETS_MAX } from './limits.js'

/** Size of a sealed secret: 24 bytes of nonce, 32 of secret and 16 of authentication tag. */
const SEALED_MAX_BYTES = 72

/** Stored webhook without its cursor, which changes with every delivery. */
export interface HookRecord extends Infer<typeof hookRecord> {}
const hookRecord = struct('WebhookRecord', {
  id: webhookId,
  owner: accountId,
  url: string(HOOK_URL_MAX_BYTES),
  filters: list(eventFilter, HOOK_FILTERS_MAX),
  enabled: bool,
  reason: option(string(HOOK_TEXT_MAX_BYTES)),
  createdAtMs: varint,
  failingSinceMs: option(varint),
  secret: bytes(SEALED_MAX_BYTES),
  /** Secrets before rotations, newest first, each with its expiry. */
  previous: list(
    struct('WebhookPreviousSecret', { secret: bytes(SEALED_MAX_BYTES), untilMs: varint }),
    PREVIOUS_SECRETS_MAX,
  ),
})

/** Progress of a webhook. */
export interface Progress extends Infer<typeof progress> {}
const progress = struct('WebhookProgress', { cursor: webhookCursor, delivered: varint })

const hookKey = (id: string): string => `webhook:h:${id}`
const progressKey = (id: string): string => `webhook:c:${id}`
/** Prefix of dead letters, which are ordered by the time of refusal. */
const deadPrefix = (id: string): string => `webhook:d:${id}:`
const deadKey = (id: string, { atMs, event }: DeadLetter): string =>
  `${deadPrefix(id)}${String(atMs).padStart(15, '0')}:${event}`

/** Webhook as read from the store. */
export interface StoredHook {
  readonly record: HookRecord
  readonly progress: Progress
  readonly dead: readonly DeadLetter[]
}

export class HookRecords {
  constructor(
    private readonly store: IntegrationStore,
    private readonly codec: CodecContext,
  ) {}

  /** All readable webhooks; an unreadable webhook is reported without affecting others. */
  async all(onDamage: (error: unknown) => void): Promise<StoredHook[]> {
    const found: StoredHook[] = []
    for (const [key, held] of await this.store.list(hookKey(''))) {
      const id = key.slice(hookKey('').length)
      const letters = await this.store.list(deadPrefix(id))
      const cursor = await this.store.get(progressKey(id))
      try {
        if (cursor === undefined) throw new Error('the webhook has no cursor')
        found.push({
          record: this.decode(hookRecord, held),
          progress: this.decode(progress, cursor),
          dead: letters.map(([, one]) => this.decode(deadLetter, one)),
        })
      } catch (error) {
        onDamage(new Error(`cannot read webhook ${id}`, { cause: error }))
      }
    }
    return found
  }

  /** Store a record; durable once it resolves. */
  put(record: HookRecord, at?: Progress): Promise<void> {
    const own = [hookKey(record.id), hookRecord.encode(record, this.codec)] as const
    const cursor = at === undefined ? [] : ([[progressKey(record.id), progress.encode(at)]] as const)
    return this.store.write([own, ...cursor], true)
  }

  /**
   * Write progress without a sync, so that some deliveries are repeated after a power failure. `dead`: refused events.
   */
  move(id: string, at: Progress, dead: readonly DeadLetter[]): Promise<void> {
    const letters = dead.map((one) => [deadKey(id, one), deadLetter.encode(one)] as const)
    return this.store.write([[progressKey(id), progress.encode(at)], ...letters], false)
  }

  removeLetter(id: string, letter: DeadLetter): Promise<void> {
    return this.store.write([[deadKey(id, letter), undefined]], true)
  }

  remove(id: string, dead: readonly DeadLetter[]): Promise<void> {
    const letters = dead.map((one) => [deadKey(id, one), undefined] as const)
    return this.store.write([[hookKey(id), undefined], [progressKey(id), undefined], ...letters], true)
  }

  seal(id: string, secret: Uint8Array): Buffer {
    return this.store.seal(hookKey(id), secret)
  }

  unseal(id: string, sealed: Uint8Array): Buffer | undefined {
    return this.store.unseal(hookKey(id), sealed)
  }

  private decode<T>(schema: Schema<T>, from: Uint8Array): T {
    const decoded = schema.decode(from, this.codec)
    if (!decoded.ok) throw new Error(`a record of webhooks does not decode: ${decoded.fault.message}`)
    return decoded.value
  }
}
