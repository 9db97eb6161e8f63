/** Hostile inputs of peers to the state machine, and effects that they must not have (docs/concepts/withstands.md). */
import { describe, expect, it } from 'vitest'
import { type ConsensusMessage, domainOf, isSyncing, timeoutSignBytes } from '../../../src/consensus/index.js'
import { CHECKS_PER_PEER_MAX } from '../../../src/consensus/limits.js'
import { BODY_MAX_BYTES, type CertifiedHeader, type ValidatorKey } from '../../../src/model/index.js'
import { fakeSign } from '../../../src/simulation/signatures.js'
import { Bench } from './rbc/bench.js'

const JUNK = Buffer.alloc(96, 7)
const forged = (true_: CertifiedHeader): CertifiedHeader => ({
  ...true_,
  certificate: { ...true_.certificate, aggregate: JUNK },
})
const peer = (bench: Bench, at: number): ValidatorKey => bench.others[at] ?? ''
const refusals = (bench: Bench): string[] =>
  bench
    .take('report')
    .flatMap(({ report }) => (report.kind === 'dropped' && report.reason === 'fault' ? [report.why] : []))

describe('a forged copy of a certificate', () => {
  const certificate = (value: CertifiedHeader): ConsensusMessage => ({ kind: 'certificate', value })

  it('does not block the valid certificate, which is checked as soon as the forged copy fails', () => {
    const bench = new Bench({ verifiesByHand: true })
    const commit = bench.certified(bench.block(), 'commit')
    bench.receive(peer(bench, 0), certificate(forged(commit)))
    bench.receive(peer(bench, 1), certificate(commit))
    expect(bench.state.decided).toBeUndefined()
    bench.verifyAll()
    bench.verifyAll()
    expect(bench.state.decided).toEqual(commit)
  })

  it('costs one check if many peers send the same bytes', () => {
    const bench = new Bench({ verifiesByHand: true })
    const commit = bench.certified(bench.block(), 'commit')
    for (const from of bench.others) bench.receive(from, certificate(commit))
    expect(bench.take('verify').length).toBe(1)
  })

  it('is remembered once per sender, whatever it sends', () => {
    const bench = new Bench({ verifiesByHand: true })
    const commit = bench.certified(bench.block(), 'commit')
    bench.receive(peer(bench, 0), certificate(forged(commit)))
    for (let nonce = 0; nonce < 100; nonce++) {
      const aggregate = Buffer.alloc(96, nonce + 10)
      bench.receive(peer(bench, 1), certificate({ ...commit, certificate: { ...commit.certificate, aggregate } }))
    }
    expect([...bench.state.certificatesWaiting.values()].map((waiting) => waiting.size)).toEqual([1])
  })
})

describe('signature checks for a peer', () => {
  const garbage = (bench: Bench): ConsensusMessage => ({
    kind: 'status',
    value: {
      height: 2,
      view: 0,
      commit: undefined,
      highPrepare: forged(bench.certified(bench.block(), 'prepare')),
      entry: undefined,
    },
  })

  it('are limited to the share of the peer, and do not block checks for other peers or own signatures', () => {
    const bench = new Bench({ verifiesByHand: true })
    for (let copy = 0; copy < 100; copy++) bench.receive(peer(bench, 0), garbage(bench))
    expect(bench.take('verify').length).toBe(CHECKS_PER_PEER_MAX)
    bench.receive(peer(bench, 1), garbage(bench))
    expect(bench.take('verify').length).toBe(1)
    const { state } = bench
    state.active = true
    bench.input({ type: 'timer', name: 'view', height: 2, view: 0 })
    expect(state.timedOut?.view).toBe(0)
  })

  it('report every invalid signature, so that the link can be closed', () => {
    const bench = new Bench()
    for (let copy = 0; copy < 8; copy++) bench.receive(peer(bench, 0), garbage(bench))
    const bad = bench.take('report').filter(({ report }) => report.kind === 'badSignature')
    expect(bad.map(({ report }) => report.kind === 'badSignature' && report.peer)).toEqual(
      Array(8).fill(peer(bench, 0)),
    )
  })
})

describe('an accusation by a forged message', () => {
  const blamed = (bench: Bench): (string | undefined)[] => bench.take('reportEquivocation').map(({ from }) => from)

  it('is a fault of the peer that sent the certificate, at the current and the previous height', () => {
    const bench = new Bench()
    const [honest, byzantine] = [peer(bench, 0), peer(bench, 1)]
    const commit = bench.certified(bench.block(), 'commit')
    bench.receive(honest, { kind: 'certificate', value: commit })
    const other: ConsensusMessage = { kind: 'certificate', value: forged(bench.certified(bench.block(2), 'commit')) }
    bench.receive(byzantine, other)
    expect(blamed(bench)).toEqual([byzantine, byzantine, byzantine])
    const { context } = bench.state
    const parent = { originView: 0, committee: context.committee, domain: domainOf(context) }
    const next = { ...context, height: 3, parentCertificate: commit.certificate, parent }
    bench.input({ type: 'committed', next, self: bench.self })
    bench.receive(byzantine, other)
    expect(blamed(bench)).toEqual([byzantine, byzantine, byzantine])
  })

  it('is not made if the committee cannot have made the certificate', () => {
    const bench = new Bench()
    bench.receive(peer(bench, 0), { kind: 'certificate', value: bench.certified(bench.block(), 'commit') })
    bench.receive(peer(bench, 1), { kind: 'certificate', value: bench.certified(bench.block(2), 'commit', [0, 1]) })
    expect(blamed(bench)).toEqual([])
  })

  it('is a fault of the member that sent the timeout, once per timeout', () => {
    const bench = new Bench()
    const byzantine = peer(bench, 0)
    const timeout = bench.timeout(byzantine, 0)
    bench.receive(byzantine, { kind: 'timeout', value: timeout })
    const other = { ...timeout, reason: 'commitStall', signature: JUNK } as const
    for (let copy = 0; copy < 8; copy++) bench.receive(byzantine, { kind: 'timeout', value: other })
    expect(blamed(bench)).toEqual(Array(8).fill(byzantine))
  })

  it('is a fault of the member that sent the commit vote', () => {
    const bench = new Bench()
    const byzantine = peer(bench, 0)
    bench.receive(byzantine, { kind: 'timeout', value: bench.timeout(byzantine, 1) })
    bench.vote(byzantine, Buffer.alloc(32, 1), 'commit', 1)
    expect(blamed(bench)).toEqual([byzantine])
  })
})

