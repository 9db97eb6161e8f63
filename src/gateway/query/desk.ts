/** Owns the answering of signed queries: who asks, that it is asked once, and the items that match (design/gateway.md 2, 6). */
import {
  QUERY_FETCH_DEFAULT,
  QUERY_FETCH_MAX,
  type QueryAnswer,
  type QueryBatch,
  type QueryCursor,
  type QueryPayload,
  type QueryStart,
  querySignBytes,
  SIGNED_REQUEST_SKEW_MS,
  type SignedQuery,
  signedQuery,
} from '../../api/index.js'
import type { Json } from '../../codec/index.js'
import { verifyEd25519, verifySecp256k1 } from '../../crypto/index.js'
import { accountByIdQuery } from '../../features/core/queries.js'
import type { NodeServices } from '../../features/services.js'
import { keyOfAccount, keyString, LedgerError, splitAccountKey } from '../../model/index.js'
import { faultError } from '../answer.js'
import type { Clocks } from '../caller.js'
import { NonceMemory } from '../nonces.js'
import { Cursors } from './cursors.js'
import { compilePredicate, compileSorting } from './predicate.js'
import { allItems, ask, itemFields, queryNamed } from './rows.js'

const refuse = (message: string): LedgerError => new LedgerError('unauthorised', message)

export class QueryDesk {
  private readonly asked = new NonceMemory()
  private readonly cursors: Cursors

  constructor(private readonly clocks: Clocks) {
    this.cursors = new Cursors(clocks.monotonicMs)
  }

  /** Answers the canonical bytes of a signed query. */
  async answer(services: NodeServices, bytes: Uint8Array): Promise<QueryAnswer | LedgerError> {
    const decoded = signedQuery.decode(bytes, services.info.codec)
    if (!decoded.ok) return faultError(decoded.fault)
    const payload = decoded.value.payload.value
    const refused = this.verify(services, decoded.value, payload)
    if (refused !== undefined) return refused
    const { authority, request } = payload
    if ((await services.query(accountByIdQuery, { id: authority, alias: undefined })) === undefined) {
      return new LedgerError('unknown_account', 'the authority is not registered')
    }
    switch (request.kind) {
      case 'singular': {
        const def = queryNamed(services, request.value.kind)
        if (def instanceof LedgerError) return def
        const output = await ask(services, def, request.value.input)
        if (output instanceof LedgerError) return output
        if (output === undefined) return new LedgerError('not_found', 'the query found nothing')
        return { kind: 'singular', value: output }
      }
      case 'start':
        return this.start(services, authority, request.value)
      case 'continue':
        return this.goOn(authority, request.value)
    }
  }

  /** Why the query is not the authority's, of this chain, of now and new. The signature comes before the memory. */
  private verify(
    services: NodeServices,
    { payload: sealed, signature }: SignedQuery,
    payload: QueryPayload,
  ): LedgerError | undefined {
    if (payload.chain !== services.info.chain) {
      return new LedgerError('chain_mismatch', 'the query was signed for another chain')
    }
    const offMs = Math.abs(payload.createdAtMs - this.clocks.wallMs())
    if (offMs > SIGNED_REQUEST_SKEW_MS) {
      return new LedgerError('unauthorised', `the query was signed ${offMs} ms away from the clock of this node`, {
        hint: 'Check the clock of the signing machine.',
      })
    }
    const key = keyOfAccount(payload.authority)
    if (key === undefined) return refuse('a multisig account has no single key: ask with the key of a member')
    if (signature.publicKey !== key) {
      return new LedgerError('signature_unknown_signer', 'the signature is not by the key of the authority')
    }
    const { curve, bytes } = splitAccountKey(key)
    const verify = curve === 'ed25519' ? verifyEd25519 : verifySecp256k1
    const message = querySignBytes(sealed.bytes)
    if (!verify(bytes, message, signature.signature)) {
      return new LedgerError('signature_invalid', 'the signature does not cover this query')
    }
    switch (this.asked.note(keyString(message), this.clocks.monotonicMs())) {
      case 'replayed':
        return refuse('the query was sent before: make a new one, with a nonce of its own')
      case 'full':
        return new LedgerError('rate_limited', 'too many signed queries')
      case 'fresh':
        return undefined
    }
  }

  private async start(
    services: NodeServices,
    authority: string,
    start: QueryStart,
  ): Promise<QueryAnswer | LedgerError> {
    const { query, predicate, sorting, offset, limit, cursorMode } = start
    const fetchSize = start.fetchSize ?? QUERY_FETCH_DEFAULT
    if (fetchSize < 1 || fetchSize > QUERY_FETCH_MAX || limit === 0) {
      return new LedgerError('invalid_pagination', `fetch_size lies between 1 and ${QUERY_FETCH_MAX}, limit from 1`)
    }
    const def = queryNamed(services, query.kind)
    if (def instanceof LedgerError) return def
    const known = itemFields(def)
    if (known === undefined) {
      return new LedgerError('type_mismatch', `${query.kind} answers one record`, {
        hint: 'Ask it as a singular query.',
      })
    }
    const test = predicate === undefined ? () => true : compilePredicate(predicate, known)
    if (test instanceof LedgerError) return test
    const order = compileSorting(sorting, known)
    if (order instanceof LedgerError) return order
    const found = await allItems(services, def, query.input)
    if (found instanceof LedgerError) return found
    const { height } = found
    const matching = found.items.filter(test)
    if (sorting.length > 0) matching.sort(order)
    const items = matching.slice(offset, limit === undefined ? undefined : offset + limit)
    const batch: QueryBatch = {
      items: items.slice(0, fetchSize),
      total: items.length,
      remaining: Math.max(0, items.length - fetchSize),
      height,
      cursor: undefined,
    }
    if (cursorMode === 'ephemeral' || batch.remaining === 0) return { kind: 'iterable', value: batch }
    const id = this.cursors.add({ authority, items, fetchSize, height, position: fetchSize })
    if (id === undefined) {
      return new LedgerError('rate_limited', 'too many cursors are open', {
        hint: 'Read one to its end before the next, or page with offset and limit.',
      })
    }
    return { kind: 'iterable', value: { ...batch, cursor: { id, position: fetchSize } } }
  }

  private goOn(authority: string, { id, position }: QueryCursor): QueryAnswer | LedgerError {
    const cursor = this.cursors.use(id, authority)
    if (cursor === undefined) {
      return new LedgerError('cursor_expired', 'the cursor expired, ended, or is not of this account', {
        hint: 'Start the query again.',
      })
    }
    // The same batch again is fine: its answer may have been lost.
    if (position !== cursor.position && position !== cursor.position - cursor.fetchSize) {
      return new LedgerError('cursor_mismatch', `the cursor stands at ${cursor.position}`)
    }
    const end = position + cursor.fetchSize
    const items: readonly Json[] = cursor.items.slice(position, end)
    cursor.position = end
    const remaining = Math.max(0, cursor.items.length - end)
    const next = remaining === 0 ? undefined : { id, position: end }
    const batch = { items, total: cursor.items.length, remaining, height: cursor.height, cursor: next }
    return { kind: 'iterable', value: batch }
  }
}
