/**
 * Owns one correct member that follows the specification: the real state machine, whose signatures, blocks and syncs
 * wait for the corresponding action. Verification and execution complete at once, as in the specification.
 */
import {
  type ConsensusMessage,
  type ConsensusState,
  type DurableRecord,
  type Effect,
  type EffectOf,
  emptyRecord,
  hashOfKey,
  type Input,
  type Job,
  recoverState,
  step,
} from '../../consensus/index.js'
import { hashOfHeader, type ValidatorKey } from '../../model/index.js'
import type { Ground, Halted } from '../explore/index.js'
import type { HashedBlock } from '../member-messages.js'
import { fakeSign, fakeVerify } from '../signatures.js'
import {
  entryText,
  type Local,
  proposalText,
  type RecordName,
  recordText,
  type Slot,
  slotText,
  timeoutText,
  voteText,
} from './names.js'
import type { Records } from './records.js'

/** Records of a pending sync, with the job that waits for it; there is no job for a committed block. */
interface Write {
  readonly job: number | undefined
  readonly records: readonly DurableRecord[]
  readonly names: readonly RecordName[]
}

export class Member {
  private state: ConsensusState
  private readonly disk: DurableRecord[] = []
  private writes: Write[] = []
  private held: (EffectOf<'sign'> | EffectOf<'build'>)[] = []
  private hasCommitted = false
  private readonly sent = { proposals: new Set<string>(), votes: new Set<string>(), timeouts: new Set<string>() }
  private readonly inbox: Input[] = []
  private readonly key: ValidatorKey
  /** True while timeouts are signed at once. */
  private signsTimeouts = false

  constructor(
    readonly name: string,
    private readonly records: Records,
  ) {
    this.key = records.keyOf(name)
    this.state = recoverState(this.key, records.context, [], 0)
    this.start()
  }

  get view(): number {
    return this.state.view
  }

  /** Names of the records that are not yet durable. */
  get pending(): string {
    return this.writes.flatMap(({ names }) => names.map(recordText)).join('; ')
  }
  get proposals(): string {
    return [...this.sent.proposals].sort().join('; ')
  }
  get votes(): string {
    return [...this.sent.votes].sort().join('; ')
  }
  get timeouts(): string {
    return [...this.sent.timeouts].sort().join('; ')
  }

  /** The stopped state of this member, in a world of the exploration. */
  halted(ground: Ground): Halted {
    const { state, writes, held } = this
    return {
      machine: state,
      ground,
      signer: emptyRecord(0),
      timer: state.viewTimerArmed ? state.view : undefined,
      committed: this.hasCommitted ? slotText(this.records.slotOf(state.decided)) : '',
      unsynced: writes.flatMap(({ job }) => (job === undefined ? [] : [{ job }])),
      late: held,
    }
  }

  /** State in the terms of the specification. */
  get local(): Local {
    const { state, records } = this
    const slot = (of: { readonly view: number; readonly vote: { readonly blockHash: Uint8Array } } | undefined) =>
      of && { view: of.view, block: records.nameOf(of.vote.blockHash) }
    // The machine keeps the block of an earlier view over a restart, and a proposer records its own when it requests
    // the signature. Neither is a proposal of this view.
    const isOffering = records.proposerOf(state.view) === this.key && state.lastProposal?.view !== state.view
    const hasProposal = state.current?.view === state.view && !isOffering
    return {
      view: state.view,
      high: records.slotOf(state.highPrepare),
      entry: records.entryOf(state.entry),
      current:
        state.current !== undefined && hasProposal
          ? { view: state.view, block: records.nameOf(hashOfKey(state.current.hash)) }
          : undefined,
      known: [...state.candidates.values()]
        .filter(({ body }) => body !== undefined)
        .map(({ header }) => records.nameOf(hashOfHeader(header))),
      proposed: state.lastProposal?.view ?? -1,
      prepared: slot(state.prepared),
      locked: slot(state.locked),
      timedOut: state.timedOut?.view ?? -1,
      decided: records.slotOf(state.decided),
    }
  }

  receive(from: ValidatorKey, message: ConsensusMessage): void {
    this.input({ type: 'message', from, message })
  }

  /** Receive the timeouts that make this member time out. */
  join(messages: readonly { readonly from: ValidatorKey; readonly message: ConsensusMessage }[]): void {
    this.signsTimeouts = true
    for (const { from, message } of messages) this.receive(from, message)
    this.signsTimeouts = false
    this.signLate()
  }

  /**
   * Fire the view timer, and fire it again before the timeout is durable: the repetition must wait until then (Rule W).
   */
  expire(): void {
    const timer = { type: 'timer', name: 'view', height: this.state.context.height, view: this.state.view } as const
    this.signsTimeouts = true
    this.input(timer)
    this.signsTimeouts = false
    this.signLate()
    this.input(timer)
  }

  /** Complete the signatures requested before the timeout, which must not cause a vote. */
  private signLate(): void {
    const late = this.held.filter((effect): effect is EffectOf<'sign'> => effect.type === 'sign')
    this.held = this.held.filter(({ type }) => type !== 'sign')
    for (const effect of late) this.input(this.signed(effect))
  }

  /** Respond to the request for a block of this view with `fresh`, if there is one, and sign the proposal. */
  propose(fresh: HashedBlock): void {
    const { view } = this.state
    const build = this.held.find((effect) => effect.type === 'build' && effect.view === view)
    if (build !== undefined) {
      this.held = this.held.filter((effect) => effect !== build)
      const { header, body } = fresh
      this.input({ type: 'built', job: build.job, block: { header, body } })
    }
    this.sign('proposalSigned', view)
  }

