/** Owns handlers of the consensus routes (specification 4.2). */

import {
  type BlockHashPath,
  type Caller,
  CONSENSUS,
  consensusStatus,
  consensusStatusRoute,
  consensusStatusSseRoute,
  EVIDENCE_DEFAULT,
  type EvidenceCountParameters,
  type EvidenceParameters,
  type HeightPath,
  type HistoryParameters,
  handle,
  rbcRoute,
  rbcSessionsRoute,
  streamState,
} from '../../api/index.js'
import type { NodeServices } from '../../api/services.js'
import * as queries from '../../features/peers/schema/queries.js'
import { answerHistory, answerPage } from '../../features/responses.js'
import {
  evidence as evidenceSchema,
  FIRST_VOTED_HEIGHT,
  GENESIS_HEIGHT,
  LedgerError,
  type QueryDef,
} from '../../model/index.js'

type Input<P = undefined, Q = undefined, B = undefined> = {
  readonly services: NodeServices
  readonly params: P
  readonly query: Q
  readonly body: B
}

/** The answer of a query that always has one. */
async function answer<Q, R>(services: NodeServices, def: QueryDef<Q, R>, input: Q): Promise<{ value: R }> {
  const value = await services.query(def, input)
  if (value === undefined) throw new Error(`query ${def.kind} gave no answer`)
  return { value }
}

/** Bytes of a submitted record: hexadecimal, `0x` and blanks passed over; undefined when it is none. */
function hexBytes(text: string): Buffer | undefined {
  const plain = text.replace(/\s+/g, '').replace(/^0x/i, '')
  return plain.length % 2 === 0 && /^[0-9a-f]+$/i.test(plain) ? Buffer.from(plain, 'hex') : undefined
}

const badEvidence = (why: string): LedgerError =>
  new LedgerError('evidence_invalid', `invalid consensus evidence: ${why}`, {
    hint: 'Send the codec bytes of one Evidence record in hexadecimal; GET /v1/consensus/evidence shows such records.',
  })

/** What streams of consensus are made of, by route id. */
export const consensusStreams = new Map([
  streamState(consensusStatusSseRoute, {
    event: 'status',
    schema: consensusStatus,
    read: (services) => services.consensus(false),
  }),
])

export const consensusHandlers = [
  handle(
    consensusStatusRoute,
    ({ services, caller }: { readonly services: NodeServices; readonly caller: Caller }) => ({
      value: services.consensus(caller.operator),
    }),
  ),
  handle(CONSENSUS.certificates, ({ services, query }: Input<undefined, HistoryParameters>) =>
    answerHistory(services, queries.commitCertificates, query),
  ),
  handle(CONSENSUS.validatorSets, ({ services, query }: Input<undefined, HistoryParameters>) =>
    answerHistory(services, queries.validatorSets, query),
  ),
  handle(CONSENSUS.validatorSet, async ({ services, params }: Input<HeightPath>) => {
    const { height } = params
    if (height === GENESIS_HEIGHT) {
      const why = `height ${height} is the genesis: nobody votes on it; the first validator set is that of height ${FIRST_VOTED_HEIGHT}`
      return new LedgerError('not_found', why)
    }
    const { value } = await answer(services, queries.validatorSets, { from: height, limit: 1, after: undefined })
    const found = value.items.find((one) => one.height === height)
    return found === undefined
      ? new LedgerError('not_found', `no validator set of height ${height} is kept`)
      : { value: found }
  }),
  handle(CONSENSUS.leader, ({ services }: Input) => ({ value: services.leader() })),
  handle(CONSENSUS.qc, ({ services }: Input) => ({ value: services.qc() })),
  handle(CONSENSUS.checkpoints, ({ services, query }: Input<undefined, HistoryParameters>) =>
    answerHistory(services, queries.checkpoints, query),
  ),
  handle(CONSENSUS.keys, ({ services }: Input) => answer(services, queries.consensusKeys, { everyStatus: false })),
  handle(CONSENSUS.keyLifecycle, ({ services }: Input) =>
    answer(services, queries.consensusKeys, { everyStatus: true }),
  ),
  handle(CONSENSUS.blsKeys, ({ services }: Input) => answer(services, queries.blsKeys, {})),
  handle(CONSENSUS.phases, ({ services }: Input) => ({ value: services.phases() })),
  handle(CONSENSUS.pacemaker, ({ services }: Input) => ({ value: services.pacemaker() })),
  handle(CONSENSUS.params, ({ services }: Input) => answer(services, queries.consensusParams, {})),
  handle(CONSENSUS.collectors, ({ services }: Input) => ({ value: services.collectors() })),
  handle(CONSENSUS.telemetry, ({ services }: Input) => ({ value: services.consensusTelemetry() })),
  handle(rbcRoute, ({ services }: Input) => ({ value: services.rbc() })),
  handle(rbcSessionsRoute, ({ services }: Input) => ({ value: services.rbcSessions() })),
  handle(CONSENSUS.evidence, ({ services, query }: Input<undefined, EvidenceParameters>) => {
    const { kind, limit = EVIDENCE_DEFAULT, ...page } = query
    const asked: { readonly kind: string | undefined } = { kind }
    return answerPage(services, queries.evidence, { ...page, limit }, asked)
  }),
  handle(CONSENSUS.evidenceCount, async ({ services, query: { kind } }: Input<undefined, EvidenceCountParameters>) => {
    if (kind === undefined) return answer(services, queries.evidenceCount, {})
    const found = await services.query(queries.evidence, { kind, limit: 1, after: undefined })
    return { value: { count: found?.total ?? 0 } }
  }),
  ...[CONSENSUS.evidenceSubmit, CONSENSUS.evidencePost].map((row) =>
    handle(row, async ({ services, body }: Input<undefined, undefined, { readonly evidenceHex: string }>) => {
      const bytes = hexBytes(body.evidenceHex)
      if (bytes === undefined) return badEvidence('evidence_hex is not hexadecimal')
      const decoded = evidenceSchema.decode(bytes)
      if (!decoded.ok) return badEvidence(decoded.fault.message)
      const outcome = await services.submitEvidence(decoded.value)
      switch (outcome.kind) {
        case 'accepted':
          return { value: { status: 'accepted', kind: outcome.fault } }
        case 'known':
          return { value: { status: 'known', kind: undefined } }
        case 'busy':
          return new LedgerError('rate_limited', 'too much evidence is under verification; try again')
        case 'refused':
          return badEvidence(outcome.detail)
      }
    }),
  ),
  handle(CONSENSUS.commitQc, ({ services, params }: Input<BlockHashPath>) =>
    answer(services, queries.commitQc, { blockHash: params.hash }),
  ),
]
