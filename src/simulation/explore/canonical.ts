/**
 * Owns the canonical text of a node; states with the same text behave alike. The text omits times and the pacemaker,
 * numbers of jobs, caches of verified certificates, counters, requests in flight, reasons of timeouts, signers of
 * certificates, and evidence. Later steps must not use the omitted data either; `forget` clears it in the reduced mode.
 */
import { type ConsensusState, type DurableRecord, recoverState } from '../../consensus/index.js'
import { NOW_MS } from './ground.js'
import type { JobText } from './job-text.js'
import type { LocalState } from './local-state.js'
import type { Messages } from './messages.js'

const sorted = (texts: Iterable<string>): string => [...texts].sort().join(';')

/** Canonical texts of the nodes of one world. */
export class Canonical {
  /** Results of restarts by log, identified by its list of records. */
  private readonly restarts = new WeakMap<readonly DurableRecord[], string>()

  constructor(
    private readonly messages: Messages,
    private readonly jobs: JobText,
  ) {}

  private get isReduced(): boolean {
    return this.messages.setting.options.mode === 'reduced'
  }

  textOf(local: LocalState): string {
    const { machine } = local
    const kept = this.keptText(local)
    const sent = `se${local.sent.join(',')}`
    const { decided } = machine
    if (this.isReduced && decided !== undefined && this.messages.setting.isLast(machine.context.height))
      return `DEC${this.name(decided.certificate.blockHash)}|${kept}|${sent}`
    const parts = [
      this.heightText(local),
      this.durableText(machine),
      this.blocksText(machine),
      this.collectedText(machine),
    ]
    const { late, statuses, heights } = this.messages.setting.options
    if (late) parts.push(`la${sorted(local.late.map((work) => this.jobs.late(machine, work)))}`)
    if (statuses || heights > 1) parts.push(this.syncText(machine))
    return `${parts.join('|')}|${kept}|${sent}`
  }

  private name(hash: Uint8Array | string): string {
    return this.messages.setting.nameOf(hash)
  }

  private heightText({ machine, timer, committed, ground }: LocalState): string {
    const flags = [
      machine.viewTimerArmed ? '!' : '',
      machine.proposeTimerArmed ? 'p' : '',
      machine.halted ? 'h' : '',
      machine.committing ? 'c' : '',
    ]
    return `g${ground.number}|v${machine.view}|t${timer ?? ''}${flags.join('')}|cm${committed}`
  }

  /** Text of the state that records restore. */
  private durableText(machine: ConsensusState): string {
    const { messages } = this
    const { lastProposal, prepared, locked, timedOut, current } = machine
    return [
      `p${lastProposal === undefined ? '' : messages.proposal(lastProposal.proposal)}`,
      `pr${prepared === undefined ? '' : `${prepared.view}${this.name(prepared.vote.blockHash)}`}`,
      `lo${locked === undefined ? '' : `${locked.view}${this.name(locked.vote.blockHash)}`}`,
      `to${timedOut === undefined ? '' : `${timedOut.view}:${messages.certificate(timedOut.timeout.highPrepare)}`}`,
      `hi${messages.certificate(machine.highPrepare)}`,
      `en${this.usesEntry(machine) ? messages.entry(machine.entry) : ''}`,
      `de${messages.certificate(machine.decided)}`,
      `cu${current === undefined ? '' : `${current.view}${this.name(current.hash)}`}`,
    ].join('|')
  }

  /**
   * True if the entry certificate matters. In the reduced mode it does only for a proposer that has not proposed on it.
   */
  private usesEntry({ view, lastProposal, entry, context, self }: ConsensusState): boolean {
    if (!this.isReduced) return true
    return (
      context.order[view % context.order.length] === self && lastProposal?.view !== view && entry?.view === view - 1
    )
  }

  private blocksText({ candidates, building, built }: ConsensusState): string {
    const texts = [...candidates.values()].map((one) => {
      const flags = `${one.executedAsCertified ? 'c' : ''}${one.timely ? '' : 'l'}${one.refusal?.reason ?? ''}`
      return `${this.name(one.hash)}${one.body === undefined ? '-' : 'b'}${one.status}${flags}`
    })
    return `ca${sorted(texts)}|bu${building ?? ''}${built === undefined ? '' : `${built.view}${this.name(built.hash)}`}`
  }

  /** Votes, timeouts and proposals of all members. */
  private collectedText(machine: ConsensusState): string {
    const { messages } = this
    const votes = [...machine.votes.values()].map(({ phase, view, hash, signatures, aggregating, certified }) => {
      const flags = `${aggregating ? 'a' : ''}${certified ? 'c' : ''}`
      return `${phase[0]}${view}${this.name(hash)}:${[...signatures.keys()].sort().join('')}${flags}`
    })
    const firstVotes = [...machine.firstVotes].map(([slot, vote]) => `${slot}${this.name(vote.blockHash)}`)
    const proposals = [...machine.firstProposals].map(([view, one]) => `${view}${this.name(one.blockHash)}`)
    const timeouts = [...machine.timeouts].map(
      ([index, one]) => `${index}:${one.view}:${messages.certificate(one.highPrepare)}`,
    )
    const parts = [
      `vo${sorted(votes)}`,
      `fv${sorted(firstVotes)}`,
      `fp${sorted(proposals)}`,
      `ti${sorted(timeouts)}`,
      `ta${[...machine.timeoutViewsAggregating].sort().join(',')}`,
    ]
    if (!this.isReduced)
      parts.push(`ac${machine.active ? '' : [...machine.activeMembers].sort().join('')}${machine.active}`)
    return parts.join('|')
  }