  /** Sign the vote of this view; no effect if the machine requests none. */
  vote(phase: 'prepare' | 'commit'): void {
    this.sign('voteSigned', this.state.view, phase)
  }

  /** Deliver the payload of a block. */
  deliver(from: ValidatorKey, { header, body, hash }: HashedBlock): void {
    const { height } = this.state.context
    this.receive(from, {
      kind: 'payloadResponse',
      value: { height, blockHash: hash, header, body: Buffer.from(body) },
    })
  }

  /** Make all records durable. */
  persist(): void {
    const { writes } = this
    this.writes = []
    for (const { job, records } of writes) {
      this.disk.push(...records)
      if (job !== undefined) this.input({ type: 'persisted', job })
    }
  }

  /** Stop, keep the first `kept` of the non-durable records, and start again. */
  crash(kept: number): void {
    this.disk.push(...this.writes.flatMap(({ records }) => records).slice(0, kept))
    this.writes = []
    this.held = []
    this.hasCommitted = false
    this.state = recoverState(this.key, this.records.context, this.disk, 0)
    this.start()
  }

  private start(): void {
    this.input({ type: 'work', pending: true, full: true })
    this.input({ type: 'started' })
  }

  private heldSignature(next: Job['next'], view: number, phase?: 'prepare' | 'commit'): EffectOf<'sign'> | undefined {
    return this.held.find((effect): effect is EffectOf<'sign'> => {
      const job = effect.type === 'sign' ? this.state.jobs.get(effect.job) : undefined
      if (job?.next !== next || !('view' in job) || job.view !== view) return false
      return phase === undefined || (job.next === 'voteSigned' && job.phase === phase)
    })
  }

  private sign(next: Job['next'], view: number, phase?: 'prepare' | 'commit'): void {
    const effect = this.heldSignature(next, view, phase)
    if (effect === undefined) return
    this.held = this.held.filter((one) => one !== effect)
    this.input(this.signed(effect))
  }

  private signed({ job, messages }: EffectOf<'sign'>): Input {
    return { type: 'signed', job, signatures: messages.map((message) => fakeSign(this.key, message)) }
  }

  private input(input: Input): void {
    this.inbox.push(input)
    if (this.inbox.length > 1) return
    for (let next = this.inbox[0]; next !== undefined; next = this.inbox[0]) {
      for (const effect of step(this.state, { ...next, nowMs: 0 })) this.carryOut(effect)
      this.inbox.shift()
    }
  }

  private carryOut(effect: Effect): void {
    switch (effect.type) {
      case 'verify':
        return this.input({ type: 'verified', job: effect.job, ok: effect.checks.every(fakeVerify) })
      case 'execute':
        return this.input({ type: 'executed', job: effect.job, result: { ok: true }, timely: true })
      case 'build':
        return void this.held.push(effect)
      case 'sign':
        if (this.signsTimeouts && effect.intent.kind === 'timeout') return this.input(this.signed(effect))
        return void this.held.push(effect)
      case 'persist':
        return void this.writes.push({ ...effect, names: effect.records.map((record) => this.nameOf(record)) })
      case 'commit': {
        this.hasCommitted = true
        // The block store is the record of a decided block that was executed.
        const text = slotText(this.records.slotOf(effect.certified))
        if (this.writes.some(({ names }) => names.some(({ kind }) => kind === 'Decided'))) return
        return void this.writes.push({ job: undefined, records: [], names: [{ kind: 'Decided', text }] })
      }
      case 'send':
      case 'broadcast':
        return this.note(effect.message)
      default:
    }
  }

  private note(message: ConsensusMessage): void {
    const { records, name: by } = this
    if (message.kind === 'proposal') {
      this.sent.proposals.add(proposalText(records.proposalOf(message.value)))
    } else if (message.kind === 'vote') {
      const { phase, view, blockHash } = message.value
      this.sent.votes.add(voteText({ phase, slot: { view, block: records.nameOf(blockHash) }, by }))
    } else if (message.kind === 'timeout') {
      const { view, highPrepare } = message.value
      this.sent.timeouts.add(timeoutText({ entry: { view, high: records.slotOf(highPrepare) }, by }))
    }
  }

  private nameOf(record: DurableRecord): RecordName {
    const { records } = this
    const voted = ({ view, blockHash }: { readonly view: number; readonly blockHash: Uint8Array }): Slot => ({
      view,
      block: records.nameOf(blockHash),
    })
    switch (record.kind) {
      case 'proposed': {
        const { proposal } = record.value
        const { view, block, entry } = records.proposalOf(proposal)
        const whole = proposal.body === undefined ? 'header' : 'whole'
        return { kind: 'Proposed', text: `${slotText({ view, block })} ${entryText(entry)} ${whole}` }
      }
      case 'prepared':
        return { kind: 'Prepared', text: slotText(voted(record.value.vote)) }
      case 'locked':
        return { kind: 'Locked', text: slotText(voted(record.value.vote)) }
      case 'timedOut': {
        const { view, highPrepare } = record.value.timeout
        return { kind: 'TimedOut', text: entryText({ view, high: records.slotOf(highPrepare) }) }
      }
      case 'entered': {
        const { view, entry, highPrepare } = record.value
        const text = `${view} ${entryText(records.entryOf(entry))} ${slotText(records.slotOf(highPrepare))}`
        return { kind: 'Entered', text }
      }
      case 'decided':
        return { kind: 'Decided', text: slotText(records.slotOf(record.value.certified)) }
    }
  }
}
