/** Owns the state of one node of a small world between two inputs. */
import type { AbstentionCause, ConsensusState, DurableRecord, KeyRecord } from '../../consensus/index.js'
import type { LateWork } from './answers.js'
import type { Ground } from './ground.js'

/** Records of one append that are not yet synced. */
interface Append {
  readonly job: number
  readonly records: readonly DurableRecord[]
}

/** State of a node between two inputs. Fields are replaced, never changed in place, so that copies share them. */
export interface LocalState {
  machine: ConsensusState
  ground: Ground
  /** Numbers of all messages sent so far, ascending. */
  sent: readonly number[]
  disk: readonly DurableRecord[]
  unsynced: readonly Append[]
  late: readonly LateWork[]
  /** View of the armed view timer. */
  timer: number | undefined
  /** Number of restarts. */
  life: number
  /** Name of the committed block of the last height; empty before the commit. */
  committed: string
  /** Cause of the mark of its vote log after a loss; the node votes again once the mark is removed. */
  mark: AbstentionCause | undefined
  /** True after the node lost its records. */
  hasLost: boolean
  /** Record of its signer. */
  signer: KeyRecord
}
