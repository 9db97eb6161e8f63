/** Owns the durable consensus files: vote log and staging segment, opened, and abstention where votes may be lost. */
import type { AbstentionCause, DurableRecord } from '../consensus/index.js'
import { failPoint, StagingLog, type VotedMarks, VoteLog } from '../storage/index.js'
import type { Logger } from './logger.js'

export interface DurableOptions {
  readonly dataDir: string
  /** The operator's word that no votes are forgotten which could matter (docs/design/consensus.md 8). */
  readonly acceptAmnesia: boolean
  /** The operator's word that these keys never voted; their marks are asked all the same. */
  readonly firstStart: boolean
  readonly marks: VotedMarks
  readonly logger: Logger
}

/** Why a vote log says that its node abstains; kept in the log. */
type AbstentionReason = 'missing' | 'damaged' | 'first_start'

/** What consensus does about it. */
export const causeOf = (reason: string | undefined): AbstentionCause | undefined =>
  reason === undefined ? undefined : reason === ('first_start' satisfies AbstentionReason) ? 'firstStart' : 'amnesia'

/**
 * The vote log; where votes may be forgotten the node abstains, says so and follows. A log that is there asks nothing. A
 * missing one beside a mark of the keys was lost. Without a mark the operator may say that this is a first start; else a
 * node at genesis waits until the others are seen to be there too, and any other one abstains.
 */
export async function openVotes(options: DurableOptions, height: number): Promise<VoteLog> {
  const { dataDir, marks, logger } = options
  let votes = await VoteLog.open(dataDir)
  if (votes.abstaining === undefined && (votes.missing || votes.damaged)) {
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
    logger.warn({ reason: votes.abstaining }, 'votes although it may have forgotten some: the operator accepts it')
    await votes.endAbstaining()
  }
  if (votes.abstaining === 'first_start') {
    logger.info('follows until a quorum with this node is at genesis, or enough peers show their height; then it votes')
  } else if (votes.abstaining !== undefined) {
    logger.warn(
      { reason: votes.abstaining },
      'abstaining: the vote log cannot be trusted; this node follows and does not vote',
    )
  }
  return votes
}

async function reasonOf({ marks }: DurableOptions, votes: VoteLog, height: number): Promise<AbstentionReason> {
  if (votes.damaged) return 'damaged'
  return height === 1 && !(await marks.has()) ? 'first_start' : 'missing'
}

/** Records that authorise a signature; the others only spare a restart the way back. */
const SIGNING: ReadonlySet<DurableRecord['kind']> = new Set(['proposed', 'prepared', 'locked', 'timedOut'])

/** Appends to the vote log; the keys are marked before the first record under which one of them signs. */
export function markedAppend(votes: VoteLog, marks: VotedMarks): (records: readonly DurableRecord[]) => Promise<void> {
  let marking: Promise<void> | undefined
  let isMarked = false
  return (records) => {
    if (isMarked || (marking === undefined && !records.some(({ kind }) => SIGNING.has(kind))))
      return votes.append(records)
    // Later appends wait for the same mark, so that they keep their order.
    marking ??= marks.make().then(() => {
      isMarked = true
    })
    return marking.then(() => votes.append(records))
  }
}

/** The staging segment; what damage took of it is asked of peers. */
export async function openStaging({
  dataDir,
  logger,
}: Pick<DurableOptions, 'dataDir' | 'logger'>): Promise<StagingLog> {
  const staging = await StagingLog.open(dataDir)
  if (staging.damaged) logger.warn('the staging segment was damaged; payloads are requested from peers again')
  return staging
}
