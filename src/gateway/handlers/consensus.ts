/** Owns handlers of the consensus routes about the node itself, and of submitted evidence (specification 4.2). */

import {
  type Caller,
  CONSENSUS,
  consensusStatus,
  consensusStatusRoute,
  consensusStatusSseRoute,
  handle,
  rbcRoute,
  rbcSessionsRoute,
  streamState,
} from '../../api/index.js'
import type { NodeServices } from '../../api/services.js'
import { evidence as evidenceSchema, LedgerError } from '../../model/index.js'

type Input = { readonly services: NodeServices }

/** Bytes of a hexadecimal record, ignoring `0x` and blanks; undefined if malformed. */
function hexBytes(text: string): Buffer | undefined {
  const plain = text.replace(/\s+/g, '').replace(/^0x/i, '')
  return plain.length % 2 === 0 && /^[0-9a-f]+$/i.test(plain) ? Buffer.from(plain, 'hex') : undefined
}

const badEvidence = (why: string): LedgerError =>
  new LedgerError('evidence_invalid', `invalid consensus evidence: ${why}`, {
    hint: 'Send the codec bytes of one Evidence record in hexadecimal; GET /v1/consensus/evidence shows such records.',
  })

/** Sources of consensus streams, by route id. */
export const consensusStreams = new Map([
  streamState(consensusStatusSseRoute, {
    event: 'status',
    schema: consensusStatus,
    read: (services) => services.consensus(false),
  }),
])

export const consensusHandlers = [
  handle(consensusStatusRoute, ({ services, caller }: Input & { readonly caller: Caller }) => ({
    value: services.consensus(caller.operator),
  })),
  handle(CONSENSUS.leader, ({ services }: Input) => ({ value: services.leader() })),
  handle(CONSENSUS.qc, ({ services }: Input) => ({ value: services.qc() })),
  handle(CONSENSUS.phases, ({ services }: Input) => ({ value: services.phases() })),
  handle(CONSENSUS.pacemaker, ({ services }: Input) => ({ value: services.pacemaker() })),
  handle(CONSENSUS.collectors, ({ services }: Input) => ({ value: services.collectors() })),
  handle(CONSENSUS.telemetry, ({ services }: Input) => ({ value: services.consensusTelemetry() })),
  handle(rbcRoute, ({ services }: Input) => ({ value: services.rbc() })),
  handle(rbcSessionsRoute, ({ services }: Input) => ({ value: services.rbcSessions() })),
  ...[CONSENSUS.evidenceSubmit, CONSENSUS.evidencePost].map((row) =>
    handle(row, async ({ services, body }: Input & { readonly body: { readonly evidenceHex: string } }) => {
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
          return new LedgerError('rate_limited', 'too much evidence is being verified; retry later')
        case 'refused':
          return badEvidence(outcome.detail)
      }
    }),
  ),
]