describe('an idle height', () => {
  const timeout = (bench: Bench, from: ValidatorKey): ConsensusMessage => {
    const domain = domainOf(bench.state.context)
    const index = bench.state.context.committee.indexOf.get(from) ?? -1
    const signature = fakeSign(from, timeoutSignBytes(domain, 0, 0, 'noProposal'))
    return {
      kind: 'timeout',
      value: { height: 2, view: 0, highPrepare: undefined, reason: 'noProposal', index, signature },
    }
  }
  const armed = (bench: Bench): boolean => bench.take('arm').some(({ name }) => name === 'view')

  it('starts no timer for the votes and timeouts of one member, however many', () => {
    const bench = new Bench()
    for (let nonce = 0; nonce < 5; nonce++) bench.vote(peer(bench, 0), Buffer.alloc(32, nonce))
    bench.receive(peer(bench, 0), timeout(bench, peer(bench, 0)))
    expect(armed(bench)).toBe(false)
  })

  it('starts a timer as soon as f + 1 members work on it', () => {
    const bench = new Bench()
    bench.vote(peer(bench, 0), Buffer.alloc(32, 1))
    bench.receive(peer(bench, 1), timeout(bench, peer(bench, 1)))
    expect(armed(bench)).toBe(true)
  })

  it('starts a timer for a proposal signed by its proposer', () => {
    const bench = new Bench()
    bench.receive(bench.proposer, bench.proposal(bench.block()))
    expect(armed(bench)).toBe(true)
  })
})

describe('a proposal', () => {
  it('is refused before anything is stored if its payload is oversized', () => {
    const bench = new Bench()
    const block = bench.block()
    const large = { ...block, header: { ...block.header, payloadBytes: BODY_MAX_BYTES + 1 } }
    bench.receive(bench.proposer, bench.proposal(large))
    expect(refusals(bench)).toEqual([`a payload of ${BODY_MAX_BYTES + 1} bytes`])
    expect([bench.state.candidates.size, bench.state.rbc.sessions.size]).toEqual([0, 0])
  })

  it('is refused if its digests do not match its payload, so that no chunk exceeds the limit', () => {
    const bench = new Bench()
    const block = bench.block()
    const large = { ...block, header: { ...block.header, payloadBytes: 2 * 1024 * 1024 } }
    bench.receive(bench.proposer, bench.proposal(large, { digests: [Buffer.alloc(32)] }))
    expect(refusals(bench)).toEqual(['chunks of 2097152 bytes, at most 1048576 are allowed'])
    expect(bench.state.rbc.sessions.size).toBe(0)
  })
})

describe('a block refused before it was decided', () => {
  it('is executed again and committed if its certificate is valid', () => {
    const bench = new Bench()
    const block = bench.block()
    bench.receive(bench.proposer, bench.proposal(block))
    bench.payload(bench.proposer, block, block.body)
    expect(bench.take('execute').map(({ certified }) => certified)).toEqual([false])
    const refused = { ok: false, reason: 'validationReject', detail: 'by another library' } as const
    bench.answerExecution(block, refused)
    bench.receive(peer(bench, 0), { kind: 'certificate', value: bench.certified(block, 'commit') })
    expect(bench.take('execute').map(({ certified }) => certified)).toEqual([true])
    expect(bench.take('halt')).toEqual([])
    bench.approve(block)
    expect(bench.take('commit').length).toBe(1)
  })

  it('halts the node if it is refused again', () => {
    const bench = new Bench()
    const block = bench.block()
    bench.receive(peer(bench, 0), { kind: 'certificate', value: bench.certified(block, 'commit') })
    bench.payload(peer(bench, 0), block, block.body)
    const refused = { ok: false, reason: 'stateMismatch', detail: 'other roots' } as const
    bench.answerExecution(block, refused)
    expect(bench.take('halt').map(({ detail }) => detail)).toEqual(['other roots'])
  })
})

describe('a claim of a height that was not reached', () => {
  it('does not mark the node as behind, is requested once, and causes a pause after an empty response', () => {
    const bench = new Bench()
    const from = peer(bench, 0)
    bench.status(from, 2 ** 50)
    expect(bench.sent('syncRequest').length).toBe(1)
    expect(isSyncing(bench.state.sync, bench.state.context)).toBe(false)
    bench.receive(from, { kind: 'syncResponse', value: { blocks: [] } })
    bench.nowMs += 1_500
    bench.status(from, 2 ** 50)
    expect(bench.sent('syncRequest')).toEqual([])
    expect(isSyncing(bench.state.sync, bench.state.context)).toBe(false)
  })

  it('counts if f + 1 members make it, since one of them is correct', () => {
    const bench = new Bench()
    for (const at of [0, 1]) bench.status(peer(bench, at), 100)
    expect(isSyncing(bench.state.sync, bench.state.context)).toBe(true)
  })
})
