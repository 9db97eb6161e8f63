/**
 * Owns the comparison of the real state machine with a trace of the specification. Each action of a correct member is
 * applied to the machine; afterwards the state, the non-durable records and all sent messages must equal those in the
 * trace.
 */
import { DEFAULT_CONSENSUS_PARAMETERS } from '../../model/index.js'
import { Chain } from '../chain.js'
import { type Halted, healNodes, namedWorld, Setting } from '../explore/index.js'
import { FAKE_SIGNATURES, fakeKey } from '../signatures.js'
import type { Trace, TraceStep } from './itf.js'
import { Member } from './member.js'
import {
  type Entry,
  localText,
  proposalText,
  recordText,
  type Slot,
  type TimeoutName,
  timeoutText,
  voteText,
} from './names.js'
import { type GivenTimeout, Records } from './records.js'

/** Members of every instance of the specification. */
const MEMBERS = 4

/** First step after which the machine and the specification differ. */
export interface Divergence {
  readonly step: number
  readonly action: string
  readonly member: string
  readonly expected: string
  readonly actual: string
}

/** Follow a trace. Returns the first difference, or undefined if there is none. */
export function follow(trace: Trace): Divergence | undefined {
  const [first, ...rest] = trace.steps
  if (first === undefined) return undefined
  const follower = new Follower([...first.nodes.keys()])
  let before = first
  for (const [at, step] of rest.entries()) {
    const fault = follower.advance(before, step)
    if (fault !== undefined) return { step: at + 1, action: step.action, ...fault }
    before = step
  }
  return undefined
}

/** Result of healing the network after steps of a trace. */
interface TraceHealed {
  readonly states: number
  /** First state without a commit within f + 2 views. */
  readonly late: string | undefined
}

/**
 * Follow a trace. After every `every` steps a copy of the correct members loses all messages in flight, and its network
 * heals.
 */
export function healAlong(trace: Trace, every: number): TraceHealed {
  const [first, ...rest] = trace.steps
  if (first === undefined) return { states: 0, late: undefined }
  const follower = new Follower([...first.nodes.keys()])
  const setting = new Setting({ ...namedWorld('four'), name: trace.module })
  let states = 0
  let before = first
  for (const [at, step] of rest.entries()) {
    const fault = follower.advance(before, step)
    if (fault !== undefined) return { states, late: `the code differs after step ${at + 1}` }
    before = step
    if (at % every !== 0) continue
    const late = healNodes(setting, follower.halted(setting))
    states += 1
    if (late !== undefined) return { states, late: `step ${at + 1}: ${late}` }
  }
  return { states, late: undefined }
}

/** Proposer of a view: members are named by their position in the order. */
const proposerIn = (view: number): string => `p${view % MEMBERS}`

/** State of a member after a step, according to the trace and to the machine, as one text each. */
const expectedOf = (name: string, { nodes, pending, proposals, votes, timeouts }: TraceStep): string => {
  const local = nodes.get(name)
  const listed = (texts: readonly string[]): string => [...texts].sort().join('; ')
  const own = <T extends { readonly by: string }>(all: readonly T[], text: (one: T) => string): string =>
    listed(all.filter(({ by }) => by === name).map(text))
  return describe({
    local: local === undefined ? '' : localText(local),
    pending: (pending.get(name) ?? []).map(recordText).join('; '),
    proposals: listed(proposals.filter(({ view }) => proposerIn(view) === name).map(proposalText)),
    votes: own(votes, voteText),
    timeouts: own(timeouts, timeoutText),
  })
}

const describe = (of: {
  readonly local: string
  readonly pending: string
  readonly proposals: string
  readonly votes: string
  readonly timeouts: string
}): string => `${of.local}\npending: ${of.pending}\nsent: ${of.proposals} | ${of.votes} | ${of.timeouts}`

class Follower {
  private readonly records: Records
  private readonly members: ReadonlyMap<string, Member>
  private readonly faulty: readonly string[]

  constructor(correct: readonly string[]) {
    const universe = Array.from({ length: MEMBERS }, (_, index) => fakeKey(index))
    const chain = new Chain({
      universe,
      keys: new Map(),
      members: MEMBERS,
      membersMin: MEMBERS,
      lanes: false,
      withholders: new Set(),
      epochLength: undefined,
      parameters: { ...DEFAULT_CONSENSUS_PARAMETERS, collectorsK: 0 },
      signatures: FAKE_SIGNATURES,
    })
    this.records = new Records(chain)
    this.members = new Map(correct.map((name) => [name, new Member(name, this.records)]))
    this.faulty = universe.map((_, index) => `p${index}`).filter((name) => !correct.includes(name))
  }

  halted({ start }: Setting): Halted[] {
    return [...this.members.values()].map((member) => member.halted(start))
  }

  advance(before: TraceStep, step: TraceStep): Omit<Divergence, 'step' | 'action'> | undefined {
    const { n } = step.picks
    const acting = n === undefined ? undefined : this.members.get(n)
    if (acting !== undefined) {
      try {
        this.perform(acting, before, step)
      } catch (error) {
        const actual = error instanceof Error ? error.message : String(error)
        return { member: acting.name, expected: expectedOf(acting.name, step), actual }
      }
    }
    for (const [name, member] of this.members) {
      const expected = expectedOf(name, step)
      const { pending, proposals, votes, timeouts } = member
      const actual = describe({ local: localText(member.local), pending, proposals, votes, timeouts })
      if (actual !== expected) return { member: name, expected, actual }
    }
    return undefined
  }

