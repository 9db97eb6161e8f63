/** Owns evidence in blocks: its admissibility at a height, and its recording (docs/design/consensus.md 10). */

import { type FaultKind, faultKey, type ProvenFault, selectCommittee, validateEvidence } from '../consensus/index.js'
import { hash } from '../crypto/index.js'
import { type Evidence, evidence, FIRST_VOTED_HEIGHT, keyString, type ValidatorKey } from '../model/index.js'
import type { StateReader, StateWriter } from '../state/index.js'
import type { FaultSink } from './election.js'
import { parameterAt } from './parameters.js'
import { peerOfKey, rosterAt } from './rosters.js'
import { EVIDENCE_HORIZON_BLOCKS } from './system-parameters.js'
import { FAULTS_PER_PEER_MAX, faultHeights, faults } from './tables.js'

/** Fault that a state admits, provided that its signatures are valid. */
export interface AdmissibleFault extends ProvenFault {
  readonly key: Buffer
  readonly peer: ValidatorKey
  /** Epoch of the height of the fault. */
  readonly epoch: number
}

/** Height and state at which evidence would be recorded. */
export interface EvidencePlace {
  readonly chainHash: Uint8Array
  /** Height of the block that would contain it. */
  readonly height: number
}

/** Reason why a record is refused. */
export interface RefusedFault {
  readonly fault: string
  /** True if the limit of the chain is reached; sending the record is not a fault. */
  readonly known?: true
  /** True if a later block may contain it. */
  readonly early?: true
}

/**
 * Evidence horizon in blocks, for the block that would contain the evidence: the same before and after its own changes.
 */
const horizonOf = (state: StateReader, { height }: EvidencePlace): number =>
  parameterAt(state, EVIDENCE_HORIZON_BLOCKS, height)

/** Validate a single record. */
function validateRecord(state: StateReader, place: EvidencePlace, record: Evidence): RefusedFault | AdmissibleFault {
  if (record.height < FIRST_VOTED_HEIGHT) return { fault: 'no votes exist at that height' }
  if (record.height > place.height) return { fault: 'the height is in the future', early: true }
  const horizon = horizonOf(state, place)
  if (record.height + horizon < place.height) return { fault: `older than ${horizon} blocks` }
  const row = rosterAt(state, record.height)
  if (row === undefined) return { fault: 'the roster of that height is no longer stored' }
  const committee = selectCommittee(row.roster, place.chainHash, row.seed, record.height)
  const domain = {
    chainHash: place.chainHash,
    committeeHash: committee.hash,
    epoch: row.epoch,
    height: record.height,
  }
  const proven = validateEvidence(record, committee, domain)
  if ('fault' in proven) return proven
  const key = faultKey(proven)
  if (state.get(faults, key) !== undefined) return { fault: 'already recorded', known: true }
  return { ...proven, key, peer: peerOfKey(row, proven.offender), epoch: row.epoch }
}

/** Heights of a peer's faults within the window of a block. */
function recordedHeights(state: StateReader, place: EvidencePlace, peer: ValidatorKey): readonly number[] {
  const horizon = horizonOf(state, place)
  return (state.get(faultHeights, peer) ?? []).filter((height) => height + horizon >= place.height)
}

/**
 * Validate records in their order, each after the admissible ones before it: for the next block of a proposer and for
 * voters. A string is the reason why no block of that height can contain the record. Signatures are not verified here.
 */
export function validateRecords(
  state: StateReader,
  place: EvidencePlace,
  records: readonly Evidence[],
): (RefusedFault | AdmissibleFault)[] {
  const seen = new Set<string>()
  const counts = new Map<ValidatorKey, number>()
  return records.map((record) => {
    const checked = validateRecord(state, place, record)
    if ('fault' in checked) return checked
    const key = keyString(checked.key)
    if (seen.has(key)) return { fault: 'it is a duplicate', known: true }
    const count = counts.get(checked.peer) ?? recordedHeights(state, place, checked.peer).length
    if (count >= FAULTS_PER_PEER_MAX) {
      return { fault: `${FAULTS_PER_PEER_MAX} faults of this peer are recorded already`, known: true }
    }
    seen.add(key)
    counts.set(checked.peer, count + 1)
    return checked
  })
}

/** Reason why a block may not contain these records together, or undefined. */
export function evidenceFault(
  state: StateReader,
  place: EvidencePlace,
  records: readonly Evidence[],
): string | undefined {
  for (const [index, checked] of validateRecords(state, place, records).entries()) {
    if ('fault' in checked) return `evidence ${index}: ${checked.fault}`
  }
  return undefined
}

/** Record the evidence of a block, which was validated before. */
export function recordEvidence(
  state: StateWriter,
  place: EvidencePlace & { readonly view: number; readonly timeMs: number },
  records: readonly Evidence[],
  sink?: FaultSink,
): void {
  for (const [index, checked] of validateRecords(state, place, records).entries()) {
    const record = records[index]
    if ('fault' in checked || record === undefined) {
      throw new Error(`evidence ${index} passed validation but was refused: ${'fault' in checked ? checked.fault : ''}`)
    }
    const kind: FaultKind = checked.kind
    state.set(faults, checked.key, {
      record,
      kind,
      offender: checked.offender,
      peer: checked.peer,
      view: checked.view,
      recordedHeight: place.height,
      recordedView: place.view,
      recordedMs: place.timeMs,
    })
    state.set(faultHeights, checked.peer, [...recordedHeights(state, place, checked.peer), record.height])
    sink?.(state, {
      kind,
      offender: checked.offender,
      height: record.height,
      view: checked.view,
      epoch: checked.epoch,
      evidenceHash: hash('evidence', evidence.encode(record)),
      recordedHeight: place.height,
      recordedMs: place.timeMs,
    })
  }
}
