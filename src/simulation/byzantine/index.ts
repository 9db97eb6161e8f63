/**
 * Byzantine behaviours by name; `twins` does not rewrite messages but runs a second unmodified node with the same key.
 */
import type { Behaviour } from './behaviour.js'
import { doubleTimeouts, equivocatingProposer } from './equivocate.js'
import { missingCertificate, staleTimeouts, wrongMaximum } from './forge.js'
import { badSignatures, garbageAnswers, garbagePayloads, wrongLane, wrongRoot, wrongTurns } from './garbage.js'
import {
  forgedParents,
  garbageCertificates,
  garbageStatuses,
  loneVotes,
  lowHeights,
  manyPayloads,
  oversizedPayloads,
  repetitions,
} from './hostile.js'
import { garbageChunks, garbageRecords, lyingDigests, lyingHashes, withheldPayloads } from './payload.js'
import { hiddenCertificates, silentProposer, withheldVotes } from './silent.js'

export type { Behaviour, BuiltBlock, Insider } from './behaviour.js'

const BEHAVIOURS = {
  silentProposer,
  withheldVotes,
  hiddenCertificates,
  equivocatingProposer,
  doubleTimeouts,
  staleTimeouts,
  missingCertificate,
  wrongMaximum,
  wrongRoot,
  garbageAnswers,
  garbagePayloads,
  badSignatures,
} as const

/** Attacks on payloads, relevant if payloads are large. */
const PAYLOAD_BEHAVIOURS = { garbageChunks, garbageRecords, lyingDigests, lyingHashes, withheldPayloads } as const

/** Attacks on the bounds and checks of hardening. */
const HOSTILE_BEHAVIOURS = {
  forgedParents,
  oversizedPayloads,
  manyPayloads,
  garbageCertificates,
  garbageStatuses,
  repetitions,
  loneVotes,
  lowHeights,
} as const

/** Attacks on lanes, relevant if there are several. */
const LANE_BEHAVIOURS = { wrongTurns, wrongLane } as const

/** Twins have a higher weight: two unmodified nodes with one key exhibit many faults under the schedule. */
export type BehaviourName =
  | keyof typeof BEHAVIOURS
  | keyof typeof PAYLOAD_BEHAVIOURS
  | keyof typeof HOSTILE_BEHAVIOURS
  | keyof typeof LANE_BEHAVIOURS
  | 'twins'
export const BEHAVIOUR_NAMES: readonly BehaviourName[] = [
  ...(Object.keys(BEHAVIOURS) as (keyof typeof BEHAVIOURS)[]),
  'twins',
  'twins',
  'twins',
]

export const PAYLOAD_BEHAVIOUR_NAMES = Object.keys(PAYLOAD_BEHAVIOURS) as readonly BehaviourName[]
export const HOSTILE_BEHAVIOUR_NAMES = Object.keys(HOSTILE_BEHAVIOURS) as readonly BehaviourName[]
export const LANE_BEHAVIOUR_NAMES = Object.keys(LANE_BEHAVIOURS) as readonly BehaviourName[]

/** New behaviour, undefined for twins. */
export const behaviourOf = (name: BehaviourName): Behaviour | undefined =>
  name === 'twins'
    ? undefined
    : { ...BEHAVIOURS, ...PAYLOAD_BEHAVIOURS, ...HOSTILE_BEHAVIOURS, ...LANE_BEHAVIOURS }[name]()
