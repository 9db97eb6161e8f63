/** Owns the creation of spans, with ids derived from a hash or with random ids. */
import { randomBytes } from 'node:crypto'
import type { Attributes, Tracer } from '@opentelemetry/api'
import type { IdGenerator, SpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { toHex } from '../../../codec/index.js'
import type { TraceLibrary } from './library.js'
import type { SpanPlace } from './traceparent.js'

/** Finished span. */
export interface EndedSpan {
  readonly name: string
  /** True if the span serves a remote request. */
  readonly isServer?: boolean
  /** Start, ms since the Unix epoch. */
  readonly fromMs: number
  readonly toMs: number
  readonly attributes: Attributes
  /** Reason for the failure of the work that the span measures. */
  readonly failure?: string | undefined
  /** Ids of the span, if predetermined. */
  readonly place?: SpanPlace
  readonly parent?: SpanPlace | undefined
  /** Spans of other traces that it is linked to. */
  readonly links?: readonly SpanPlace[]
}

/** Random ids, except for the next span if its ids are predetermined. */
class Ids implements IdGenerator {
  next: SpanPlace | undefined
  generateTraceId = (): string => this.next?.traceId ?? toHex(randomBytes(16))
  generateSpanId = (): string => this.next?.spanId ?? toHex(randomBytes(8))
}

/** Span factory of one node. */
export class Spans {
  private readonly ids = new Ids()
  private readonly provider: TracerProvider
  private readonly tracer: Tracer

  constructor(
    private readonly library: TraceLibrary,
    processor: SpanProcessor,
    about: Attributes,
  ) {
    const { resources, sdk } = library
    this.provider = new sdk.TracerProvider({
      idGenerator: this.ids,
      resource: resources.resourceFromAttributes(about),
      // The sampling decision is already made, independently of environment variables.
      sampler: new sdk.AlwaysOnSampler(),
      spanProcessors: [processor],
    })
    this.tracer = this.provider.getTracer('causeway')
  }

  /** Export a span, and return its position. */
  add({ name, isServer, fromMs, toMs, attributes, failure, place, parent, links = [] }: EndedSpan): SpanPlace {
    const { ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace } = this.library.api
    const contextOf = ({ traceId, spanId }: SpanPlace) => ({
      traceId,
      spanId,
      traceFlags: TraceFlags.SAMPLED,
      isRemote: true,
    })
    const around = parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, contextOf(parent))
    const kind = isServer === true ? SpanKind.SERVER : SpanKind.INTERNAL
    this.ids.next = place
    const options = { kind, startTime: fromMs, attributes, links: links.map((one) => ({ context: contextOf(one) })) }
    const span = this.tracer.startSpan(name, options, around)
    this.ids.next = undefined
    if (failure !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: failure })
    span.end(Math.max(fromMs, toMs))
    const { traceId, spanId } = span.spanContext()
    return { traceId, spanId }
  }

  /** Export the waiting spans. */
  close(): Promise<void> {
    return this.provider.shutdown()
  }
}
