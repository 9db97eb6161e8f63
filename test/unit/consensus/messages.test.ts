/** Messages of others that a member accepts, keeps or responds to: of its height, of earlier and of later ones. */
import { describe, expect, it } from 'vitest'
import {
  type ConsensusMessage,
  DEFAULT_PAYLOAD_LIMITS,
  domainOf,
  timeoutSignBytes,
} from '../../../src/consensus/index.js'
import { BUFFERED_PER_MEMBER, CHECKS_PER_PEER_MAX, STATUS_INTERVAL_MS } from '../../../src/consensus/limits.js'
import { checkParentCertificate, embeddedCertificateHash } from '../../../src/consensus/parent-certificate.js'
import type { CertifiedHeader, TimeoutCertificate, ValidatorKey } from '../../../src/model/index.js'
import { fakeSign } from '../../../src/simulation/signatures.js'
import { Bench, type Block } from './rbc/bench.js'

const peer = (bench: Bench, at: number): ValidatorKey => bench.others[at] ?? ''
const certificate = (value: CertifiedHeader): ConsensusMessage => ({ kind: 'certificate', value })
const entry = (value: TimeoutCertificate): ConsensusMessage => ({ kind: 'timeoutCertificate', value })
interface Standing {
  readonly view?: number
  readonly commit?: CertifiedHeader
  readonly highPrepare?: CertifiedHeader
  readonly entry?: TimeoutCertificate
}
const status = ({ view = 0, commit, highPrepare, entry: by }: Standing): ConsensusMessage => ({
  kind: 'status',
  value: { height: 2, view, commit, highPrepare, entry: by },
})
const refusals = (bench: Bench): string[] =>
  bench
    .take('report')
    .flatMap(({ report }) => (report.kind === 'dropped' && report.reason === 'fault' ? [report.why] : []))
const accused = (bench: Bench): (readonly [number, string])[] =>
  bench.take('reportEquivocation').map(({ evidence }) => [evidence.index, evidence.proof.kind])

/** A proposal of height 3 by one who decided height 2 by this certificate. */
function nextProposal(bench: Bench, commit: CertifiedHeader): ConsensusMessage {
  const message = bench.proposal(bench.block())
  if (message.kind !== 'proposal') throw new Error('unreachable')
  const justification = { kind: 'commit' as const, value: commit.certificate }
  return { kind: 'proposal', value: { ...message.value, height: 3, justification } }
}

describe('a Status', () => {
  it('updates the height of a peer by either certificate', () => {
    const block = new Bench().block()
    const carried = (make: (bench: Bench) => Standing): Bench => {
      const bench = new Bench()
      bench.receive(peer(bench, 0), status(make(bench)))
      return bench
    }
    expect(carried((one) => ({ commit: one.certified(block, 'commit') })).state.decided).toBeDefined()
    expect(carried((one) => ({ highPrepare: one.certified(block, 'prepare') })).state.highPrepare).toBeDefined()
    expect(carried((one) => ({ entry: one.timeoutCertificate(3) })).state.view).toBe(4)
  })

  it('is answered if the peer is behind in its view, its certificate, or the decision', () => {
    const bench = new Bench()
    const answers = (standing: Standing): number => {
      bench.nowMs += STATUS_INTERVAL_MS
      bench.receive(peer(bench, 0), status(standing))
      return bench.sent('status').length
    }
    expect(answers({})).toBe(0)
    bench.receive(peer(bench, 1), entry(bench.timeoutCertificate(0)))
    expect([answers({ view: 0 }), answers({ view: 1 }), answers({ view: 2 })]).toEqual([1, 0, 0])
    const prepare = bench.certified(bench.block(), 'prepare', [0, 1, 2], 1)
    bench.receive(peer(bench, 1), certificate(prepare))
    expect([answers({ view: 1 }), answers({ view: 1, highPrepare: prepare })]).toEqual([1, 0])
    const commit = bench.certified(bench.block(), 'commit', [0, 1, 2], 1)
    bench.receive(peer(bench, 1), certificate(commit))
    const full = { view: 1, highPrepare: prepare }
    expect([answers(full), answers({ ...full, commit })]).toEqual([1, 0])
  })

  it('is refused if its certificate is malformed', () => {
    const bench = new Bench()
    const commit = bench.certified(bench.block(), 'commit', [0, 1])
    bench.receive(peer(bench, 0), status({ commit }))
    const wrongPhase = bench.certified(bench.block(), 'prepare')
    bench.receive(peer(bench, 0), status({ commit: wrongPhase }))
    const { groups, ...rest } = bench.timeoutCertificate(0)
    const lonely = groups.map((group) => ({ ...group, bitmap: Buffer.of(1) }))
    bench.receive(peer(bench, 0), status({ entry: { ...rest, groups: lonely } }))
    expect(refusals(bench)).toEqual([
      'commit certificate: 2 signers, quorum is 3',
      'commit certificate of another phase',
      'timeout certificate: 1 signers, quorum is 3',
    ])
  })
})