  private perform(member: Member, before: TraceStep, { action, picks }: TraceStep): void {
    const { records } = this
    const missing = (pick: string): never => {
      throw new Error(`the trace does not say which ${pick} "${action}" is about`)
    }
    switch (action) {
      case 'init':
      case 'forge':
        return
      case 'propose': {
        member.propose(records.block({ origin: member.view, id: picks.id ?? missing('block') }))
        // A block whose payload arrived after the proposal was offered gets its vote separately.
        return this.votesWith(member, before) ? member.vote('prepare') : undefined
      }
      case 'receive':
      case 'refuseProposal': {
        const proposal = picks.p ?? missing('proposal')
        const entry = proposal.entry && this.entryCertificate(proposal.entry, before)
        return member.receive(records.proposerOf(proposal.view), records.proposal(proposal, entry))
      }
      case 'prepare':
        return member.vote('prepare')
      case 'commit':
        return member.vote('commit')
      case 'fetch':
        return this.fetch(member, before)
      case 'learnPrepare':
      case 'decide': {
        const phase = action === 'decide' ? 'commit' : 'prepare'
        const value = this.certificate(phase, picks.s ?? missing('certificate'), before)
        return member.receive(this.otherThan(member), { kind: 'certificate', value })
      }
      case 'expire':
        return member.expire()
      case 'join': {
        const given = [picks.one ?? missing('timeout'), picks.other ?? missing('timeout')]
        given.sort((a, b) => (b.entry.high?.view ?? -1) - (a.entry.high?.view ?? -1))
        return member.join(
          given.map((timeout) => ({
            from: records.keyOf(timeout.by),
            message: records.timeout(this.given(timeout, before)),
          })),
        )
      }
      case 'enter':
      case 'refuseEntry': {
        const entry = picks.e ?? missing('timeout certificate')
        const value = action === 'enter' ? this.entryCertificate(entry, before) : this.wrongCertificate(entry, before)
        return member.receive(this.otherThan(member), { kind: 'timeoutCertificate', value })
      }
      case 'persist':
        return member.persist()
      case 'crash':
        return member.crash(picks.kept ?? missing('records'))
    }
  }

  private votesWith(member: Member, before: TraceStep): boolean {
    const local = before.nodes.get(member.name)
    const carried = local?.view === local?.prepared?.view ? undefined : local?.entry?.high
    return carried !== undefined && local?.known.some(({ origin, id }) => same(carried, origin, id)) === true
  }

  private otherThan(member: Member): string {
    return this.records.keyOf(member.name === 'p0' ? 'p1' : 'p0')
  }

  /** Fetch the payload of the certificate or the proposal of this view. */
  private fetch(member: Member, before: TraceStep): void {
    const local = before.nodes.get(member.name)
    for (const slot of [local?.high, local?.current]) {
      if (slot !== undefined && slot.view === local?.view)
        member.deliver(this.otherThan(member), this.records.block(slot.block))
    }
  }

  private certificate(phase: 'prepare' | 'commit', slot: Slot, { votes }: TraceStep) {
    const signers = votes
      .filter((vote) => vote.phase === phase && same(vote.slot, slot.block.origin, slot.block.id))
      .filter((vote) => vote.slot.view === slot.view)
      .map(({ by }) => by)
    return this.records.certified(phase, slot, [...new Set([...signers, ...this.faulty])])
  }

  private named(high: Slot | undefined, state: TraceStep) {
    return high && this.certificate('prepare', high, state)
  }

  /**
   * Timeout certificate of the members without a higher certificate; a faulty member includes the certificate if no
   * correct member does.
   */
  private entryCertificate({ view, high }: Entry, state: TraceStep) {
    const top = high?.view ?? -1
    const given = state.timeouts.filter(({ entry }) => entry.view === view && (entry.high?.view ?? -1) <= top)
    const isNamed = given.some(({ entry }) => (entry.high?.view ?? -1) === top)
    const forged = this.faulty.map((by) => ({ by, entry: { view, high: isNamed ? undefined : high } }))
    return this.joined(view, [...given, ...forged], high, state)
  }

  /** Timeout certificate of all members that timed out, with a certificate that is not the highest. */
  private wrongCertificate({ view, high }: Entry, state: TraceStep) {
    const given: TimeoutName[] = state.timeouts.filter(({ entry }) => entry.view === view)
    const forged = this.faulty.map((by) => ({ by, entry: { view, high: undefined } }))
    return this.joined(view, [...given, ...forged], high, state)
  }

  private given(timeout: TimeoutName, state: TraceStep): GivenTimeout {
    return { timeout, high: this.named(timeout.entry.high, state) }
  }

  private joined(view: number, timeouts: readonly TimeoutName[], high: Slot | undefined, state: TraceStep) {
    const given = timeouts.map((one) => this.given(one, state))
    return this.records.timeoutCertificate(view, given, this.named(high, state))
  }
}

const same = ({ block }: Slot, origin: number, id: string): boolean => block.origin === origin && block.id === id
