/** Faults proven by two signed messages, and pairs that prove none (docs/design/consensus.md 10). */
import { describe, expect, it } from 'vitest'
import {
  bitmapOf,
  committeeOf,
  faultKey,
  type ProvenFault,
  proposalSignBytes,
  type SignDomain,
  sortRoster,
  timeoutSignBytes,
  validateEvidence,
  voteSignBytes,
} from '../../../src/consensus/index.js'
import type { Evidence, EvidenceProof, Phase, QuorumCertificate } from '../../../src/model/index.js'
import { fakeAggregate, fakeKey, fakeSign, fakeVerify } from '../../../src/simulation/signatures.js'

const HEIGHT = 9
const committee = committeeOf(HEIGHT, sortRoster([0, 1, 2, 3].map((index) => fakeKey(index))))
const domain: SignDomain = { chainHash: Buffer.alloc(32, 1), committeeHash: committee.hash, epoch: 0, height: HEIGHT }
const INDEX = 2
const key = committee.keys[INDEX] ?? ''
const A = Buffer.alloc(32, 0xa)
const B = Buffer.alloc(32, 0xb)

const vote = (phase: Phase, view: number, blockHash: Uint8Array) => ({
  phase,
  view,
  blockHash,
  signature: fakeSign(key, voteSignBytes(domain, phase, view, blockHash)),
})
const proposal = (view: number, blockHash: Uint8Array) => ({
  view,
  blockHash,
  signature: fakeSign(key, proposalSignBytes(domain, view, blockHash)),
})
const timeout = (view: number, certificateView: number, reason: 'noProposal' | 'commitStall' = 'noProposal') => ({
  view,
  certificateView,
  reason,
  signature: fakeSign(key, timeoutSignBytes(domain, view, certificateView, reason)),
})
function commitOf(view: number, blockHash: Uint8Array, signers: readonly number[]): QuorumCertificate {
  const message = voteSignBytes(domain, 'commit', view, blockHash)
  return {
    phase: 'commit',
    height: HEIGHT,
    view,
    blockHash,
    committeeHash: committee.hash,
    bitmap: bitmapOf(4, signers),
    aggregate: fakeAggregate(signers.map((at) => fakeSign(committee.keys[at] ?? '', message))),
  }
}

const validate = (proof: EvidenceProof, index = INDEX, height = HEIGHT): ReturnType<typeof validateEvidence> =>
  validateEvidence({ height, index, proof } satisfies Evidence, committee, domain)
const holds = (fault: ProvenFault): boolean => fault.checks.every(fakeVerify)

const PROOFS: Record<ProvenFault['kind'], EvidenceProof> = {
  double_prepare: { kind: 'doubleVote', value: { first: vote('prepare', 1, A), second: vote('prepare', 1, B) } },
  double_commit: { kind: 'doubleVote', value: { first: vote('commit', 1, A), second: vote('commit', 1, B) } },
  double_proposal: { kind: 'doubleProposal', value: { first: proposal(1, A), second: proposal(1, B) } },
  double_timeout: { kind: 'doubleTimeout', value: { first: timeout(3, 0), second: timeout(3, 2) } },
  lock_amnesia: { kind: 'lockAmnesia', value: { commit: vote('commit', 1, A), timeout: timeout(2, 0) } },
  conflicting_commits: {
    kind: 'conflictingCommits',
    value: { first: commitOf(0, A, [0, 1, 2]), second: commitOf(1, B, [1, 2, 3]) },
  },
}

