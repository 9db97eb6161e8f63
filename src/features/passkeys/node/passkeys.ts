/** Owns the passkeys of a node: their creation, use and removal. */
import { createHash } from 'node:crypto'
import type { OperatorSession } from '../../../api/operator-routes.js'
import type { Operators } from '../../../api/operators.js'
import { definedFields } from '../../../base/defined-fields.js'
import type { Json } from '../../../codec/index.js'
import { type AccountId, type AuditTrail, formatAddress, LedgerError } from '../../../model/index.js'
import '../schema.js'
import { PASSKEYS_MAX, type PasskeyView } from '../schema.js'
import { Attempts } from './attempts.js'
import { counterOf, creationOptions, madeBy, requestOptions } from './ceremony.js'
import { Challenges, type Purpose } from './challenges.js'
import type { PasskeyConfig } from './config.js'
import { FailureNotes } from './failure-notes.js'
import type { PasskeyRecord, PasskeyRecords } from './records.js'
import { Tickets } from './tickets.js'

const ID_DIGITS = 32
/** Id of a passkey: a prefix of the digest of its credential. */
const idOf = (credential: Uint8Array): string =>
  createHash('sha256').update(credential).digest('hex').slice(0, ID_DIGITS)

const LOGIN: Purpose = { kind: 'login' }
/** Error text of all failures, which does not reveal whether a passkey exists. */
const refused = (what: 'passkey' | 'ticket'): LedgerError =>
  new LedgerError(
    'passkey_refused',
    what === 'ticket' ? 'the ticket is used, expired or unknown' : 'the passkey is not accepted',
  )

export interface PasskeysParts {
  readonly config: PasskeyConfig
  readonly records: PasskeyRecords
  readonly operators: Operators
  readonly audit: AuditTrail
  readonly addressPrefix: string
  /** Wall clock, ms since the Unix epoch. */
  readonly wallMs: () => number
  /** Monotonic clock, ms. */
  readonly monotonicMs: () => number
  readonly onError: (error: unknown) => void
}

export class Passkeys {
  private readonly attempts: Attempts
  private readonly failures: FailureNotes
  private readonly challenges: Challenges
  private readonly tickets: Tickets
  private loading: Promise<Map<string, PasskeyRecord>> | undefined

  constructor(private readonly parts: PasskeysParts) {
    this.attempts = new Attempts(parts.monotonicMs)
    this.failures = new FailureNotes(parts.monotonicMs)
    this.challenges = new Challenges(parts.monotonicMs)
    this.tickets = new Tickets(parts.monotonicMs)
  }

  /** Create a ticket for one passkey of an operator. */
  async ticket(account: AccountId, label: string): Promise<string | LedgerError> {
    const full = fullError(await this.known())
    return full ?? this.tickets.issue(account, label)
  }

  /** Browser options for creating the passkey of a ticket. */
  async registrationOptions(client: string, ticket: string): Promise<Json | LedgerError> {
    const late = this.attempts.take(client)
    if (late !== undefined) return late
    const found = this.tickets.find(ticket)
    if (found === undefined) return this.fail(client, 'registration', refused('ticket'))
    return creationOptions(this.parts.config, found.label, this.challenges.create({ kind: 'registration', ticket }))
  }

  /** Store the passkey created by a browser. */
  async register(client: string, ticket: string, response: Json): Promise<PasskeyView | LedgerError> {
    const late = this.attempts.take(client)
    if (late !== undefined) return late
    const records = await this.known()
    // Consumed before any await: two responses to one ticket create one passkey.
    const found = this.tickets.take(ticket)
    if (found === undefined) return this.fail(client, 'registration', refused('ticket'))
    const record = await this.made(ticket, response, found).catch((error: unknown) => {
      this.tickets.restore(ticket, found)
      throw error
    })
    if (record === undefined || records.has(record.id)) {
      this.tickets.restore(ticket, found)
      return this.fail(client, 'registration', refused('passkey'))
    }
    const full = fullError(records)
    if (full !== undefined) return full
    records.set(record.id, record)
    try {
      await this.parts.records.put(record)
    } catch (error) {
      records.delete(record.id)
      this.tickets.restore(ticket, found)
      throw error
    }
    await this.note('operator_passkey_registered', record.account, { passkey: record.id })
    return viewOf(record)
  }

  /** Browser options for a login with a passkey. */
  async loginOptions(client: string): Promise<Json | LedgerError> {
    return this.attempts.take(client) ?? requestOptions(this.parts.config, this.challenges.create(LOGIN))
  }

