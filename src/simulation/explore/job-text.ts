/** Owns the canonical texts of running work: the results that a node waits for, without job numbers. */
import type { ConsensusState, Job } from '../../consensus/index.js'
import { hashOfHeader } from '../../model/index.js'
import type { LateWork } from './answers.js'
import type { Messages } from './messages.js'

export class JobText {
  constructor(private readonly messages: Messages) {}

  /** Late work, by the job that receives its result. */
  late({ jobs }: ConsensusState, work: LateWork): string {
    const job = jobs.get(work.job)
    const what = work.type === 'execute' && work.certified ? 'certified ' : ''
    return `${what}${job === undefined ? `over ${work.type}` : this.job(job)}`
  }

  job(job: Job): string {
    const { messages } = this
    const name = (hash: Uint8Array | string): string => messages.setting.nameOf(hash)
    switch (job.next) {
      case 'messageVerified': {
        const from = messages.setting.peers.indexOf(job.from)
        return `verify ${from} ${messages.textOf(job.message, from)}`
      }
      case 'syncVerified':
        return `verify block ${name(hashOfHeader(job.held.block.header))}${job.ahead ? ' ahead' : ''}`
      case 'proposalSigned':
        return `sign proposal ${job.view}${name(job.hash)}${job.withPrepare ? 'p' : ''}`
      case 'voteSigned':
        return `sign ${job.phase} ${job.view}${name(job.hash)}`
      case 'timeoutSigned':
        return `sign timeout ${job.timeout.view}${messages.certificate(job.timeout.highPrepare)}`
      case 'executed':
        return `execute ${name(job.hash)}`
      case 'proposalPersisted':
        return `persist ${messages.proposal(job.proposal)}${job.vote === undefined ? '' : 'p'}`
      case 'votePersisted':
        return `persist ${job.vote.phase} ${job.vote.view}${name(job.vote.blockHash)}`
      case 'timeoutPersisted':
        return `persist timeout ${job.timeout.view}${messages.certificate(job.timeout.highPrepare)}`
      case 'nothing':
        return ''
      default:
        return job.next
    }
  }
}
