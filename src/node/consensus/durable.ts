/**
 * Owns the durable files of the main thread (vote log, staging segment, queue log), and abstention if votes may be
 * lost.
 */
import type { AbstentionCause, DurableRecord } from '../../consensus/index.js'
import {
  failPoint,
  QueueLog,
  readVoteKeys,
  SecondHolder,
  StagingLog,
  type VotedMarks,
  VoteLog,
  writeVoteKeys,
} from '../../storage/index.js'
import { consensusKeysOf, type NodeKeys } from '../identity/identity.js'
import { type Closers, openAll } from '../process/closers.js'
import type { FatalPlace } from '../process/fatal.js'
import type { Logger } from '../process/logger.js'
import type { ConsensusLog } from './driver.js'

export interface DurableOptions {
  readonly dataDir: string
  /** True if the operator declares that no relevant votes are forgotten (docs/design/consensus.md 8). */
  readonly acceptAmnesia: boolean
  /** True if the operator declares that these keys never voted; their marks are checked nevertheless. */
  readonly firstStart: boolean
  readonly keys: Pick<NodeKeys, 'validator' | 'nextValidator'>
  /** Marks of these keys, in the order of `consensusKeysOf`. */
  readonly marks: VotedMarks
  /** Signer of this node, if it does not hold the secrets itself; the signer records what the keys signed. */
  readonly signer?: unknown
  readonly logger: Logger
}

/** Reason of the abstention in a vote log; stored in the log. */
type AbstentionReason = 'missing' | 'damaged' | 'first_start'

/** Effect of a stored reason on consensus. */
export const causeOf = (reason: string | undefined): AbstentionCause | undefined =>
  reason === undefined ? undefined : reason === ('first_start' satisfies AbstentionReason) ? 'firstStart' : 'amnesia'

/**
 * Open the vote log. If votes may be lost, the node abstains, logs it and follows. An existing log is trusted unless a
 * mark shows votes of a key that the log does not contain. A missing log counts as lost if a key has a mark. Without a
 * mark the operator may declare a first start; otherwise a node at genesis waits until the others are at genesis too,
 * and any other node abstains.
 */
export const openVotes = (options: DurableOptions, height: number): Promise<VoteLog> =>
  openAll(async (opened) => {
    const votes = await openVoteLog(options, height, opened)
    // After the abstention is on disk: until then the log does not have the votes of these keys.
    await writeVoteKeys(options.dataDir, options.signer === undefined ? keysOf(options) : [])
    return votes
  })

const keysOf = ({ keys }: DurableOptions): string[] =>
  consensusKeysOf(keys).map(({ publicKey }) => Buffer.from(publicKey.bytes).toString('hex'))

/** True if a key voted outside this log: on another machine, or at a signer. */
async function votedElsewhere(options: DurableOptions): Promise<boolean> {
  const known = await readVoteKeys(options.dataDir)
  if (known === undefined) return false
  const marked = await options.marks.each()
  return keysOf(options).some((key, at) => marked[at] === true && !known.includes(key))
}

async function openVoteLog(options: DurableOptions, height: number, opened: Closers): Promise<VoteLog> {
  const { dataDir, marks, logger } = options
  let votes = await VoteLog.open(dataDir)
  opened.add(() => votes.close())
  if (options.signer !== undefined) return recordedElsewhere(votes)
  const isLost = votes.abstaining === undefined && (votes.missing || votes.damaged)
  const mayVote = votes.abstaining === undefined || votes.abstaining === 'first_start'
  if (isLost || (mayVote && (await votedElsewhere(options)))) {
    if (votes.missing && options.firstStart && !(await marks.has())) {
      await votes.close()
      await VoteLog.create(dataDir)
      votes = await VoteLog.open(dataDir)
      logger.warn('first start of these keys on this chain: the node votes')
      return votes
    }
    failPoint(404)
    await votes.startAbstaining(await reasonOf(options, votes, height))
    failPoint(405)
  }
  if (votes.abstaining === 'first_start' && options.firstStart && !(await marks.has())) {
    logger.warn('first start of these keys on this chain: the node votes')
    await votes.endAbstaining()
  }
  if (votes.abstaining !== undefined && options.acceptAmnesia) {
    logger.warn({ reason: votes.abstaining }, 'voting although earlier votes may be lost: accepted by the operator')
    await votes.endAbstaining()
  }
  if (votes.abstaining === 'first_start') {
    logger.info(
      'following until a quorum with this node is at genesis, or enough peers report their height; then it votes',
    )
  } else if (votes.abstaining !== undefined) {
    logger.warn(
      { reason: votes.abstaining },
      'abstaining: the vote log cannot be trusted; this node follows and does not vote',
    )
  }
  return votes
}

