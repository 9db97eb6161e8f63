/** Mistakes that bit other systems, each tried on the state machine by hand (docs/reference/consensus-pitfalls.md). */
import { describe, expect, it } from 'vitest'
import {
  bitmapOf,
  type ConsensusMessage,
  type ConsensusState,
  checkTimeoutCertificate,
  committeeOf,
  domainOf,
  type Effect,
  headerTemplate,
  newPacemaker,
  newState,
  proposalSignBytes,
  recoverState,
  sortRoster,
  step,
  timeoutSignBytes,
  viewTimeoutMs,
  voteSignBytes,
} from '../../../src/consensus/index.js'
import {
  DEFAULT_CONSENSUS_PARAMETERS,
  hashOfHeader,
  type TimeoutCertificate,
  type ValidatorKey,
} from '../../../src/model/index.js'
import { Chain } from '../../../src/simulation/chain.js'
import { FAKE_SIGNATURES, fakeAggregate, fakeKey, fakeSign, fakeVerify } from '../../../src/simulation/signatures.js'

const KEYS = [0, 1, 2, 3].map((index) => fakeKey(index))
const rules = {
  universe: KEYS,
  keys: new Map(),
  members: 4,
  membersMin: 4,
  lanes: false,
  withholders: new Set<string>(),
  epochLength: undefined,
  parameters: DEFAULT_CONSENSUS_PARAMETERS,
  signatures: FAKE_SIGNATURES,
}
const chain = new Chain(rules)
const context = chain.nextContext()
const { committee, order } = context
const domain = domainOf(context)

/** A block of view 0 by its proposer, and its proposal. */
function firstBlock() {
  const proposer = order[0] ?? ''
  const template = headerTemplate(context, 0, proposer)
  const { header, body } = chain.build(template, {
    transactions: [],
    nonce: 1,
    change: undefined,
    lanes: [],
    laneChange: undefined,
  })
  const blockHash = hashOfHeader(header)
  const proposal: ConsensusMessage = {
    kind: 'proposal',
    value: {
      height: context.height,
      view: 0,
      header,
      body,
      compact: undefined,
      digests: [],
      justification: { kind: 'genesis', value: undefined },
      signature: fakeSign(proposer, proposalSignBytes(domain, 0, blockHash)),
    },
  }
  return { header, body, blockHash, proposal, proposer }
}
const block = firstBlock()

const voteOf = (key: ValidatorKey, view = 0): ConsensusMessage => ({
  kind: 'vote',
  value: {
    phase: 'prepare',
    height: context.height,
    view,
    blockHash: block.blockHash,
    index: committee.indexOf.get(key) ?? -1,
    signature: fakeSign(key, voteSignBytes(domain, 'prepare', view, block.blockHash)),
  },
})
const timeoutOf = (key: ValidatorKey, view: number, height = context.height): ConsensusMessage => ({
  kind: 'timeout',
  value: {
    height,
    view,
    highPrepare: undefined,
    reason: 'noProposal',
    index: committee.indexOf.get(key) ?? -1,
    signature: fakeSign(key, timeoutSignBytes({ ...domain, height }, view, 0, 'noProposal')),
  },
})

/** A member that is driven by hand: what needs an answer gets it at once. */
class Member {
  readonly state: ConsensusState
  readonly effects: Effect[] = []
  private nowMs = 0

  constructor(key: ValidatorKey, state?: ConsensusState) {
    this.state = state ?? newState(key, context, 0)
  }

  receive(from: ValidatorKey, message: ConsensusMessage): void {
    this.run(step(this.state, { type: 'message', from, message, nowMs: this.tick() }))
  }

  start(): void {
    this.run(step(this.state, { type: 'started', nowMs: this.tick() }))
  }

  private tick(): number {
    this.nowMs += 1
    return this.nowMs
  }

  private run(effects: readonly Effect[]): void {
    for (const effect of effects) {
      this.effects.push(effect)
      const nowMs = this.nowMs + 1
      if (effect.type === 'verify') {
        this.run(step(this.state, { type: 'verified', job: effect.job, ok: effect.checks.every(fakeVerify), nowMs }))
      } else if (effect.type === 'persist') {
        this.run(step(this.state, { type: 'persisted', job: effect.job, nowMs }))
      } else if (effect.type === 'sign') {
        const signatures = effect.messages.map((message) => fakeSign(this.state.self, message))
        this.run(step(this.state, { type: 'signed', job: effect.job, signatures, nowMs }))
      } else if (effect.type === 'execute') {
        this.run(step(this.state, { type: 'executed', job: effect.job, result: { ok: true }, timely: true, nowMs }))
      } else if (effect.type === 'aggregate') {
        const aggregate = fakeAggregate(effect.signatures)
        this.run(step(this.state, { type: 'aggregated', job: effect.job, aggregate, bad: [], nowMs }))
      }
    }
  }

  /** Aggregates that were asked for: how many signatures each has. */
  get aggregated(): number[] {
    return this.effects.flatMap((one) => (one.type === 'aggregate' ? [one.signatures.length] : []))
  }
  certificates(phase: 'prepare' | 'commit') {
    return this.effects.flatMap((one) =>
      one.type === 'broadcast' && one.message.kind === 'certificate' && one.message.value.certificate.phase === phase
        ? [one.message.value]
        : [],
    )
  }
}

const self = order[1] ?? ''
const others = committee.keys.filter((key) => key !== self)