describe('a message of the next height', () => {
  it('decides the current height if it is a proposal with the parent certificate of a known block', () => {
    const bench = new Bench()
    const block = bench.block()
    bench.receive(bench.proposer, bench.proposal(block))
    const commit = bench.certified(block, 'commit')
    bench.receive(bench.proposer, nextProposal(bench, commit))
    expect(bench.state.decided).toEqual(commit)
  })

  it('requests the blocks of its sender if it is a proposal over an unknown block', () => {
    const bench = new Bench()
    bench.receive(bench.proposer, nextProposal(bench, bench.certified(bench.block(), 'commit')))
    expect(bench.state.decided).toBeUndefined()
    expect(bench.sent('status').map(({ to }) => to)).toEqual([bench.proposer])
  })

  it('has no effect if it is a proposal without a parent certificate', () => {
    const bench = new Bench()
    const message = bench.proposal(bench.block())
    if (message.kind !== 'proposal') throw new Error('unreachable')
    bench.receive(bench.proposer, { kind: 'proposal', value: { ...message.value, height: 3 } })
    expect([bench.state.decided, bench.sent('status')]).toEqual([undefined, []])
  })

  it('is answered with our height if it is a timeout, but not if it is a vote', () => {
    const bench = new Bench()
    const vote = { phase: 'prepare', height: 3, view: 0, blockHash: Buffer.alloc(32, 1), index: 0 } as const
    const signature = Buffer.alloc(96)
    bench.receive(peer(bench, 0), { kind: 'vote', value: { ...vote, signature } })
    expect(bench.sent('status')).toEqual([])
    bench.receive(peer(bench, 1), { kind: 'timeout', value: bench.timeout(peer(bench, 1), 0, undefined, 3) })
    expect(bench.sent('status').map(({ to }) => to)).toEqual([peer(bench, 1)])
  })

  it('is kept until its height is reached, and messages of later heights stay kept', () => {
    const bench = new Bench()
    const block = bench.block()
    const timeouts = [3, 5].map((height) => bench.timeout(peer(bench, 0), 0, undefined, height))
    for (const value of timeouts) bench.receive(peer(bench, 0), { kind: 'timeout', value })
    const commit = bench.certified(block, 'commit')
    bench.receive(peer(bench, 0), certificate(commit))
    bench.sent('status')
    const { context } = bench.state
    bench.input({ type: 'committed', next: { ...context, height: 3 }, self: bench.self })
    expect(bench.state.buffered.map(({ message }) => message.value)).toEqual([timeouts[1]])
  })
})