  /** Open a session of the operator whose passkey signed the response. */
  async login(client: string, response: Json): Promise<OperatorSession | LedgerError> {
    const late = this.attempts.take(client)
    if (late !== undefined) return late
    const records = await this.known()
    const id = idOf(credentialOf(response))
    const record = records.get(id)
    if (record === undefined || !this.parts.operators.has(record.account)) {
      return this.fail(client, 'login', refused('passkey'))
    }
    let used = ''
    const counter = await counterOf(this.parts.config, response, record, (text) => {
      used = text
      return this.challenges.isOpen(text, LOGIN)
    })
    // Read again: it may have been removed or used meanwhile, and a challenge counts once.
    const now = records.get(id)
    const isOn =
      now !== undefined && counter !== undefined && (counter > now.counter || (counter === 0 && now.counter === 0))
    if (!isOn || !this.challenges.use(used, LOGIN)) return this.fail(client, 'login', refused('passkey'))
    const next = { ...now, counter, lastUsedAtMs: this.parts.wallMs() }
    records.set(id, next)
    await this.parts.records.put(next)
    await this.note('operator_passkey_login', next.account, { passkey: id })
    // Removed during the write: a removed passkey opens nothing, and is not stored.
    if (!records.has(id)) {
      await this.parts.records.remove(id)
      return refused('passkey')
    }
    // A reload may have removed the operator meanwhile.
    if (!this.parts.operators.has(next.account)) return refused('passkey')
    return this.parts.operators.openSession(next.account)
  }

  /** Passkeys, oldest first. */
  async list(): Promise<PasskeyView[]> {
    const all = [...(await this.known()).values()]
    return all.sort((one, other) => one.createdAtMs - other.createdAtMs).map(viewOf)
  }

  /** Remove a passkey, and end the sessions of its operator. */
  async remove(id: string): Promise<PasskeyView | LedgerError> {
    const records = await this.known()
    const record = records.get(id)
    if (record === undefined) return new LedgerError('not_found', `passkey ${id} does not exist`)
    records.delete(id)
    this.parts.operators.endSessions(record.account)
    try {
      await this.parts.records.remove(id)
    } catch (error) {
      records.set(id, record)
      throw error
    }
    return viewOf(record)
  }

  private async made(ticket: string, response: Json, { account, label }: { account: AccountId; label: string }) {
    const purpose: Purpose = { kind: 'registration', ticket }
    let used = ''
    const made = await madeBy(this.parts.config, response, (text) => {
      used = text
      return this.challenges.isOpen(text, purpose)
    })
    if (made === undefined || !this.parts.operators.has(account) || !this.challenges.use(used, purpose))
      return undefined
    const record: PasskeyRecord = {
      ...made,
      id: idOf(made.credential),
      label,
      account,
      createdAtMs: this.parts.wallMs(),
      lastUsedAtMs: undefined,
    }
    return record
  }

  /**
   * Count a failure and log it, unless the log is at its limit; the limit is needed because the client is not
   * authenticated.
   */
  private async fail(client: string, what: 'login' | 'registration', error: LedgerError): Promise<LedgerError> {
    this.attempts.failed(client)
    const leftOut = this.failures.take()
    if (leftOut === undefined) return error
    const before = definedFields({ left_out: leftOut === 0 ? undefined : String(leftOut) })
    await this.note(`operator_passkey_${what}`, undefined, { outcome: error.code, client, ...before })
    return error
  }

  private note(action: string, account: AccountId | undefined, fields: Record<string, string>): Promise<void> {
    const actor = account === undefined ? 'passkey' : formatAddress(account, this.parts.addressPrefix)
    return this.parts.audit.append({ action, actor, fields: { outcome: 'done', ...fields } })
  }

  /** Passkeys by credential, read on first use; after a failure of the store they are read again. */
  private known(): Promise<Map<string, PasskeyRecord>> {
    this.loading ??= this.load().catch((error: unknown) => {
      this.loading = undefined
      throw error
    })
    return this.loading
  }

  private async load(): Promise<Map<string, PasskeyRecord>> {
    return new Map((await this.parts.records.all(this.parts.onError)).map((record) => [record.id, record]))
  }
}

const fullError = ({ size }: ReadonlyMap<string, unknown>): LedgerError | undefined =>
  size < PASSKEYS_MAX
    ? undefined
    : new LedgerError('passkey_limit', `this node stores at most ${PASSKEYS_MAX} passkeys`)

/** Credential id in a response; empty if it has none. */
function credentialOf(response: Json): Buffer {
  const { id } = (response ?? {}) as { id?: unknown }
  return typeof id === 'string' ? Buffer.from(id, 'base64url') : Buffer.alloc(0)
}

const viewOf = ({ id, label, account, createdAtMs, lastUsedAtMs }: PasskeyRecord): PasskeyView => ({
  id,
  label,
  account,
  createdAtMs,
  lastUsedAtMs,
})
