/** Owns signed queries: authentication, replay protection, and filtering of items (docs/design/gateway.md 2, 6). */

import {
  type Caller,
  openQueryEnvelope,
  profileServes,
  QUERY_FETCH_DEFAULT,
  QUERY_FETCH_MAX,
  type QueryAnswer,
  type QueryBatch,
  type QueryCursor,
  type QueryEnvelope,
  type QueryStart,
  querySignBytes,
  SIGNED_REQUEST_SKEW_MS,
  signedQuery,
} from '../../api/index.js'
import type { NodeServices } from '../../api/services.js'
import type { Clocks } from '../../base/clocks.js'
import { verifyEd25519, verifySecp256k1 } from '../../crypto/index.js'
import { isRegistered } from '../../features/texts.js'
import { type AccountId, keyOfAccount, keyString, LedgerError, splitAccountKey } from '../../model/index.js'
import { faultError } from '../answer.js'
import { operatorKeysOf } from '../caller.js'
import type { GatewayConfig } from '../config.js'
import { type NonceBounds, NonceMemory } from '../nonces.js'
import { Slices } from '../slices.js'
import { Cursors, type KeptBatch } from './cursors.js'
import { type AnyQuery, ask, List, queryNamed, withIds } from './list.js'
import { compilePredicate, compileSorting } from './predicate.js'
import { Semaphore } from './semaphore.js'
import {
  ANSWER_MAX_BYTES,
  isOver,
  itemOfText,
  PAGES_MAX,
  type Reading,
  ROWS_MAX,
  remainingOf,
  type Step,
  sortedWalk,
  stepOf,
  textOfItem,
  type Wanted,
  walkOf,
} from './walk.js'

const refuse = (message: string): LedgerError => new LedgerError('unauthorised', message)

/** Bounds of nonces. Only registered accounts have entries, each for about 30 queries per second in the long run. */
const QUERY_NONCES: NonceBounds = { total: 65_536, perKey: 4_096, perClient: 65_536 }
/** Single client for all nonces: registering an account costs a fee, so limits per key suffice. */
const ANY_CLIENT = ''

/** Sender of a query, and whether it is still connected. */
export interface Asker {
  readonly caller: Pick<Caller, 'operator'>
  readonly signal: AbortSignal
}

export class QueryService {
  private readonly asked = new NonceMemory(QUERY_NONCES)
  private readonly cursors: Cursors
  private readonly running = new Semaphore()
  constructor(
    private readonly clocks: Clocks,
    private readonly config: Pick<GatewayConfig, 'telemetryProfile' | 'operatorKeys'>,
  ) {
    this.cursors = new Cursors(clocks.monotonicMs)
  }

  /** Process the canonical bytes of a signed query. */
  async answer(
    services: NodeServices,
    bytes: Uint8Array,
    { caller, signal }: Asker,
  ): Promise<QueryAnswer | LedgerError> {
    const opened = openQueryEnvelope(bytes)
    if (!opened.ok) return faultError(opened.fault)
    const { payload, signature } = opened.value
    const { authority } = payload.value
    const refused = this.verify(services, opened.value)
    if (refused !== undefined) return refused
    if (!(await isRegistered(services, authority))) {
      return new LedgerError('unknown_account', 'the authority is not registered')
    }
    const before = this.asked.note(
      signature.publicKey,
      keyString(querySignBytes(payload.bytes)),
      ANY_CLIENT,
      this.clocks.monotonicMs(),
    )
    if (before !== undefined) return before
    // The body is decoded only after its sender is verified.
    const decoded = signedQuery.decode(bytes, services.info.codec)
    if (!decoded.ok) return faultError(decoded.fault)
    const { request } = decoded.value.payload.value
    if (request.kind === 'continue') {
      return this.running.take(authority, () => this.goOn(authority, request.value, this.reading(services, signal)))
    }
    const call = request.kind === 'start' ? request.value.query : request.value
    const def = queryNamed(services, call.kind)
    if (def instanceof LedgerError) return def
    const hidden = this.hidden(def, authority, caller)
    if (hidden !== undefined) return hidden
    const input = await withIds(services, def, call.input)
    if (input instanceof LedgerError) return input
    if (request.kind === 'start') {
      const start = { ...request.value, query: { ...call, input } }
      return this.running.take(authority, () => this.start(services, def, authority, start, signal))
    }
    const output = await ask(services, def, input)
    if (output instanceof LedgerError) return output
    if (output === undefined) return new LedgerError('not_found', 'the query returned nothing')
    return { kind: 'singular', value: output }
  }

  /**
   * Error if the telemetry profile hides a query from an account, by the same rules as for routes with the same data.
   */
  private hidden(
    { kind, profile }: AnyQuery,
    authority: AccountId,
    { operator }: Pick<Caller, 'operator'>,
  ): LedgerError | undefined {
    const { telemetryProfile } = this.config
    if (profileServes(telemetryProfile, profile) || operator) return undefined
    if (operatorKeysOf(this.config).some((key) => key === keyOfAccount(authority))) return undefined
    return new LedgerError(
      'telemetry_profile_restricted',
      `the telemetry profile ${telemetryProfile} does not serve the query ${kind}`,
    )
  }