describe('a message without effect', () => {
  const reasons = (bench: Bench): string[] =>
    bench
      .take('report')
      .flatMap(({ report }) => (report.kind === 'dropped' ? [`${report.message} ${report.reason}`] : []))

  it('is reported with the reason of its metric', () => {
    const bench = new Bench()
    const commit = bench.certified(bench.block(), 'commit')
    const { context } = bench.state
    bench.receive(peer(bench, 0), { kind: 'timeout', value: bench.timeout(peer(bench, 1), 0) })
    expect(reasons(bench)).toEqual(['timeout fault'])
    bench.receive(peer(bench, 0), certificate(commit))
    expect(reasons(bench)).toEqual([])
    bench.receive(peer(bench, 1), certificate(commit))
    expect(reasons(bench)).toEqual(['certificate known'])
    bench.input({ type: 'committed', next: { ...context, height: 3 }, self: bench.self })
    bench.receive(peer(bench, 1), certificate(commit))
    expect(reasons(bench)).toEqual(['certificate past'])
    for (let view = 0; view <= 2 * BUFFERED_PER_MEMBER; view += 1) {
      const value = bench.timeout(peer(bench, 0), view, undefined, 4)
      bench.receive(peer(bench, 0), { kind: 'timeout', value })
    }
    expect(reasons(bench)).toEqual(['timeout replaced'])
  })
})

describe('a message of an earlier view', () => {
  it('is answered with our view if it is a proposal or a timeout', () => {
    const bench = new Bench()
    const block = bench.block()
    bench.receive(peer(bench, 0), entry(bench.timeoutCertificate(0)))
    bench.receive(bench.proposer, bench.proposal(block))
    expect(bench.sent('status').map(({ to }) => to)).toEqual([bench.proposer])
    expect(bench.state.candidates.size).toBe(0)
    for (const [at, view] of [
      [0, 0],
      [1, 1],
    ] as const) {
      bench.receive(peer(bench, at), { kind: 'timeout', value: bench.timeout(peer(bench, at), view) })
    }
    expect(bench.sent('status').map(({ to }) => to)).toEqual([peer(bench, 0)])
  })
})

describe('a certificate', () => {
  it('replaces the certificate of an earlier view', () => {
    const bench = new Bench()
    const block = bench.block()
    const [first, second] = [0, 1].map((view) => bench.certified(block, 'prepare', [0, 1, 2], view)) as [
      CertifiedHeader,
      CertifiedHeader,
    ]
    bench.receive(peer(bench, 0), certificate(first))
    bench.receive(peer(bench, 0), certificate(second))
    expect(bench.state.highPrepare).toEqual(second)
    bench.receive(peer(bench, 1), certificate(first))
    expect(bench.state.highPrepare).toEqual(second)
  })

  it('is verified once, even if other messages contain it', () => {
    const bench = new Bench({ verifiesByHand: true })
    const prepare = bench.certified(bench.block(), 'prepare')
    bench.receive(peer(bench, 0), certificate(prepare))
    bench.verifyAll()
    bench.receive(peer(bench, 1), status({ highPrepare: prepare }))
    expect(bench.take('verify')).toEqual([])
    // Of the timeout that names it only its own signature is left.
    bench.receive(peer(bench, 1), { kind: 'timeout', value: bench.timeout(peer(bench, 1), 0, prepare) })
    expect(bench.take('verify').map(({ checks }) => checks.length)).toEqual([1])
    const unknown = new Bench({ verifiesByHand: true })
    unknown.receive(peer(unknown, 1), { kind: 'timeout', value: unknown.timeout(peer(unknown, 1), 0, prepare) })
    expect(unknown.take('verify').map(({ checks }) => checks.length)).toEqual([2])
  })

  it('from a peer with an exhausted share of checks does not delay a copy from another peer', () => {
    const bench = new Bench({ verifiesByHand: true })
    const block = bench.block()
    const forged = { ...bench.certified(block, 'prepare'), header: block.header }
    const garbage = { ...forged, certificate: { ...forged.certificate, aggregate: Buffer.alloc(96, 7) } }
    for (let copy = 0; copy < CHECKS_PER_PEER_MAX; copy++) {
      bench.receive(peer(bench, 0), status({ highPrepare: garbage }))
    }
    bench.take('verify')
    const commit = bench.certified(block, 'commit')
    bench.receive(peer(bench, 0), certificate(commit))
    bench.receive(peer(bench, 1), certificate(commit))
    bench.verifyAll()
    expect(bench.state.decided).toEqual(commit)
  })
})

