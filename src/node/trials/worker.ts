/**
 * Owns the entry point of the trial thread: it reads the state that the ledger thread writes, and runs one trial after
 * the other.
 */
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { serveJobs } from '../../crypto/index.js'
import { abiScheduleOf } from '../../executor/index.js'
import { ABIS, startAbi } from '../../features/abi.js'
import { HeightState, LevelBackend, stateHead } from '../../state/index.js'
import { type ErrorRecord, errorRecordOf } from '../ledger/channel.js'
import { TRIAL_CACHE_BYTES, Trials, type TrialWork } from './trials.js'

/** Trial, and the location of the state. */
export interface TrialJob {
  /** Data directory. */
  readonly folder: string
  /** ABI number of genesis. */
  readonly genesisAbi: number
  readonly work: TrialWork
}

/** Result of a trial. */
export type TrialAnswer =
  | { readonly ok: true; readonly output: Uint8Array | undefined }
  | { readonly ok: false; readonly error: ErrorRecord }

let trials: Trials | undefined

async function open({ folder, genesisAbi }: TrialJob): Promise<Trials> {
  const backend = await LevelBackend.open(join(folder, 'state'))
  const abis = abiScheduleOf({ abi: startAbi(genesisAbi), abis: ABIS })
  return new Trials(abis, async (height) =>
    stateHead(backend)?.height === height ? undefined : new HeightState(backend.frozen(), TRIAL_CACHE_BYTES),
  )
}

// Blocks and payments have priority on a busy machine. On other systems the priority would apply to the whole process.
if (process.platform === 'linux') setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL)

serveJobs(async (job: TrialJob): Promise<TrialAnswer> => {
  try {
    trials ??= await open(job)
    return { ok: true, output: await trials.run(job.work) }
  } catch (error) {
    return { ok: false, error: errorRecordOf(error) }
  }
})
