/** Owns the main thread's side of trials: one at a time on a separate thread, within bounds of time and memory. */
import { Mutex } from '../../base/mutex.js'
import { compiledUrl, type JobLimits, JobThread, JobTimeout } from '../../crypto/index.js'
import { LedgerError } from '../../model/index.js'
import { errorFromRecord } from '../ledger/channel.js'
import type { LedgerPort } from '../ledger/protocol.js'
import type { TrialService, TrialWork } from './trials.js'
import type { TrialAnswer, TrialJob } from './worker.js'

/**
 * Maximum time of a trial in ms, including the start of the thread; the largest transaction takes about 60 ms. A slower
 * thread is ended, and the next trial starts another thread.
 */
const TRIAL_MAX_MS = 5_000
/**
 * Memory limit of the thread, in MiB, a multiple of the need of the largest transaction. Beyond it the thread ends, and
 * the node continues.
 */
const TRIAL_HEAP_MIB = 256
const TRIAL_YOUNG_MIB = 16
export const TRIAL_LIMITS = {
  timeoutMs: TRIAL_MAX_MS,
  memory: { maxOldGenerationSizeMb: TRIAL_HEAP_MIB, maxYoungGenerationSizeMb: TRIAL_YOUNG_MIB },
} as const satisfies JobLimits

/** Trials on a thread that starts with the first one. */
export class TrialThread implements TrialService {
  private readonly mutex = new Mutex()
  private readonly thread: JobThread<TrialJob, TrialAnswer>

  /**
   * @param ledger ledger that writes the state
   * @param entry module of the thread; it must load the same native database library as the ledger
   */
  constructor(
    private readonly place: Omit<TrialJob, 'work'>,
    private readonly ledger: Pick<LedgerPort, 'written'>,
    private readonly limits: JobLimits = TRIAL_LIMITS,
    entry: URL = compiledUrl('node/trials/worker.js'),
  ) {
    this.thread = new JobThread(entry, 'trial', limits)
  }

  run(work: TrialWork): Promise<Uint8Array | undefined> {
    return this.mutex.run(async () => {
      await this.ledger.written({})
      const answer = await this.answerTo(work)
      if (!answer.ok) throw errorFromRecord(answer.error)
      return answer.output
    })
  }

  close(): Promise<void> {
    return this.thread.close()
  }

  private async answerTo(work: TrialWork): Promise<TrialAnswer> {
    try {
      return await this.thread.run({ ...this.place, work })
    } catch (error) {
      const cause = error instanceof Error ? error.cause : undefined
      // Without a cause the node is stopping.
      if (cause === undefined) throw error
      const why =
        cause instanceof JobTimeout ? `it did not finish within ${this.limits.timeoutMs} ms` : 'its thread ended'
      throw new LedgerError('trial_too_large', `cannot run the trial: ${why}`)
    }
  }
}
