/** Owns the webhooks of a node: permission, secrets and runners. */
import { randomBytes } from 'node:crypto'
import type { Caller } from '../../../api/handler.js'
import type { Operators } from '../../../api/operators.js'
import type { NodeServices } from '../../../api/services.js'
import { EventNames } from '../../../events/event-names.js'
import type { Feed } from '../../../events/feed.js'
import { asksForPending, compileFilter } from '../../../events/filters.js'
import { Walks } from '../../../events/walks.js'
import { type AccountId, LedgerError } from '../../../model/index.js'
import type { Outbound } from '../../../network/outbound/outbound.js'
import { type CreateWebhook, HOOKS_MAX, HOOKS_PER_ACCOUNT_MAX, type WebhookView } from '../schema.js'
import { HOOKS_OF_OPERATORS, PREVIOUS_SECRET_MS, PREVIOUS_SECRETS_MAX } from './limits.js'
import { secretText } from './message.js'
import type { webhookMetrics } from './metrics.js'
import type { HookRecord, HookRecords, StoredHook } from './records.js'
import { HookRunner } from './runner.js'
import { EventSource } from './source.js'

/** Size of a secret, and of the id of a webhook, in bytes. */
const SECRET_BYTES = 32
const ID_BYTES = 8

/** Dependencies of hooks. */
export interface HooksParts {
  readonly services: NodeServices
  readonly feed: Feed
  readonly records: HookRecords
  readonly outbound: Outbound
  readonly metrics: ReturnType<typeof webhookMetrics>
  /** Accounts that may have webhooks in addition to operators, by the ledger state of the request. */
  readonly owners: { has(account: AccountId, services: NodeServices): Promise<boolean> }
  readonly operators: Pick<Operators, 'has'>
  /** Wall clock, for stored and displayed times. */
  readonly wallMs: () => number
  /** Monotonic clock, for delays. */
  readonly monotonicMs: () => number
  readonly random: () => number
  readonly onError: (error: unknown) => void
}

/** Secret replaced by a rotation; deliveries are also signed with it until a time. */
interface PreviousSecret {
  readonly secret: Buffer
  readonly untilMs: number
}

/** Webhook with its secrets in plain text; `secret` is undefined if it cannot be read. */
interface Hook {
  readonly runner: HookRunner
  secret: Buffer | undefined
  /** Newest first. */
  previous: readonly PreviousSecret[]
  /** False while the webhook is being created. Nothing is sent yet, since its creation may fail. */
  isStored: boolean
}

export class Hooks {
  private readonly hooks = new Map<string, Hook>()
  private readonly names: EventNames
  private readonly walks = new Walks()

  constructor(private readonly parts: HooksParts) {
    this.names = new EventNames(parts.services.info.codec)
  }

  /** Continue with the webhooks of an earlier run. If they are read late, some may already have been created. */
  async start(): Promise<void> {
    for (const stored of await this.parts.records.all(this.parts.onError)) {
      if (!this.hooks.has(stored.record.id)) this.add(stored)
    }
    this.wake()
  }

  wake(): void {
    for (const { runner, secret, isStored } of this.hooks.values()) if (secret !== undefined && isStored) runner.wake()
  }

  async stop(): Promise<void> {
    await Promise.all([...this.hooks.values()].map(({ runner }) => runner.stop()))
  }

  /** Number of blocks by which the slowest webhook is behind the chain. */
  lag(): number {
    return Math.max(0, ...[...this.hooks.values()].map(({ runner }) => this.lagOf(runner)))
  }

  /** Add a webhook for a caller; its secret is returned only here. */
  async create(
    caller: Caller,
    asked: CreateWebhook,
    services: NodeServices,
  ): Promise<{ view: WebhookView; secret: string } | LedgerError> {
    const owner = caller.account as AccountId
    if (!caller.operator && !(await this.parts.owners.has(owner, services))) {
      return new LedgerError('forbidden', 'this account is not allowed to add webhooks on this node', {
        hint: 'The operator of the node adds it to webhooks.owners; "*" allows every registered account.',
      })
    }
    const fault = this.faultOf(caller, owner, asked)
    if (fault !== undefined) return fault
    const { url, filters, from } = asked
    const id = randomBytes(ID_BYTES).toString('hex')
    const secret = randomBytes(SECRET_BYTES)
    const record: HookRecord = {
      id,
      owner,
      url,
      filters,
      enabled: true,
      reason: undefined,
      createdAtMs: this.parts.wallMs(),
      failingSinceMs: undefined,
      secret: this.parts.records.seal(id, secret),
      previous: [],
    }
    const cursor = { height: from ?? this.parts.services.height() + 1, number: 0 }
    const progress = { cursor, delivered: 0 }
    // In the list before it is stored, so that concurrent requests respect the limits.
    const hook = this.add({ record, progress, dead: [] })
    hook.isStored = false
    try {
      await this.parts.records.put(record, progress)
    } catch (error) {
      this.hooks.delete(id)
      throw error
    }
    hook.isStored = true
    hook.runner.wake()
    return { view: this.view(hook), secret: secretText(secret) }
  }

  /** Webhooks visible to a caller, oldest first. */
  list(caller: Caller): WebhookView[] {
    return [...this.hooks.values()]
      .filter((hook) => isSeenBy(caller, hook))
      .map((hook) => this.view(hook))
      .sort((one, other) => one.createdAtMs - other.createdAtMs)
  }

  /** Webhook of a caller; a webhook of a different caller returns the same error as a missing one. */
  find(caller: Caller, id: string): Hook | LedgerError {
    const hook = this.hooks.get(id)
    return hook !== undefined && isSeenBy(caller, hook)
      ? hook
      : new LedgerError('not_found', `webhook ${id} does not exist`)
  }

