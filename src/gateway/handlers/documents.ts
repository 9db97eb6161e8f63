/** Owns the two documents that a node writes about itself: the metrics and the OpenAPI document. */
import {
  type AnyRoute,
  type AnySchema,
  handle,
  metricsRoute,
  openApiDocument,
  openapiJsonRoute,
  openapiRoute,
} from '../../api/index.js'
import type { NodeServices } from '../../api/services.js'

type Input = { readonly services: NodeServices }

export function documentHandlers(rows: () => readonly AnyRoute[]) {
  let document: string | undefined
  const openapi = ({ services }: Input) => {
    const { version, codec } = services.info
    document ??= JSON.stringify(
      openApiDocument(rows(), {
        version,
        queryOutputs: [...services.queries.values()].map((def) => def.output as AnySchema),
        ...(codec.registries === undefined ? {} : { registries: codec.registries }),
      }),
    )
    return { value: document }
  }
  return [
    handle(metricsRoute, async ({ services }: Input) => ({ value: await services.metrics.metrics() })),
    handle(openapiRoute, openapi),
    handle(openapiJsonRoute, openapi),
  ]
}