  /** Reason why the query is not signed by the authority, for this chain and time. */
  private verify(services: NodeServices, { payload, signature }: QueryEnvelope): LedgerError | undefined {
    const { chain, createdAtMs, authority } = payload.value
    if (chain !== services.info.chain) {
      return new LedgerError('chain_mismatch', 'the query was signed for another chain')
    }
    const offMs = Math.abs(createdAtMs - this.clocks.wallMs())
    if (offMs > SIGNED_REQUEST_SKEW_MS) {
      return new LedgerError('unauthorised', `the query was signed ${offMs} ms away from the clock of this node`, {
        hint: 'Check the clock of the signing machine.',
      })
    }
    const key = keyOfAccount(authority)
    if (key === undefined)
      return refuse('a multisig account has no single key: sign the query with the key of a member')
    if (signature.publicKey !== key) {
      return new LedgerError('signature_unknown_signer', 'the signature is not by the key of the authority')
    }
    const { curve, bytes } = splitAccountKey(key)
    const verify = curve === 'ed25519' ? verifyEd25519 : verifySecp256k1
    return verify(bytes, querySignBytes(payload.bytes), signature.signature)
      ? undefined
      : new LedgerError('signature_invalid', 'the signature does not cover this query')
  }

  private async start(
    services: NodeServices,
    def: AnyQuery,
    authority: AccountId,
    start: QueryStart,
    signal: AbortSignal,
  ): Promise<QueryAnswer | LedgerError> {
    const { query, predicate, sorting, offset, limit, cursorMode } = start
    const fetchSize = start.fetchSize ?? QUERY_FETCH_DEFAULT
    if (fetchSize < 1 || fetchSize > QUERY_FETCH_MAX || limit === 0) {
      return new LedgerError(
        'invalid_pagination',
        `fetch_size must be between 1 and ${QUERY_FETCH_MAX}, limit at least 1`,
      )
    }
    const list = List.of(services, def, query.input)
    if (list instanceof LedgerError) return list
    const test = predicate === undefined ? () => true : compilePredicate(predicate, list.fields)
    if (test instanceof LedgerError) return test
    const order = sorting.length === 0 ? undefined : compileSorting(sorting, list.fields)
    if (order instanceof LedgerError) return order
    const isStored = cursorMode === 'stored'
    if (isStored && !this.cursors.hasRoom(authority, 0)) return tooManyCursors()
    const wanted: Wanted = { list, test, order, offset, limit: limit ?? Number.POSITIVE_INFINITY }
    const reading = this.reading(services, signal)
    const from = order === undefined ? walkOf(wanted) : await sortedWalk(wanted, reading)
    if (from instanceof LedgerError) return from
    const step = await stepOf(wanted, from, fetchSize, reading)
    if (step instanceof LedgerError) return step
    if (step.cut && !isStored) {
      return new LedgerError(
        'query_too_complex',
        `the response is longer than ${ANSWER_MAX_BYTES} bytes, or ${ROWS_MAX} items (or ${PAGES_MAX} pages of large ones) contain too few matches`,
        {
          hint: 'Use a stored cursor, which continues from there, or request fewer items.',
        },
      )
    }
    if (!isStored || isOver(step.walk)) return { kind: 'iterable', value: batchOf(step, 0, undefined) }
    // Other cursors may have been stored while the list was read.
    if (!this.cursors.hasRoom(authority, step.walk.heldBytes)) return tooManyCursors()
    const id = this.cursors.newId()
    const first = batchOf(step, 0, { id, position: 1 })
    const [given, last] = [step.items.length, keptBatch(first)]
    this.cursors.add({ id, authority, wanted, fetchSize, walk: step.walk, position: 1, given, last, isReading: false })
    return { kind: 'iterable', value: first }
  }

  private reading(services: NodeServices, signal: AbortSignal): Reading {
    return { services, signal, slices: new Slices(this.clocks.monotonicMs) }
  }

  private async goOn(
    authority: AccountId,
    { id, position }: QueryCursor,
    reading: Reading,
  ): Promise<QueryAnswer | LedgerError> {
    const cursor = this.cursors.use(id, authority)
    if (cursor === undefined) {
      return new LedgerError('cursor_expired', 'the cursor expired, or belongs to another account', {
        hint: 'Start the query again.',
      })
    }
    if (cursor.isReading) return new LedgerError('rate_limited', 'another request is reading from this cursor')
    if (position === cursor.position - 1) return { kind: 'iterable', value: givenBatch(cursor.last) }
    if (position !== cursor.position || isOver(cursor.walk)) {
      return new LedgerError('cursor_mismatch', `the cursor is at ${cursor.position}`)
    }
    cursor.isReading = true
    try {
      const step = await stepOf(cursor.wanted, cursor.walk, cursor.fetchSize, reading)
      if (step instanceof LedgerError) return step
      const next = isOver(step.walk) ? undefined : { id: cursor.id, position: position + 1 }
      const batch = batchOf(step, cursor.given, next)
      cursor.last = keptBatch(batch)
      cursor.walk = step.walk
      cursor.given += step.items.length
      cursor.position = position + 1
      return { kind: 'iterable', value: batch }
    } finally {
      cursor.isReading = false
    }
  }
}

const tooManyCursors = (): LedgerError =>
  new LedgerError('rate_limited', 'too many cursors are open', {
    hint: 'Finish one query before the next, or page with offset and limit.',
  })

/** Batch for storage with its cursor, in case its response is lost. */
const keptBatch = ({ items, ...rest }: QueryBatch): KeptBatch => ({ ...rest, texts: items.map(textOfItem) })
const givenBatch = ({ texts, ...rest }: KeptBatch): QueryBatch => ({ ...rest, items: texts.map(itemOfText) })

/** Batch of a step; `given`: number of items in earlier batches. */
function batchOf({ items, height, walk }: Step, given: number, cursor: QueryCursor | undefined): QueryBatch {
  const remaining = remainingOf(walk)
  const total = remaining === undefined ? undefined : given + items.length + remaining
  return { items, total, remaining, height, cursor }
}
