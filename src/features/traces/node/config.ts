/** Owns the configuration of traces. */
import { defineConfig } from '../../../config/index.js'

export interface TraceConfig {
  /** Where spans are sent; absent: no traces. */
  readonly endpoint: string | undefined
  /** Of a thousand transactions, how many are followed. */
  readonly samplePerMille: number
}

/** Why a text is no collector; undefined when it is one. */
function endpointFault(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    return 'expected the traces path of a collector such as "http://127.0.0.1:4318/v1/traces"'
  }
  // Configurations are printed; a collector that wants a secret stands behind an agent of its own.
  return url.username === '' && url.password === '' ? undefined : 'a URL without user name and password'
}

export const traceConfig = defineConfig<TraceConfig>({
  sections: { traces: 'Spans of transactions, from request to commit, for a collector of OpenTelemetry.' },
  keys: [
    {
      path: ['traces', 'endpoint'],
      kind: { type: 'text' },
      example: 'http://127.0.0.1:4318/v1/traces',
      doc: ['Where spans are sent as OTLP over HTTP, in JSON. Absent: no traces, and nothing of them is loaded.'],
    },
    {
      path: ['traces', 'sample_per_mille'],
      kind: { type: 'integer', min: 0, max: 1_000 },
      fallback: 1_000,
      doc: [
        'Of a thousand transactions, how many are followed: the same ones on all nodes that have the same number here.',
        'A request whose traceparent asks for it is followed in any case, by the node that it reaches.',
      ],
    },
  ],
  build: ({ get }) => ({ endpoint: get('traces.endpoint'), samplePerMille: get('traces.sample_per_mille') }),
  check: ({ get }) => {
    const endpoint = get<string | undefined>('traces.endpoint')
    const message = endpoint === undefined ? undefined : endpointFault(endpoint)
    return message === undefined ? [] : [{ path: 'traces.endpoint', message }]
  },
})