/** True if the signer has the votes that this log lost, so that the node does not abstain (docs/decisions/0067). */
async function recordedElsewhere(votes: VoteLog): Promise<VoteLog> {
  if (votes.missing || votes.damaged) await votes.startAbstaining('missing' satisfies AbstentionReason)
  if (votes.abstaining !== undefined) await votes.endAbstaining()
  return votes
}

async function reasonOf({ marks }: DurableOptions, votes: VoteLog, height: number): Promise<AbstentionReason> {
  if (votes.damaged) return 'damaged'
  return height === 1 && !(await marks.has()) ? 'first_start' : 'missing'
}

/** Records that authorise a signature; all others only reduce the work after a restart. */
const SIGNING: ReadonlySet<DurableRecord['kind']> = new Set(['proposed', 'prepared', 'locked', 'timedOut'])

/** Open logs of a node. */
export interface Logs {
  readonly votes: VoteLog
  readonly staging: StagingLog
  readonly queue: QueueLog
  /** For each key, true if it had its mark before the vote log was opened. */
  readonly marked: readonly boolean[]
}

/** Open the logs of a data directory; `height`: height of the last committed block. */
export const openLogs = (options: DurableOptions, height: number): Promise<Logs> =>
  openAll(async (opened) => {
    const marked = await options.marks.each()
    const votes = await openVotes(options, height)
    opened.add(() => votes.close())
    const staging = await openStaging(options)
    opened.add(() => staging.close())
    const queue = await QueueLog.open(options.dataDir)
    if (queue.damaged) options.logger.warn('queue log was corrupt; unreadable transactions are lost')
    return { votes, staging, queue, marked }
  })

/** Wait for pending appends and close the logs. */
export async function closeLogs({ votes, staging, queue }: Logs): Promise<void> {
  await votes.close()
  await staging.close()
  await queue.close()
}

/** Logs as consensus writes them; pruning is not awaited. */
export const consensusLogOf = (
  { votes, staging, marked }: Logs,
  { marks, logger }: Pick<DurableOptions, 'marks' | 'logger'>,
  fatal: (place: FatalPlace) => (error: unknown) => void,
): ConsensusLog => ({
  append: markedAppend(votes, marks, marked),
  stage: (height, payloadHash, body) => staging.append(height, payloadHash, body),
  prune: (height) => {
    votes.prune(height).catch(fatal('vote_log'))
    staging.prune(height).catch(fatal('staging_log'))
  },
  endAbstaining: async () => {
    await votes.endAbstaining()
    logger.info('the node votes again: earlier votes that it may have lost no longer matter')
  },
})

/**
 * Append admitted transactions. A receipt is issued only for transactions on disk, so that it survives a crash.
 * `onBroken`: called if the log accepts no more writes; the process must then end, since it would execute payments that
 * it answers with an error.
 */
export async function logAdmitted(
  log: QueueLog,
  records: readonly Uint8Array[],
  onBroken: (error: unknown) => void,
): Promise<void> {
  failPoint(300)
  try {
    await log.appendAll(records)
  } catch (error) {
    if (log.isBroken) onBroken(error)
    throw error
  }
  failPoint(301)
}

/**
 * Append function for the vote log that marks a key before the first record that authorises one of its signatures.
 * `marked`: for each key, true if it had a mark when the log was opened.
 */
export function markedAppend(
  votes: VoteLog,
  marks: VotedMarks,
  marked?: readonly boolean[],
): (records: readonly DurableRecord[]) => Promise<void> {
  let marking: Promise<void> | undefined
  let isMarked = false
  return (records) => {
    if (isMarked || (marking === undefined && !records.some(({ kind }) => SIGNING.has(kind))))
      return votes.append(records)
    // Later appends wait for the same mark, which preserves their order.
    marking ??= marks.make(marked).then(
      () => {
        isMarked = true
      },
      async (error: unknown) => {
        // The next start must not trust this log for the key, which then has its mark.
        if (error instanceof SecondHolder) await votes.startAbstaining('missing' satisfies AbstentionReason)
        throw error
      },
    )
    return marking.then(() => votes.append(records))
  }
}

/** Open the staging segment; corrupt parts are requested from peers. */
export async function openStaging({
  dataDir,
  logger,
}: Pick<DurableOptions, 'dataDir' | 'logger'>): Promise<StagingLog> {
  const staging = await StagingLog.open(dataDir)
  if (staging.damaged) logger.warn('the staging segment was corrupt; payloads are requested from peers again')
  return staging
}
