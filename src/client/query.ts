/** Owns signed queries on the client: each attempt is signed anew, because a signature is valid once. */
import { randomInt } from 'node:crypto'
import {
  CODEC_MEDIA_TYPE,
  QUERY_ANSWER_FRAME,
  type QueryAnswer,
  type QueryPayload,
  type QueryRequest,
  type QueryStart,
  queryPayload,
  querySignBytes,
  SIGNED_QUERY_FRAME,
  submitQueryRoute,
} from '../api/index.js'
import { sleep } from '../base/sleep.js'
import { type CodecContext, type Json, lazyOf } from '../codec/index.js'
import type { SigningKey } from '../crypto/index.js'
import { accountKeyOf, accountOfKey, LedgerError } from '../model/index.js'
import { errorOfAnswer, isSuccess } from './answer.js'
import { decodedValue, notAGateway } from './decoded.js'
import { PageGuard } from './pages.js'
import { signMessage } from './transaction.js'
import type { Transport } from './transport.js'

/** Maximum attempts per query. */
const TRIES = 3

/** Maximum Retry-After that is waited for, in ms; longer ones are left to the caller. */
const RETRY_AFTER_MAX_MS = 5_000

/** Delay before the retry of a query, in ms; undefined if it would fail again. */
function pauseMsOf({ code, details }: LedgerError): number | undefined {
  if (code === 'unreachable') return 0
  const seconds = details?.['retry_after_seconds']
  // Other queries of the account are running; the jitter spreads the retries.
  if (code !== 'rate_limited' || typeof seconds !== 'number' || seconds * 1000 > RETRY_AFTER_MAX_MS) return undefined
  return seconds * 1000 * (1 + Math.random())
}

/** Selection of items of an iterable query. */
type ItemsChoices = Omit<QueryStart, 'query' | 'cursorMode'>
export type ItemsRequest = { readonly [K in keyof ItemsChoices]?: ItemsChoices[K] | undefined }

/** Frame of a signed query. Throws `signature_algorithm_denied` for a BLS key. */
export async function signQuery(
  request: QueryRequest,
  pair: SigningKey,
  place: { readonly chain: string; readonly codec: CodecContext; readonly nowMs?: number; readonly nonce?: number },
): Promise<Buffer> {
  const { algorithm, bytes } = pair.publicKey
  if (algorithm === 'bls') throw new LedgerError('signature_algorithm_denied', 'BLS keys do not sign for accounts')
  const publicKey = accountKeyOf(algorithm, bytes)
  const { chain, codec } = place
  const payload: QueryPayload = {
    chain,
    authority: accountOfKey(publicKey),
    createdAtMs: place.nowMs ?? Date.now(),
    nonce: place.nonce ?? randomInt(0, 2 ** 32),
    request,
  }
  const sealed = lazyOf(queryPayload, payload, codec)
  const signature = await signMessage(pair, querySignBytes(sealed.bytes))
  return SIGNED_QUERY_FRAME.seal({ payload: sealed, signature: { publicKey, signature } }, codec)
}

/** Sender of signed queries with one key. */
export class Queries {
  constructor(
    private readonly transport: Transport,
    private readonly signer: SigningKey,
    private readonly chain: () => Promise<{ readonly chain: string; readonly codec: CodecContext }>,
  ) {}

  /** Output of a query as the JSON form of its record. */
  async one(kind: string, input: Json): Promise<Json> {
    const answer = await this.ask({ kind: 'singular', value: { kind, input } })
    if (answer.kind !== 'singular') throw notAGateway('it returned items for a singular query')
    return answer.value
  }

  /** All matching items, batch by batch. Throws `cursor_expired` if the node dropped the cursor. */
  async *items(kind: string, input: Json, request: ItemsRequest): AsyncGenerator<Json, void> {
    const start: QueryStart = {
      query: { kind, input },
      predicate: request.predicate,
      sorting: request.sorting ?? [],
      offset: request.offset ?? 0,
      limit: request.limit,
      fetchSize: request.fetchSize,
      cursorMode: 'stored',
    }
    const pages = new PageGuard()
    let next: QueryRequest | undefined = { kind: 'start', value: start }
    while (next !== undefined) {
      const answer: QueryAnswer = await this.ask(next)
      if (answer.kind !== 'iterable') throw notAGateway('it returned one record for an iterable query')
      yield* answer.value.items
      const { cursor }: { cursor: QueryAnswerCursor } = answer.value
      const place = cursor === undefined ? undefined : `${Buffer.from(cursor.id).toString('hex')} ${cursor.position}`
      pages.next(place, answer.value.items.length)
      next = cursor === undefined ? undefined : { kind: 'continue', value: cursor }
    }
  }

  private async ask(request: QueryRequest): Promise<QueryAnswer> {
    const place = await this.chain()
    for (let tries = 1; ; tries++) {
      try {
        const answer = await this.transport.send({
          method: submitQueryRoute.method,
          path: submitQueryRoute.path,
          body: await signQuery(request, this.signer, place),
          contentType: CODEC_MEDIA_TYPE,
          accept: CODEC_MEDIA_TYPE,
          idempotent: false,
        })
        if (!isSuccess(answer)) throw errorOfAnswer(answer)
        return decodedValue(QUERY_ANSWER_FRAME.open(answer.body, place.codec))
      } catch (error) {
        const pauseMs = error instanceof LedgerError ? pauseMsOf(error) : undefined
        if (pauseMs === undefined || tries === TRIES || pauseMs >= this.transport.leftMs()) throw error
        await sleep(pauseMs)
      }
    }
  }
}

type QueryAnswerCursor = Extract<QueryAnswer, { kind: 'iterable' }>['value']['cursor']