describe('a contradiction', () => {
  it('is not reported if a member repeats a message', () => {
    const bench = new Bench()
    const from = peer(bench, 0)
    for (let times = 0; times < 2; times++) {
      bench.receive(from, { kind: 'timeout', value: bench.timeout(from, 0) })
      bench.vote(from, Buffer.alloc(32, 1))
    }
    const commit = bench.certified(bench.block(), 'commit')
    bench.receive(from, certificate(commit))
    bench.receive(from, certificate(bench.certified(bench.block(), 'commit', [1, 2, 3])))
    bench.receive(from, certificate(bench.certified(bench.block(), 'commit', [1, 2, 3], 1)))
    expect(accused(bench)).toEqual([])
  })

  it('between two timeouts of one view accuses their sender, in any order', () => {
    const pairs = [0, 1].map((first) => {
      const bench = new Bench()
      const from = peer(bench, 0)
      const one = bench.timeout(from, 0)
      const signature = fakeSign(from, timeoutSignBytes(domainOf(bench.state.context), 0, 0, 'commitStall'))
      const both = [one, { ...one, reason: 'commitStall' as const, signature }]
      for (const value of first === 0 ? both : both.toReversed()) bench.receive(from, { kind: 'timeout', value })
      return bench.take('reportEquivocation').map(({ evidence }) => evidence.proof.value)
    })
    expect(pairs[0]).toHaveLength(1)
    expect(pairs[0]).toEqual(pairs[1])
  })

  it('between two commit certificates accuses the members that signed both', () => {
    const bench = new Bench()
    bench.receive(peer(bench, 0), certificate(bench.certified(bench.block(), 'commit', [0, 1, 2])))
    bench.receive(peer(bench, 1), certificate(bench.certified(bench.block(2), 'commit', [1, 2, 3])))
    expect(accused(bench)).toEqual([
      [1, 'conflictingCommits'],
      [2, 'conflictingCommits'],
    ])
  })

  it('between a commit vote and a later timeout without its certificate accuses their sender, in any order', () => {
    for (const isVoteFirst of [true, false]) {
      const bench = new Bench()
      const from = peer(bench, 0)
      const index = bench.state.context.committee.indexOf.get(from)
      const inputs = [
        () => bench.vote(from, Buffer.alloc(32, 1), 'commit', 1),
        () => bench.receive(from, { kind: 'timeout', value: bench.timeout(from, 1) }),
      ]
      for (const send of isVoteFirst ? inputs : inputs.toReversed()) send()
      expect(accused(bench)).toEqual([[index, 'lockAmnesia']])
    }
  })
})

describe('a missing payload', () => {
  it('is requested from the signers of its certificate, and each node starts with a different signer', () => {
    for (const place of [0, 1, 2, 3]) {
      const bench = new Bench({ place, limits: DEFAULT_PAYLOAD_LIMITS })
      const { keys, indexOf } = bench.state.context.committee
      const index = indexOf.get(bench.self) ?? -1
      bench.receive(keys[(index + 1) % 4] ?? '', certificate(bench.certified(bench.block(), 'prepare', [0, 1, 2, 3])))
      const inOrder = [0, 1, 2, 3].map((step) => keys[(index + step) % 4])
      expect(bench.sent('payloadRequest').map(({ to }) => to)).toEqual(inOrder.slice(1, 2))
    }
  })
})

