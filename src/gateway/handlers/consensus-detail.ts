/** Owns handlers of the consensus routes beside the status (specification 4.2). */

import {
  type BlockHashPath,
  CONSENSUS,
  EVIDENCE_DEFAULT,
  type EvidenceCountParameters,
  type EvidenceParameters,
  type HeightPath,
  type HistoryParameters,
  handle,
  type QcSubject,
} from '../../api/index.js'
import type { NodeServices } from '../../api/services.js'
import { BACKOFF_FACTOR, TIMEOUT_MAX_MS, TIMER_JITTER } from '../../consensus/index.js'
import * as queries from '../../features/peers/schema/queries.js'
import { answerHistory, answerPage } from '../../features/responses.js'
import { evidence as evidenceSchema, LedgerError, type QueryDef } from '../../model/index.js'
import { phaseLatencies } from './consensus.js'
import { rbcStatusOf } from './rbc.js'

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

const whole = (ms: number): number => Math.max(0, Math.round(ms))

/** Bytes of a submitted record: hexadecimal, `0x` and blanks passed over; undefined when it is none. */
function hexBytes(text: string): Buffer | undefined {
  const plain = text.replace(/\s+/g, '').replace(/^0x/i, '')
  return plain.length % 2 === 0 && /^[0-9a-f]+$/i.test(plain) ? Buffer.from(plain, 'hex') : undefined
}

const badEvidence = (why: string): LedgerError =>
  new LedgerError('evidence_invalid', `invalid consensus evidence: ${why}`, {
    hint: 'Send the codec bytes of one Evidence record in hexadecimal; GET /v1/consensus/evidence shows such records.',
  })

export const consensusDetailHandlers = [
  handle(CONSENSUS.certificates, ({ services, query }: Input<undefined, HistoryParameters>) =>
    answerHistory(services, queries.commitCertificates, query),
  ),
  handle(CONSENSUS.validatorSets, ({ services, query }: Input<undefined, HistoryParameters>) =>
    answerHistory(services, queries.validatorSets, query),
  ),
  handle(CONSENSUS.validatorSet, async ({ services, params }: Input<HeightPath>) => {
    const { value } = await answer(services, queries.validatorSets, { from: params.height, limit: 1, after: undefined })
    const found = value.items.find((one) => one.height === params.height)
    return found === undefined
      ? new LedgerError('not_found', `no validator set of height ${params.height} is kept`)
      : { value: found }
  }),
  handle(CONSENSUS.leader, ({ services }: Input) => {
    const detail = services.consensusDetail()
    const { height, view, epoch, epochSeed, proposer } = detail
    return {
      value: {
        height,
        view,
        leaderIndex: detail.committee.indexOf(proposer),
        leader: proposer,
        prf: { height, epoch, epochSeed },
      },
    }
  }),
  handle(CONSENSUS.qc, ({ services }: Input) => {
    const { height, highestPrepare, locked } = services.consensusDetail()
    const { commitCertificate } = services.consensus()
    const subject = (
      of: { readonly view: number; readonly blockHash: Uint8Array } | undefined,
    ): QcSubject | undefined => of && { height, view: of.view, subjectBlockHash: of.blockHash }
    return {
      value: {
        highestQc: subject(highestPrepare),
        lockedQc: subject(locked),
        commitQc: commitCertificate && {
          height: commitCertificate.height,
          view: commitCertificate.view,
          subjectBlockHash: commitCertificate.blockHash,
        },
      },
    }
  }),
  handle(CONSENSUS.checkpoints, ({ services, query }: Input<undefined, HistoryParameters>) =>
    answerHistory(services, queries.checkpoints, query),
  ),
  handle(CONSENSUS.keys, ({ services }: Input) => answer(services, queries.consensusKeys, { everyStatus: false })),
  handle(CONSENSUS.keyLifecycle, ({ services }: Input) =>
    answer(services, queries.consensusKeys, { everyStatus: true }),
  ),
  handle(CONSENSUS.blsKeys, ({ services }: Input) => answer(services, queries.blsKeys, {})),
  handle(CONSENSUS.phases, ({ services }: Input) => {
    const { height, phases } = services.consensus()
    return { value: { height, phases: phaseLatencies(phases) } }
  }),
  handle(CONSENSUS.pacemaker, ({ services }: Input) => {
    const detail = services.consensusDetail()
    const { height, view, timerArmed, viewElapsedMs, viewTimeoutMs } = detail
    return {
      value: {
        height,
        view,
        armed: timerArmed,
        heightTimeEmaMs: whole(detail.heightTimeEmaMs),
        backoffExponent: detail.backoffExponent,
        backoffMultiplierPermille: whole(BACKOFF_FACTOR * 1_000),
        viewTimeoutTargetMs: viewTimeoutMs,
        viewTimeoutRemainingMs: timerArmed ? whole(viewTimeoutMs - viewElapsedMs) : undefined,
        roundElapsedMs: whole(viewElapsedMs),
        maxBackoffMs: TIMEOUT_MAX_MS,
        jitterFracPermille: whole(TIMER_JITTER * 1_000),
      },
    }
  }),
  handle(CONSENSUS.params, ({ services }: Input) => answer(services, queries.consensusParams, {})),
  handle(CONSENSUS.collectors, ({ services }: Input) => {
    const { height, view, committee, quorum, collectors, collectorsK, redundantSendR } = services.consensusDetail()
    return {
      value: {
        mode: services.info.consensusMode,
        height,
        view,
        collectorsK,
        redundantSendR,
        minVotesForCommit: quorum,
        collectors: collectors.map((peer) => ({ index: committee.indexOf(peer), peer })),
      },
    }
  }),
  handle(CONSENSUS.telemetry, ({ services }: Input) => {
    const { viewChanges, viewChangeReasons, phases } = services.consensus()
    const { badSignatures, badRanges } = services.consensusDetail()
    const rbc = rbcStatusOf(services.rbc())
    const rbcBacklog = {
      pendingSessions: rbc.pendingSessions,
      missingChunks: rbc.missingChunks,
      storeBytes: rbc.storeBytes,
      storePressure: rbc.storePressure,
      evictedTotal: rbc.sessionsEvictedTotal,
      deferralsTotal: rbc.backpressureDeferralsTotal,
    }
    return {
      value: { viewChanges, viewChangeReasons, badSignatures, badRanges, phases: phaseLatencies(phases), rbcBacklog },
    }
  }),
  handle(CONSENSUS.evidence, ({ services, query }: Input<undefined, EvidenceParameters>) => {
    const { kind, limit = EVIDENCE_DEFAULT, ...page } = query
    return answerPage(services, queries.evidence, { ...page, limit }, { kind })
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
