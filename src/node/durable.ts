/** Owns what a node must not forget of consensus, as files: vote log and staging segment, opened, and abstention where votes may be lost. */
import { failPoint, StagingLog, VoteLog } from '../storage/index.js'
import type { Logger } from './logger.js'

export interface DurableOptions {
  readonly dataDir: string
  readonly acceptAmnesia: boolean
  readonly logger: Logger
}

/** The vote log; where votes may be forgotten the node abstains, says so and follows. */
export async function openVotes(options: DurableOptions, height: number): Promise<VoteLog> {
  const { dataDir, logger } = options
  if (height === 1) {
    const fresh = await VoteLog.open(dataDir)
    if (!fresh.missing) return fresh
    await fresh.close()
    await VoteLog.create(dataDir)
    return VoteLog.open(dataDir)
  }
  const votes = await VoteLog.open(dataDir)
  const reason = votes.missing ? 'missing' : votes.damaged ? 'damaged' : undefined
  if (reason !== undefined && votes.abstaining === undefined) {
    failPoint(404)
    await votes.startAbstaining(reason)
    failPoint(405)
  }
  if (votes.abstaining !== undefined && options.acceptAmnesia) {
    logger.warn({ reason: votes.abstaining }, 'votes although it may have forgotten some: the operator accepts it')
    await votes.endAbstaining()
  }
  if (votes.abstaining !== undefined) {
    logger.warn(
      { reason: votes.abstaining },
      'abstaining: the vote log cannot be trusted; this node follows and does not vote',
    )
  }
  return votes
}

/** The staging segment; what damage took of it is asked of peers. */
export async function openStaging({ dataDir, logger }: DurableOptions): Promise<StagingLog> {
  const staging = await StagingLog.open(dataDir)
  if (staging.damaged) logger.warn('the staging segment was damaged; payloads are asked of peers again')
  return staging
}
