/** Owns the creation of spans: with ids derived from a hash, and with new ones. */
import { randomBytes } from 'node:crypto'
import {
  type Attributes,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOnSampler,
  BasicTracerProvider,
  type IdGenerator,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import { toHex } from '../../../codec/index.js'
import type { SpanPlace } from './traceparent.js'

/** A span that is over. */
export interface EndedSpan {
  readonly name: string
  /** Serves a request of somebody else. */
  readonly isServer?: boolean
  /** ms since the Unix epoch. */
  readonly fromMs: number
  readonly toMs: number
  readonly attributes: Attributes
  /** Why what it stands for failed. */
  readonly failure?: string | undefined
  /** Its own identity, where that is known beforehand. */
  readonly place?: SpanPlace
  readonly parent?: SpanPlace | undefined
  /** Spans of other traces that it belongs to. */
  readonly links?: readonly SpanPlace[]
}

const contextOf = ({ traceId, spanId }: SpanPlace) => ({
  traceId,
  spanId,
  traceFlags: TraceFlags.SAMPLED,
  isRemote: true,
})

/** Ids by chance, but for the span that is made next when its place is known. */
class Ids implements IdGenerator {
  next: SpanPlace | undefined
  generateTraceId = (): string => this.next?.traceId ?? toHex(randomBytes(16))
  generateSpanId = (): string => this.next?.spanId ?? toHex(randomBytes(8))
}

/** Span factory of one node. */
export class Spans {
  private readonly ids = new Ids()
  private readonly provider: BasicTracerProvider
  private readonly tracer: Tracer

  constructor(processor: SpanProcessor, about: Attributes) {
    const { ids } = this
    const resource = resourceFromAttributes(about)
    this.provider = new BasicTracerProvider({
      idGenerator: ids,
      resource,
      // What is followed was decided before, and not by variables of the environment.
      sampler: new AlwaysOnSampler(),
      spanProcessors: [processor],
    })
    this.tracer = this.provider.getTracer('causeway')
  }

  /** Hands a span on; gives where it stands. */
  add({ name, isServer, fromMs, toMs, attributes, failure, place, parent, links = [] }: EndedSpan): SpanPlace {
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

  /** Sends what waits. */
  close(): Promise<void> {
    return this.provider.shutdown()
  }
}
