/** The pure consensus state machine: `step(state, input) -> effects`. */
export type { AbstentionCause } from './abstention.js'
export * from './bitmap.js'
export { BlockCost } from './block-cost.js'
export * from './block-limits.js'
export * from './certificate.js'
export * from './check.js'
export * from './effect.js'
export { FAULT_KINDS, type FaultKind, faultKey, type ProvenFault, validateEvidence } from './evidence/proof.js'
export * from './height.js'
export * from './input.js'
export * from './key-schedule.js'
export * from './limits.js'
export { heightOf } from './message.js'
export * from './messages/index.js'
export { newPacemaker, viewTimeoutMs } from './pacemaker.js'
export * from './parent-certificate.js'
export * from './payload-limits.js'
export * from './proof-work.js'
export { headerFault, headerTemplate } from './proposal.js'
export * from './proposer.js'
export * from './rbc/backlog.js'
export { guardOf } from './rbc/rules.js'
export {
  chunkBytesOf,
  chunkDigest,
  digestsOf,
  missingChunks,
  newSession,
  type RbcSession,
  takeChunk,
} from './rbc/session.js'
export { newRbcStore, pressureOf, type RbcCounters, storedBytes } from './rbc/store.js'
export * from './record.js'
export * from './recover.js'
export * from './roster.js'
export * from './sign-bytes.js'
export * from './signer/request.js'
export * from './signer/rules.js'
export * from './signer/signed.js'
export { proposerWaitMs } from './spacing.js'
export { type ConsensusState, type HashKey, hashKey, hashOfKey, isUntimely, type Job, newState } from './state.js'
export * from './status-rounds.js'
export { step } from './step.js'
export { proposerAt } from './step-context.js'
export { isSyncing } from './sync-state.js'
export * from './view-place.js'