describe('a proposal', () => {
  it('is not a candidate if its signatures are verified after the end of its view', () => {
    const bench = new Bench({ verifiesByHand: true })
    bench.receive(bench.proposer, bench.proposal(bench.block()))
    const asked = bench.take('verify')
    bench.receive(peer(bench, 0), entry(bench.timeoutCertificate(0)))
    bench.verifyAll()
    for (const { job } of asked) bench.input({ type: 'verified', job, ok: true })
    expect([bench.state.view, bench.state.candidates.size]).toEqual([1, 0])
  })

  it('is not executed if its view has timed out', () => {
    const bench = new Bench({ place: 0 })
    bench.receive(peer(bench, 0), entry(bench.timeoutCertificate(0)))
    bench.fire('view', 10_000)
    expect(bench.state.timedOut?.view).toBe(1)
    bench.receive(bench.order[1] ?? '', bench.proposalOf(1, bench.block(1, 1), bench.timeoutCertificate(0)))
    expect([bench.state.candidates.size, bench.state.current]).toEqual([1, undefined])
  })

  it('announces the broadcast of its payload only if its proposer sends it', () => {
    const bench = new Bench()
    const block = bench.block()
    const init = bench.init(block)
    const digests = init.kind === 'rbcInit' ? init.value.digests : []
    bench.receive(peer(bench, 0), bench.proposal(block, { digests }))
    expect([bench.state.rbc.sessions.size, refusals(bench)]).toEqual([0, []])
    bench.receive(bench.proposer, bench.proposal(block, { digests }))
    expect(bench.state.rbc.sessions.size).toBe(1)
  })
})

describe('a proposer', () => {
  /** The proposer of view 0 with a block that is built. */
  function builder(): { readonly bench: Bench; readonly block: Block } {
    const bench = new Bench({ place: 0, limits: DEFAULT_PAYLOAD_LIMITS })
    return { bench, block: bench.block() }
  }

  it('waits until a block time has passed since the last one, unless the queue fills a block', () => {
    const { bench } = builder()
    bench.input({ type: 'work', pending: true, full: false })
    const { blockTimeMs } = bench.state.context.parameters
    expect(bench.take('build')).toEqual([])
    const due = bench.take('arm').filter(({ name }) => name === 'propose')
    expect(due.map(({ delayMs }) => delayMs)).toEqual([blockTimeMs])
    bench.nowMs += blockTimeMs
    bench.input({ type: 'timer', name: 'propose', height: 2, view: 0 })
    expect(bench.take('build').map(({ view, allowEmpty }) => [view, allowEmpty])).toEqual([[0, false]])
    const full = builder().bench
    full.input({ type: 'work', pending: true, full: true })
    expect(full.take('build')).toHaveLength(1)
  })

  it('persists its vote with a proposal for an executed block, but not for a block that is only known', () => {
    const { bench, block } = builder()
    bench.input({ type: 'work', pending: true, full: true })
    bench.built(block)
    const kinds = bench.take('persist').map(({ records }) => records.map(({ kind }) => kind))
    expect(kinds).toEqual([['proposed', 'prepared']])

    // The proposer of view 1 knows by a certificate what it has to propose.
    const other = new Bench({ place: 1, limits: DEFAULT_PAYLOAD_LIMITS })
    const certified = other.certified(block, 'prepare')
    other.receive(other.others[0] ?? '', certificate(certified))
    other.payload(other.proposer, block, block.body)
    const [first = '', ...rest] = other.state.context.committee.keys.filter((key) => key !== other.self)
    other.receive(first, { kind: 'timeout', value: other.timeout(first, 0, certified) })
    for (const key of rest) other.receive(key, { kind: 'timeout', value: other.timeout(key, 0) })
    other.settle()
    expect(other.sent('proposal').map(({ value }) => [value.view, value.header])).toEqual([[1, block.header]])
    expect(other.state.prepared).toBeUndefined()
    other.approve(block)
    expect(other.state.prepared?.view).toBe(1)
  })
})

describe('votes of a large committee', () => {
  it('go to all members if the collectors are silent for a fifth of the view', () => {
    for (const members of [4, 10]) {
      const bench = new Bench({ members, limits: DEFAULT_PAYLOAD_LIMITS })
      bench.input({ type: 'work', pending: true, full: false })
      const [view] = bench.take('arm').filter(({ name }) => name === 'view')
      const block = bench.block()
      bench.receive(bench.proposer, bench.proposal(block))
      bench.payload(bench.proposer, block, block.body)
      bench.approve(block)
      bench.settle()
      expect(bench.state.prepared).toBeDefined()
      const fallback = bench.take('arm').filter(({ name }) => name === 'fallback')
      const delays = members === 4 ? [] : [Math.round((view?.delayMs ?? 0) / 5)]
      expect(fallback.map(({ delayMs }) => delayMs)).toEqual(delays)
      expect(bench.sent('vote').map(({ to }) => to)).not.toContain(bench.self)
    }
  })
})