describe('evidence', () => {
  for (const [kind, proof] of Object.entries(PROOFS)) {
    it(`${kind}: proves the fault of the offender, once, if its signatures are valid`, () => {
      const fault = validate(proof)
      if ('fault' in fault) throw new Error(fault.fault)
      expect(fault).toMatchObject({ kind, offender: key, height: HEIGHT })
      expect(holds(fault)).toBe(true)
    })
    it(`${kind}: proves nothing against another member of the committee`, () => {
      const fault = validate(proof, 0)
      expect('fault' in fault || !holds(fault)).toBe(true)
    })
    it(`${kind}: is invalid in another order, so that one fault has one record`, () => {
      if (proof.kind === 'lockAmnesia') return
      const { first, second } = proof.value
      const swapped = { kind: proof.kind, value: { first: second, second: first } } as EvidenceProof
      expect(validate(swapped)).toEqual({ fault: 'the two messages are in the wrong order' })
    })
    it(`${kind}: is invalid if both messages are the same`, () => {
      if (proof.kind === 'lockAmnesia') return
      const { first } = proof.value
      expect(validate({ kind: proof.kind, value: { first, second: first } } as EvidenceProof)).toHaveProperty('fault')
    })
    it(`${kind}: proves nothing at another height or by an unknown key`, () => {
      expect(validate(proof, INDEX, HEIGHT + 1)).toEqual({ fault: "height is not the committee's" })
      expect(validate(proof, 4)).toEqual({ fault: 'no member of that committee' })
    })
  }

  it('has one key per kind, offender and height', () => {
    const keys = Object.values(PROOFS).map((proof) => {
      const fault = validate(proof)
      if ('fault' in fault) throw new Error(fault.fault)
      return faultKey(fault).toString('hex')
    })
    expect(new Set(keys).size).toBe(keys.length)
  })
})

describe('a correct member is not accused', () => {
  it('for votes for two blocks in two views', () => {
    const proof: EvidenceProof = {
      kind: 'doubleVote',
      value: { first: vote('prepare', 1, A), second: vote('prepare', 2, B) },
    }
    expect(validate(proof)).toEqual({ fault: 'votes of two views' })
  })
  it('for a prepare and a commit vote', () => {
    const proof: EvidenceProof = {
      kind: 'doubleVote',
      value: { first: vote('prepare', 1, A), second: vote('commit', 1, B) },
    }
    expect(validate(proof)).toEqual({ fault: 'votes of two phases' })
  })
  it('for a timeout with the certificate of its commit vote', () => {
    const proof: EvidenceProof = {
      kind: 'lockAmnesia',
      value: { commit: vote('commit', 1, A), timeout: timeout(2, 2) },
    }
    expect(validate(proof)).toEqual({ fault: 'the timeout names the lock' })
  })
  it('for a timeout without a certificate that it only prepared', () => {
    const proof: EvidenceProof = {
      kind: 'lockAmnesia',
      value: { commit: vote('prepare', 1, A), timeout: timeout(2, 0) },
    }
    expect(validate(proof)).toEqual({ fault: 'no commit vote' })
  })
  it('for a timeout of a view before its commit vote', () => {
    const proof: EvidenceProof = {
      kind: 'lockAmnesia',
      value: { commit: vote('commit', 2, A), timeout: timeout(1, 0) },
    }
    expect(validate(proof)).toEqual({ fault: 'the timeout is of an earlier view' })
  })
  it('for one message with two signatures, since only messages are compared', () => {
    const one = vote('prepare', 1, A)
    const proof: EvidenceProof = {
      kind: 'doubleVote',
      value: { first: one, second: { ...one, signature: Buffer.alloc(96, 7) } },
    }
    expect(validate(proof)).toEqual({ fault: 'the two messages are the same' })
  })
  it('for conflicting commits if it signed only one of them', () => {
    const value = { first: commitOf(0, A, [0, 1, 3]), second: commitOf(1, B, [1, 2, 3]) }
    expect(validate({ kind: 'conflictingCommits', value })).toEqual({
      fault: 'the member did not sign both certificates',
    })
  })
  it('for a certificate without a quorum', () => {
    const value = { first: commitOf(0, A, [1, 2]), second: commitOf(1, B, [1, 2, 3]) }
    expect(validate({ kind: 'conflictingCommits', value })).toEqual({ fault: '2 signers, quorum is 3' })
  })
})
