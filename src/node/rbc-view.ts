/** Owns reliable broadcast as route handlers and metrics see it (specification 1.7). */

import type { RbcSessionView, RbcView } from '../api/services.js'
import {
  type ConsensusState,
  dataspaceBacklog,
  laneBacklog,
  missingChunks,
  pressureOf,
  type RbcSession,
  storedBytes,
} from '../consensus/index.js'
import { keyBytes } from '../model/index.js'

const sessionView = (session: RbcSession, nowMs: number): RbcSessionView => ({
  blockHash: keyBytes(session.blockHash),
  payloadHash: keyBytes(session.payloadHash),
  height: session.height,
  view: session.view,
  payloadBytes: session.payloadBytes,
  totalChunks: session.digests.length,
  receivedChunks: session.receivedChunks,
  readyCount: session.ready.size,
  deliverCount: session.delivered.size,
  delivered: session.isDelivered,
  recovered: session.isRecovered,
  invalid: session.isInvalid,
  ended: session.hasEnded,
  ageMs: Math.max(0, nowMs - session.openedAtMs),
  lanes: laneBacklog([session]),
  dataspaces: dataspaceBacklog([session]),
})

/** What a state says about the payloads on their way. */
export function rbcViewOf(state: ConsensusState, nowMs: number): RbcView {
  const { rbc } = state
  const sessions = [...rbc.sessions.values()]
  const active = sessions.filter((session) => !session.hasEnded)
  const missing = active.map((session) => missingChunks(session).length)
  return {
    dataAvailability: state.context.parameters.dataAvailability,
    limits: rbc.limits,
    counters: { ...rbc.counters },
    pressure: pressureOf(rbc),
    storeBytes: storedBytes(rbc) + rbc.stashBytes,
    stashMessages: rbc.stash.length,
    activeSessions: active.length,
    pendingSessions: missing.filter((count) => count > 0).length,
    missingChunks: missing.reduce((sum, one) => sum + one, 0),
    lanes: laneBacklog(active),
    dataspaces: dataspaceBacklog(active),
    sessions: sessions.reverse().map((session) => sessionView(session, nowMs)),
  }
}