describe('votes', () => {
  it('are counted when the proposal arrives if they arrived before it', () => {
    const member = new Member(self)
    for (const key of others) member.receive(key, voteOf(key))
    expect(member.aggregated).toEqual([])
    member.receive(block.proposer, block.proposal)
    expect(member.certificates('prepare')).toHaveLength(1)
  })

  it('are aggregated once, including duplicates and own votes', () => {
    const member = new Member(self)
    member.receive(block.proposer, block.proposal)
    const [first = '', second = ''] = others
    for (let times = 0; times < 5; times += 1) member.receive(first, voteOf(first))
    // Ours and one other: five copies make no quorum.
    expect(member.aggregated).toEqual([])
    member.receive(second, voteOf(second))
    expect(member.aggregated).toEqual([committee.quorum])
  })

  it('have no effect with the index of another member or of no member', () => {
    const member = new Member(self)
    member.receive(block.proposer, block.proposal)
    const [first = '', second = ''] = others
    const vote = voteOf(first)
    for (const index of [4, 1_000_000, 0xffff_ffff, committee.indexOf.get(second) ?? 0]) {
      member.receive(first, { kind: 'vote', value: { ...vote.value, index } } as ConsensusMessage)
      member.receive(first, { kind: 'timeout', value: { ...timeoutOf(first, 0).value, index } } as ConsensusMessage)
    }
    expect([...member.state.votes.values()].map((set) => set.signatures.size)).toEqual([1])
    expect(member.state.timeouts.size).toBe(0)
  })
})

describe('timeouts', () => {
  it('are never aggregated with timeouts of another height', () => {
    const member = new Member(self)
    for (const key of others) member.receive(key, timeoutOf(key, 0, context.height + 1))
    expect(member.state.view).toBe(0)
    expect(member.state.timeouts.size).toBe(0)
  })

  const groupOf = (positions: readonly number[], certificateView = 0) => ({
    certificateView,
    reason: 'noProposal' as const,
    bitmap: bitmapOf(4, positions),
  })
  const certificate = (groups: TimeoutCertificate['groups']): TimeoutCertificate => ({
    height: context.height,
    view: 3,
    highPrepare: undefined,
    groups,
    aggregate: Buffer.alloc(96),
  })
  it.each<[string, TimeoutCertificate['groups'], RegExp]>([
    ['a signer in two groups', [groupOf([0, 1]), { ...groupOf([1, 2]), reason: 'prepareStall' }], /is in two groups/],
    ['too few signers', [groupOf([0, 1])], /2 signers, quorum is 3/],
    [
      'a named certificate that it does not contain',
      [groupOf([0, 1]), groupOf([2], 2)],
      /not the highest that a signer named/,
    ],
    ['a bitmap of another committee', [{ ...groupOf([0, 1, 2]), bitmap: Buffer.of(0xff) }], /malformed bitmap/],
  ])('are refused in a certificate with %s', (_, groups, fault) => {
    const checked = checkTimeoutCertificate(certificate(groups), committee, domain)
    expect('fault' in checked ? checked.fault : 'accepted').toMatch(fault)
  })

  it('grow with failed views up to half a minute', () => {
    const pacemaker = newPacemaker(DEFAULT_CONSENSUS_PARAMETERS)
    const all = Array.from({ length: 200 }, (_, view) => viewTimeoutMs(pacemaker, DEFAULT_CONSENSUS_PARAMETERS, view))
    expect(Math.max(...all)).toBeLessThanOrEqual(30_000)
    for (const [view, ms] of all.entries()) if (view > 0) expect(ms).toBeGreaterThanOrEqual(all[view - 1] ?? 0)
    expect(all[1]).toBeGreaterThan(all[0] ?? 0)
  })
})

describe('after a restart', () => {
  it('a proposer resends its earlier proposal, not another one', () => {
    const value = { ...block.proposal.value } as Extract<ConsensusMessage, { kind: 'proposal' }>['value']
    const record = { kind: 'proposed' as const, value: { height: context.height, proposal: value, body: block.body } }
    const back = new Member(block.proposer, recoverState(block.proposer, context, [record], 0))
    back.start()
    const sent = back.effects.flatMap((one) =>
      one.type === 'broadcast' && one.message.kind === 'proposal' ? [hashOfHeader(one.message.value.header)] : [],
    )
    expect(sent.map((one) => Buffer.from(one).toString('hex'))).toEqual([block.blockHash.toString('hex')])
    expect(back.effects.some((one) => one.type === 'build')).toBe(false)
  })

  // A torn append keeps the proposal and loses the prepare vote that was written with it.
  it('a proposer whose prepare vote was lost votes for its own proposal', () => {
    const record = { kind: 'proposed' as const, value: { height: context.height, proposal: block.proposal.value } }
    const back = new Member(block.proposer, recoverState(block.proposer, context, [record], 0))
    back.start()
    const persisted = back.effects.flatMap((one) =>
      one.type === 'persist' ? one.records.map((each) => each.kind) : [],
    )
    expect(persisted).toEqual(['prepared'])
    for (const key of committee.keys.filter((one) => one !== block.proposer).slice(0, committee.quorum - 1))
      back.receive(key, voteOf(key))
    expect(back.certificates('prepare')).toHaveLength(1)
  })
})

describe('committees', () => {
  it('are the largest 3f + 1 of a roster, so that two quorums share a correct member', () => {
    for (let n = 4; n <= 31; n += 1) {
      const roster = sortRoster(Array.from({ length: n }, (_, index) => fakeKey(index)))
      const faults = Math.floor((n - 1) / 3)
      const found = committeeOf(9, roster.slice(0, 3 * faults + 1))
      expect([found.keys.length, found.faults, found.quorum]).toEqual([3 * faults + 1, faults, 2 * faults + 1])
      expect(2 * found.quorum - found.keys.length).toBeGreaterThan(faults)
    }
  })
})
