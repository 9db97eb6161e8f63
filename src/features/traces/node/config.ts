/** Owns the configuration of traces. */
import { defineConfig, httpUrlFault } from '../../../config/index.js'
import { EXPORTER } from './library.js'

export interface TraceConfig {
  /** URL for spans; absent: no traces. */
  readonly endpoint: string | undefined
  /** Number of transactions per thousand that are traced. */
  readonly samplePerMille: number
}

/** Example of a collector URL in errors. */
const EXAMPLE = 'http://127.0.0.1:4318/v1/traces'

export const traceConfig = defineConfig<TraceConfig>({
  sections: { traces: 'Spans of transactions, from request to commit, for an OpenTelemetry collector.' },
  keys: [
    {
      path: ['traces', 'endpoint'],
      kind: { type: 'text' },
      example: EXAMPLE,
      doc: [
        'Endpoint for spans, as OTLP over HTTP in JSON. Absent: no traces, and no tracing code is loaded.',
        `Requires an additional package: \`npm install ${EXPORTER}\`.`,
      ],
    },
    {
      path: ['traces', 'sample_per_mille'],
      kind: { type: 'integer', min: 0, max: 1_000 },
      fallback: 1_000,
      doc: [
        'Sampled transactions per thousand; nodes with the same number sample the same transactions.',
        'A request whose traceparent is sampled is always traced by the node that it reaches.',
      ],
    },
  ],
  build: ({ get }) => ({ endpoint: get('traces.endpoint'), samplePerMille: get('traces.sample_per_mille') }),
  check: ({ get }) => {
    const endpoint = get<string | undefined>('traces.endpoint')
    const message = endpoint && httpUrlFault(endpoint, `the traces path of a collector such as "${EXAMPLE}"`)
    return message === undefined ? [] : [{ path: 'traces.endpoint', message }]
  },
})