  /** Like `find`, for operations that need the secret. */
  findReadable(caller: Caller, id: string): Hook | LedgerError {
    const hook = this.find(caller, id)
    if (hook instanceof LedgerError || hook.secret !== undefined) return hook
    return new LedgerError('webhook_sealed_lost', `cannot decrypt the secret of webhook ${id} with this network key`)
  }

  /** End and remove a webhook. If the store fails, the webhook sends nothing more and can be removed again. */
  async remove(hook: Hook): Promise<WebhookView> {
    const { runner } = hook
    const view = this.view(hook)
    await runner.remove()
    this.hooks.delete(runner.hook.id)
    return view
  }

  /**
   * Give a webhook a new secret. Earlier secrets keep their expiry, because a receiver may still have the oldest one,
   * for example after a lost response.
   */
  async rotate(hook: Hook): Promise<{ secret: string; previousUntilMs: number }> {
    const { runner } = hook
    const { id } = runner.hook
    const secret = randomBytes(SECRET_BYTES)
    const nowMs = this.parts.wallMs()
    const untilMs = nowMs + PREVIOUS_SECRET_MS
    const sealed = this.parts.records.seal(id, secret)
    await runner.change((record) => ({
      secret: sealed,
      previous: stillSigning([{ secret: record.secret, untilMs }, ...record.previous], nowMs),
    }))
    hook.previous = stillSigning([{ secret: hook.secret as Buffer, untilMs }, ...hook.previous], nowMs)
    hook.secret = secret
    return { secret: secretText(secret), previousUntilMs: untilMs }
  }

  view({ runner, secret }: Hook): WebhookView {
    const { id, owner, url, filters, enabled, reason, createdAtMs, failingSinceMs } = runner.hook
    const { cursor, delivered } = runner.at
    return {
      id,
      owner,
      url,
      filters,
      state: secret === undefined ? 'sealedLost' : enabled ? 'active' : 'disabled',
      reason,
      cursor,
      createdAtMs,
      failingSinceMs,
      lagBlocks: this.lagOf(runner),
      delivered,
      dead: runner.deadLetters.length,
    }
  }

  private lagOf({ at }: HookRunner): number {
    return Math.max(0, this.parts.services.height() + 1 - at.cursor.height)
  }

  private faultOf(caller: Caller, owner: AccountId, { url, filters, from }: CreateWebhook): LedgerError | undefined {
    const { outbound, services } = this.parts
    const { codec } = services.info
    const refused = outbound.urlFault(url)
    if (refused !== undefined) return new LedgerError('webhook_url_refused', `url: ${refused}`)
    for (const filter of filters) {
      const unknown = this.names.fault(filter)
      if (unknown !== undefined) return unknown
      if (asksForPending(compileFilter(filter, codec))) {
        return new LedgerError(
          'validation_failed',
          'filters: queued and expired transactions are not in blocks and are not sent',
        )
      }
    }
    const height = services.height()
    if (from !== undefined && (from < 1 || from > height + 1)) {
      return new LedgerError('validation_failed', `from: expected a height from 1 to ${height + 1}, the next block`)
    }
    const own = [...this.hooks.values()].filter(({ runner }) => runner.hook.owner === owner).length
    if (own >= HOOKS_PER_ACCOUNT_MAX)
      return new LedgerError('webhook_limit', `an account can have at most ${own} webhooks`)
    const most = caller.operator ? HOOKS_MAX : HOOKS_MAX - HOOKS_OF_OPERATORS
    if (this.hooks.size < most) return undefined
    return new LedgerError('webhook_limit', `this node stores at most ${most} webhooks`)
  }

  private add({ record, progress, dead }: StoredHook): Hook {
    const { services, feed, records, outbound, operators, metrics, wallMs, monotonicMs, random, onError } = this.parts
    const { walks } = this
    const { codec, chain } = services.info
    const filters = record.filters.map((filter) => compileFilter(filter, codec))
    const source = new EventSource(
      { feed, walks, filters, chain, tip: () => services.height(), wallMs },
      progress.cursor,
    )
    const { id, previous } = record
    const onAttempt = (result: string): void => metrics.deliveries.inc({ result })
    const secrets = (): Buffer[] => secretsOf(hook, wallMs())
    const isOperators = (): boolean => operators.has(record.owner)
    const hook: Hook = {
      runner: new HookRunner(
        { records, outbound, source, isOperators, secrets, wallMs, monotonicMs, random, onAttempt, onError },
        record,
        progress,
        dead,
      ),
      secret: records.unseal(id, record.secret),
      previous: previous.flatMap(({ secret, untilMs }) => {
        const plain = records.unseal(id, secret)
        return plain === undefined ? [] : [{ secret: plain, untilMs }]
      }),
      isStored: true,
    }
    this.hooks.set(id, hook)
    return hook
  }
}

/** Secrets that sign deliveries at a time, newest first. */
function secretsOf({ secret, previous }: Hook, wallMs: number): Buffer[] {
  const own = secret === undefined ? [] : [secret]
  return [...own, ...stillSigning(previous, wallMs).map((one) => one.secret)]
}

/** Previous secrets that have not expired. */
const stillSigning = <T extends { readonly untilMs: number }>(previous: readonly T[], wallMs: number): readonly T[] =>
  previous.filter(({ untilMs }) => untilMs > wallMs).slice(0, PREVIOUS_SECRETS_MAX)

const isSeenBy = ({ operator, account }: Caller, { runner }: Hook): boolean =>
  operator || (account !== undefined && runner.hook.owner === account)