describe('a decision', () => {
  it('is stored on disk while its block is not executed locally, and causes no write afterwards', () => {
    const decided = (isExecuted: boolean): string[] => {
      const bench = new Bench({ limits: DEFAULT_PAYLOAD_LIMITS })
      const block = bench.block()
      bench.receive(bench.proposer, bench.proposal(block))
      bench.payload(bench.proposer, block, block.body)
      if (isExecuted) bench.approve(block)
      bench.take('persist')
      bench.receive(peer(bench, 0), certificate(bench.certified(block, 'commit')))
      return bench.take('persist').flatMap(({ records }) => records.map(({ kind }) => kind))
    }
    expect([decided(false), decided(true)]).toEqual([['decided'], []])
  })
})

describe('votes with an invalid aggregate', () => {
  it('are reported with the members that sent them, and no longer count', () => {
    const bench = new Bench()
    const block = bench.block()
    bench.receive(bench.proposer, bench.proposal(block))
    for (const key of [bench.proposer, ...bench.others]) bench.vote(key, block.hash)
    const [asked] = bench.take('aggregate')
    bench.take('report')
    bench.input({ type: 'aggregated', job: asked?.job ?? -1, aggregate: undefined, bad: [1] })
    const { committee } = bench.state.context
    const bad = committee.keys.filter((key) => key !== bench.self)[1]
    expect(bench.take('report').map(({ report }) => report)).toEqual([
      { kind: 'badSignature', peer: bad, what: 'prepare' },
    ])
    expect([...bench.state.votes.values()].map(({ signatures }) => signatures.size)).toEqual([2])
  })
})

describe('the phases of a height', () => {
  it('are reported in order, each with its duration', () => {
    const bench = new Bench({ limits: DEFAULT_PAYLOAD_LIMITS })
    const block = bench.block()
    bench.nowMs = 1_000
    bench.receive(bench.proposer, bench.proposal(block))
    bench.nowMs += 7
    bench.payload(bench.proposer, block, block.body)
    bench.nowMs += 5
    bench.approve(block)
    bench.nowMs += 3
    bench.receive(peer(bench, 0), certificate(bench.certified(block, 'prepare')))
    bench.nowMs += 2
    bench.receive(peer(bench, 0), certificate(bench.certified(block, 'commit')))
    bench.nowMs += 11
    bench.input({ type: 'committed', next: { ...bench.state.context, height: 3 }, self: bench.self })
    const reports = bench
      .take('report')
      .flatMap(({ report }) => (report.kind === 'phase' ? [[report.phase, report.elapsedMs]] : []))
    expect(reports).toEqual([
      ['propose', 0],
      ['payload', 7],
      ['execute', 5],
      ['prepare', 3],
      ['commit', 2],
      ['apply', 11],
    ])
  })
})

describe('the embedded certificate of a parent', () => {
  it('must not be from a view earlier than the origin view of the parent', () => {
    const bench = new Bench()
    const { context } = bench.state
    const { header, certificate: commit } = bench.certified(bench.block(1, 1), 'commit', [0, 1, 2], 1)
    const record = { originView: header.originView, committee: context.committee, domain: domainOf(context) }
    const checked = (view: number) => {
      const embedded = { ...commit, view }
      const claim = {
        height: 3,
        parentHash: commit.blockHash,
        parentCertificateHash: embeddedCertificateHash(embedded),
      }
      return checkParentCertificate(claim, embedded, record)
    }
    expect(checked(0)).toEqual({ fault: 'the embedded certificate is of a view before the parent was created' })
    expect([1, 2].map((view) => 'checks' in checked(view))).toEqual([true, true])
  })
})
