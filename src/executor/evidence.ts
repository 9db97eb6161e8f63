/** Owns evidence in blocks: what may be recorded at a height, and the recording (design/consensus.md 10). */
import { type FaultKind, faultKey, judgeEvidence, type ProvenFault, selectCommittee } from '../consensus/index.js'
import { type Evidence, FIRST_VOTED_HEIGHT, keyString, type ValidatorKey } from '../model/index.js'
import type { StateReader, StateWriter } from '../state/index.js'
import { parameterOf } from './parameters.js'
import { peerOfKey, rosterAt } from './rosters.js'
import { EVIDENCE_HORIZON_BLOCKS } from './system-parameters.js'
import { faults } from './tables.js'

/** A fault as a state judges it: what it proves once its signatures hold. */
export interface AdmissibleFault extends ProvenFault {
  readonly key: Buffer
  readonly peer: ValidatorKey
}

/** Where evidence would be recorded. */
export interface EvidencePlace {
  readonly chainHash: Uint8Array
  /** Height of the block that would hold it. */
  readonly height: number
}

/** Judges one record: a text says why no block of that height may hold it. Signatures remain to be verified. */
export function admissibleFault(
  state: StateReader,
  place: EvidencePlace,
  record: Evidence,
): { readonly fault: string; readonly known?: true } | AdmissibleFault {
  if (record.height < FIRST_VOTED_HEIGHT) return { fault: 'nobody voted at that height' }
  if (record.height > place.height) return { fault: 'of a height to come' }
  const horizon = parameterOf(state, EVIDENCE_HORIZON_BLOCKS)
  if (record.height + horizon < place.height) return { fault: `older than ${horizon} blocks` }
  const row = rosterAt(state, record.height)
  if (row === undefined) return { fault: 'the roster of that height is not kept' }
  const committee = selectCommittee(row.roster, place.chainHash, row.seed, record.height)
  const domain = {
    chainHash: place.chainHash,
    committeeHash: committee.hash,
    epoch: row.epoch,
    height: record.height,
  }
  const proven = judgeEvidence(record, committee, domain)
  if ('fault' in proven) return proven
  const key = faultKey(proven)
  if (state.get(faults, key) !== undefined) return { fault: 'recorded before', known: true }
  return { ...proven, key, peer: peerOfKey(row, proven.offender) }
}

/** Why a block may not hold these records together, or undefined. */
export function evidenceFault(
  state: StateReader,
  place: EvidencePlace,
  records: readonly Evidence[],
): string | undefined {
  const seen = new Set<string>()
  for (const [index, record] of records.entries()) {
    const judged = admissibleFault(state, place, record)
    if ('fault' in judged) return `evidence ${index}: ${judged.fault}`
    const key = keyString(judged.key)
    if (seen.has(key)) return `evidence ${index}: it stands there twice`
    seen.add(key)
  }
  return undefined
}

/** Records what the block holds; it was judged before. */
export function recordEvidence(
  state: StateWriter,
  place: EvidencePlace & { readonly view: number; readonly timeMs: number },
  records: readonly Evidence[],
): void {
  for (const record of records) {
    const judged = admissibleFault(state, place, record)
    if ('fault' in judged) throw new Error(`evidence that was judged admissible is not: ${judged.fault}`)
    const kind: FaultKind = judged.kind
    state.set(faults, judged.key, {
      record,
      kind,
      offender: judged.offender,
      peer: judged.peer,
      view: judged.view,
      recordedHeight: place.height,
      recordedView: place.view,
      recordedMs: place.timeMs,
    })
  }
}
