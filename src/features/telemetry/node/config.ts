/** Owns the configuration of live telemetry. */
import { defineConfig, httpUrlFault } from '../../../config/index.js'
import { GATEWAY_URL_MAX_BYTES, GATEWAYS_MAX } from '../schema.js'

export interface TelemetryConfig {
  /** Base addresses of gateways. */
  readonly gateways: readonly string[]
}

/** Reason why a text is not the address of a gateway; undefined if it is one. */
function gatewayFault(text: string): string | undefined {
  if (Buffer.byteLength(text) > GATEWAY_URL_MAX_BYTES) return `longer than ${GATEWAY_URL_MAX_BYTES} bytes`
  const fault = httpUrlFault(text, 'a gateway such as "https://node2.bank.example:8080"')
  if (fault !== undefined) return fault
  // The URL is visible to all clients that may read the status of the node.
  const url = new URL(text)
  return url.search === '' && url.hash === '' ? undefined : 'a URL without query and fragment'
}

export const telemetryConfig = defineConfig<TelemetryConfig>({
  sections: { telemetry: 'Status that the gateway shows about the node, and the gateways that it watches.' },
  keys: [
    {
      path: ['telemetry', 'gateways'],
      kind: { type: 'texts', values: ['gateways'], fault: gatewayFault },
      fallback: [],
      doc: [
        `Gateways of the network that this node watches, at most ${GATEWAYS_MAX}, for \`causeway telemetry\`: their height, response`,
        'time, and when they report each block, while a client reads it. Clients that may read the status of this node see these addresses.',
      ],
    },
  ],
  build: ({ get }) => ({ gateways: [...new Set(get<readonly string[]>('telemetry.gateways'))] }),
  check: ({ get }) =>
    (get<readonly string[] | undefined>('telemetry.gateways') ?? []).length <= GATEWAYS_MAX
      ? []
      : [{ path: 'telemetry.gateways', message: `at most ${GATEWAYS_MAX} gateways` }],
})