  /** Buffered messages of the next height, and the known state of blocks of others. */
  private syncText({ buffered, sync }: ConsensusState): string {
    const { setting } = this.messages
    const waiting = buffered.map(({ from, message }) => this.messages.textOf(message, setting.peers.indexOf(from)))
    const peers = [...sync.peers].map(([key, { height, claimed, asked }]) => {
      const range = asked === undefined ? '' : `${asked.from}+${asked.count}${asked.late ? 'l' : ''}`
      return `${setting.peers.indexOf(key)}:${height}:${claimed}:${range}`
    })
    const blocks = [...sync.blocks].map(([height, { status }]) => `${height}${status}`)
    const flags = `${sync.timerArmed ? 't' : ''}${sync.catchingUp ? 'c' : ''}`
    return `bf${waiting.join(';')}|sy${sorted(peers)}|sb${sorted(blocks)}${flags}`
  }

  /** State that survives a crash. */
  private keptText(local: LocalState): string {
    const { crashes, split, signer, loser } = this.messages.setting.options
    const parts: string[] = []
    if (crashes > 0) parts.push(`lf${local.life}`, `dk${this.restartText(local)}`)
    if (split)
      parts.push(
        `un${local.unsynced.map(({ records }) => records.map((one) => this.recordText(one)).join(';')).join('/')}`,
      )
    if (split) parts.push(`jo${sorted([...local.machine.jobs.values()].map((job) => this.jobs.job(job)))}`)
    if (signer) parts.push(`si${this.signerText(local)}`)
    if (loser !== undefined) parts.push(`ab${local.hasLost}${local.mark ?? ''}${this.abstentionText(local.machine)}`)
    return parts.join('|')
  }

  /** Progress towards voting; reports count until the height of the first vote is fixed. */
  private abstentionText({ abstention }: ConsensusState): string {
    if (abstention === undefined) return ''
    const { shown, resumeAt, ending } = abstention
    if (resumeAt !== undefined) return `${resumeAt}${ending ? '!' : ''}`
    const { peers } = this.messages.setting
    return sorted([...shown].map(([peer, height]) => `${peers.indexOf(peer)}:${height}`))
  }

  private signerText({ signer }: LocalState): string {
    const { messages } = this
    const { height, view, proposed, prepared, locked, timedOut, high } = signer
    return [
      height,
      view,
      proposed && `${proposed.view}${this.name(proposed.blockHash)}`,
      prepared && `${prepared.vote.view}${this.name(prepared.vote.blockHash)}`,
      locked && `${locked.vote.view}${this.name(locked.vote.blockHash)}`,
      timedOut &&
        `${timedOut.timeout.view}${messages.certificate(timedOut.timeout.highPrepare)}${timedOut.timeout.reason}`,
      messages.certificate(high),
    ].join('~')
  }

  private restartText({ disk, ground, machine }: LocalState): string {
    const known = this.restarts.get(disk)
    if (known !== undefined) return known
    const restored = recoverState(machine.self, ground.context, disk, NOW_MS)
    const text = `${this.durableText(restored)}~${restored.view}~${this.messages.entry(restored.entry)}~${this.blocksText(restored)}`
    this.restarts.set(disk, text)
    return text
  }

  private recordText(record: DurableRecord): string {
    const { messages } = this
    switch (record.kind) {
      case 'proposed':
        return `P${messages.proposal(record.value.proposal)}`
      case 'prepared':
        return `p${record.value.vote.view}${this.name(record.value.vote.blockHash)}${record.value.body === undefined ? '' : 'b'}`
      case 'locked':
        return `l${record.value.vote.view}${messages.certificate(record.value.certified)}`
      case 'timedOut':
        return `t${record.value.timeout.view}${messages.certificate(record.value.timeout.highPrepare)}`
      case 'entered': {
        const { view, entry, highPrepare } = record.value
        return `e${view}${messages.entry(entry)}${messages.certificate(highPrepare)}`
      }
      case 'decided':
        return `d${messages.certificate(record.value.certified)}`
    }
  }

  /**
   * Drop votes and timeouts collected from others in the reduced mode. They arrive again as a quorum, and no rule uses
   * older ones. If kept, correct members would be accused of messages collected in merged states.
   */
  dropOld({ machine }: LocalState): void {
    if (!this.isReduced) return
    const own = machine.index
    for (const [slot, set] of machine.votes) {
      set.certified = false
      for (const index of set.signatures.keys()) if (index !== own) set.signatures.delete(index)
      if (set.signatures.size === 0) machine.votes.delete(slot)
    }
    for (const [slot, vote] of machine.firstVotes) if (vote.index !== own) machine.firstVotes.delete(slot)
    for (const index of machine.timeouts.keys()) if (index !== own) machine.timeouts.delete(index)
    machine.activeMembers.clear()
    machine.firstProposals.clear()
    if (this.messages.setting.options.loser === undefined) return
    // Certificates and payloads arrive by themselves, so that a report of a later height asks for nothing.
    machine.buffered.splice(0)
    machine.sync.peers.clear()
    machine.sync.timerArmed = false
    machine.sync.catchingUp = false
  }
}
