/** Owns the generated documents of a node: the metrics and the OpenAPI document. */
import {
  type AnyRoute,
  type Caller,
  handle,
  metricsRoute,
  openApiDocument,
  openapiJsonRoute,
  openapiRoute,
  profileServes,
  type TelemetryProfile,
} from '../../api/index.js'
import type { NodeServices } from '../../api/services.js'

type Input = { readonly services: NodeServices; readonly caller: Caller }

/**
 * Handlers of the documents. `rows`: all served routes; operators see all of them, other clients those that the
 * telemetry profile shows.
 */
export function documentHandlers(rows: () => readonly AnyRoute[], profile: TelemetryProfile) {
  const documents: { operator?: string; anonymous?: string } = {}
  const openapi = ({ services, caller }: Input) => {
    const { version, codec } = services.info
    const reader = caller.operator ? 'operator' : 'anonymous'
    documents[reader] ??= JSON.stringify(
      openApiDocument(
        rows().filter((row) => caller.operator || profileServes(profile, row.profile)),
        {
          version,
          queryOutputs: [...services.queries().values()].map((def) => def.output),
          registries: codec.registries,
        },
      ),
    )
    return { value: documents[reader] }
  }
  return [
    handle(metricsRoute, async ({ services }: Input) => ({ value: await services.metrics.metrics() })),
    handle(openapiRoute, openapi),
    handle(openapiJsonRoute, openapi),
  ]
}
