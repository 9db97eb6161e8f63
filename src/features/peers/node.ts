/** Owns the consensus reads beyond queries: one height, evidence by kind. */

import { answerPage } from '../../api/answers.js'
import { type AnyHandler, handle } from '../../api/handler.js'
import { EVIDENCE_DEFAULT, type EvidenceCountParameters, type EvidenceParameters } from '../../api/index.js'
import type { NodeServices } from '../../api/services.js'
import { FIRST_VOTED_HEIGHT, GENESIS_HEIGHT, LedgerError } from '../../model/index.js'
import { defineService } from '../service.js'
import * as routes from './schema.js'
import { peerSchema, queries } from './schema.js'

type Input<P, Q = undefined> = { readonly services: NodeServices; readonly params: P; readonly query: Q }

async function validatorSet({ services, params: { height } }: Input<routes.HeightPath>) {
  if (height === GENESIS_HEIGHT) {
    const why = `height ${height} is genesis, which has no votes; the first validator set is that of height ${FIRST_VOTED_HEIGHT}`
    return new LedgerError('not_found', why)
  }
  const sets = await services.query(queries.validatorSets, { from: height, limit: 1, after: undefined })
  const found = sets?.items.find((one) => one.height === height)
  return found === undefined
    ? new LedgerError('not_found', `the validator set of height ${height} is not stored`)
    : { value: found }
}

function evidence({ services, query }: Input<undefined, EvidenceParameters>) {
  const { kind, limit = EVIDENCE_DEFAULT, ...page } = query
  const asked: { readonly kind: string | undefined } = { kind }
  return answerPage(services, queries.evidence, { ...page, limit }, asked)
}

async function evidenceCount({ services, query: { kind } }: Input<undefined, EvidenceCountParameters>) {
  const found =
    kind === undefined
      ? (await services.query(queries.evidenceCount, {}))?.count
      : (await services.query(queries.evidence, { kind, limit: 1, after: undefined }))?.total
  return { value: { count: found ?? 0 } }
}

/** Handlers by route id. */
const peerHandlers: ReadonlyMap<string, AnyHandler<NodeServices>> = new Map([
  handle(routes.validatorSetRoute, validatorSet),
  handle(routes.evidenceRoute, evidence),
  handle(routes.evidenceCountRoute, evidenceCount),
])

export const peerService = defineService(peerSchema, {
  open: () => ({ handlers: peerHandlers }),
})
