/**
 * Owns the traced transactions of a node: from their request, or their arrival from a peer, to their block. The span of
 * each node is a child of the transaction span, whose ids all nodes derive from the hash.
 */
import type { AnsweredRequest, RequestTracer } from '../../../api/request-trace.js'
import { definedFields } from '../../../base/defined-fields.js'
import { toHex } from '../../../codec/index.js'
import { FOLLOWED_MAX, FOLLOWED_MS } from './limits.js'
import type { EndedSpan } from './spans.js'
import { isOfShare, parseTraceparent, placeOf, type SpanPlace, traceparentOf } from './traceparent.js'

/** Outcome of a traced transaction in a block. */
export interface TracedOutcome {
  readonly hash: Uint8Array
  readonly height: number
  /** Code of its rejection. */
  readonly rejection: string | undefined
}

/** Request that submitted a transaction. */
interface Brought {
  readonly fromMs: number
  readonly span: SpanPlace
  /** Span of its client, if it is in the trace of the transaction. */
  readonly under: SpanPlace | undefined
  readonly messageId: string | undefined
}

/** Traced transaction in progress. */
interface Followed {
  readonly hash: Uint8Array
  readonly queuedMs: number
  readonly lane: number | undefined
  readonly brought?: Brought
}

export interface FollowerParts {
  readonly spans: { add(span: EndedSpan): SpanPlace }
  readonly samplePerMille: number
  /** Wall clock, ms since the Unix epoch. */
  readonly wallMs: () => number
  /** Called for a transaction that exceeds the maximum number of traced transactions. */
  readonly onUnfollowed: () => void
}

export class Follower implements RequestTracer {
  private readonly followed = new Map<string, Followed>()

  constructor(private readonly parts: FollowerParts) {}

  /** True if no transaction is traced. */
  get isIdle(): boolean {
    return this.followed.size === 0
  }

  answered({ method, path, status, code, traceparent, tookMs, submission }: AnsweredRequest): string | undefined {
    const named = parseTraceparent(traceparent)
    const { transactionHash: hash, messageId } = submission ?? {}
    // The client's sampling decision has priority; without one, the share decides.
    const isFollowed = named?.sampled ?? (hash !== undefined && isOfShare(hash, this.parts.samplePerMille))
    if (!isFollowed) return undefined
    const toMs = this.parts.wallMs()
    const fromMs = toMs - tookMs
    const whole = hash === undefined ? undefined : placeOf(hash)
    const isForeign = whole !== undefined && named !== undefined && named.traceId !== whole.traceId
    const under = isForeign ? undefined : named
    const span = this.parts.spans.add({
      name: `${method} ${path}`,
      isServer: true,
      fromMs,
      toMs,
      attributes: definedFields({
        'http.request.method': method,
        'http.route': path,
        'http.response.status_code': status,
        'error.type': code,
        'causeway.transaction.hash': hash === undefined ? undefined : toHex(hash),
        'causeway.message.id': messageId,
      }),
      failure: status >= 500 ? code : undefined,
      parent: isForeign ? named : (whole ?? named),
      links: isForeign ? [whole] : [],
    })
    if (hash !== undefined) this.bring(hash, { fromMs, span, under, messageId })
    return traceparentOf(span)
  }

  /** Record that a transaction entered the queue of this node. */
  queued(hash: Uint8Array, atMs: number, lane: number): void {
    if (isOfShare(hash, this.parts.samplePerMille)) this.follow({ hash, queuedMs: atMs, lane })
  }

  /** Record that a transaction left the queue without being in a block. */
  expired(hash: Uint8Array, atMs: number): void {
    this.end(hash, atMs, { 'causeway.transaction.outcome': 'expired' }, 'expired')
  }

  /** Record that a block has a transaction. */
  committed({ hash, height, rejection }: TracedOutcome, atMs: number): void {
    const outcome = rejection === undefined ? 'approved' : 'rejected'
    const attributes = definedFields({
      'causeway.transaction.outcome': outcome,
      'causeway.block.height': height,
      'error.type': rejection,
    })
    this.end(hash, atMs, attributes, rejection)
  }

  /** Drop transactions that were followed for too long. */
  sweep(): void {
    const before = this.parts.wallMs() - FOLLOWED_MS
    for (const [id, { queuedMs }] of this.followed) {
      if (queuedMs > before) return
      this.followed.delete(id)
      this.parts.onUnfollowed()
    }
  }

  /** Record a traced request for a transaction, which this node queued before its response. */
  private bring(hash: Uint8Array, brought: Brought): void {
    const known = this.followed.get(toHex(hash))
    // A transaction of the traced share that is no longer traced is already in a block.
    if (known === undefined && isOfShare(hash, this.parts.samplePerMille)) return
    this.follow({ ...(known ?? { hash, queuedMs: this.parts.wallMs(), lane: undefined }), brought })
  }

  private follow(followed: Followed): void {
    const id = toHex(followed.hash)
    if (this.followed.has(id) || this.followed.size < FOLLOWED_MAX) this.followed.set(id, followed)
    else this.parts.onUnfollowed()
  }

  private end(hash: Uint8Array, toMs: number, attributes: EndedSpan['attributes'], failure: string | undefined): void {
    const id = toHex(hash)
    const followed = this.followed.get(id)
    if (followed === undefined) return
    this.followed.delete(id)
    const { queuedMs, lane, brought } = followed
    const whole = placeOf(hash)
    const all = { 'causeway.transaction.hash': id, ...attributes }
    const here = lane === undefined ? all : { ...all, 'causeway.lane': lane }
    this.parts.spans.add({ name: 'queue to block', fromMs: queuedMs, toMs, attributes: here, failure, parent: whole })
    if (brought === undefined) return
    const { fromMs, span, under, messageId } = brought
    this.parts.spans.add({
      name: 'transaction',
      fromMs,
      toMs,
      attributes: messageId === undefined ? all : { ...all, 'causeway.message.id': messageId },
      failure,
      place: whole,
      parent: under,
      links: span.traceId === whole.traceId ? [] : [span],
    })
  }
}
