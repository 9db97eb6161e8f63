import { describe, expect, it } from 'vitest'
import {
  bitmapOf,
  committeeOf,
  decideSigning,
  emptyRecord,
  type KeyRecord,
  type SignIntent,
  type SignRequest,
  signedRecord,
  voteSignBytes,
  withSigned,
} from '../../../src/consensus/index.js'
import {
  type BlockHeader,
  type CertifiedHeader,
  hashOfHeader,
  UNEXECUTED,
  ZERO_HASH,
} from '../../../src/model/index.js'
import { randomOf } from '../../../src/simulation/prng.js'
import { fakeAggregate, fakeKey, fakeSign, fakeVerify } from '../../../src/simulation/signatures.js'

const CHAIN = Buffer.alloc(32, 7)
const keys = [0, 1, 2, 3].map((index) => fakeKey(index)).sort()
const [own = ''] = keys
const place = { key: own, chainHash: CHAIN }

const header = (height: number, name: number): BlockHeader => ({
  ...UNEXECUTED,
  chain: 'test',
  height,
  parentHash: ZERO_HASH,
  originView: 0,
  originProposer: own,
  timeMs: 1_000 + name,
  rosterHash: ZERO_HASH,
  committeeHash: ZERO_HASH,
  nextCommitteeHash: ZERO_HASH,
})
const domainAt = (height: number) => ({
  chainHash: CHAIN,
  committeeHash: committeeOf(height, keys).hash,
  epoch: 0,
  height,
})

/** A prepare certificate of three members over a block. */
function certified(height: number, view: number, name: number, signers = [1, 2, 3]): CertifiedHeader {
  const of = header(height, name)
  const blockHash = hashOfHeader(of)
  const message = voteSignBytes(domainAt(height), 'prepare', view, blockHash)
  return {
    header: of,
    certificate: {
      phase: 'prepare',
      height,
      view,
      blockHash,
      committeeHash: committeeOf(height, keys).hash,
      bitmap: bitmapOf(4, signers),
      aggregate: fakeAggregate(signers.map((index) => fakeSign(keys[index] ?? '', message))),
    },
  }
}

const request = (height: number, view: number, intent: SignIntent): SignRequest => ({
  chainHash: CHAIN,
  epoch: 0,
  height,
  view,
  committee: keys,
  index: 0,
  intent,
})
const prepare = (name: number, height = 5): SignIntent => ({ kind: 'prepare', value: { header: header(height, name) } })
const propose = (name: number, withPrepare = true): SignIntent => ({
  kind: 'proposal',
  value: { header: header(5, name), withPrepare },
})
const commit = (of: CertifiedHeader): SignIntent => ({ kind: 'commit', value: { certified: of } })
const timeout = (highPrepare?: CertifiedHeader, reason: 'noProposal' | 'commitStall' = 'noProposal'): SignIntent => ({
  kind: 'timeout',
  value: { highPrepare, reason },
})

/** A signer in memory: what it says, and its record. */
class Signer {
  record: KeyRecord = emptyRecord(0)

  ask(what: SignRequest): string {
    const result = decideSigning(place, this.record, what)
    if (!result.ok) return result.code
    if (!result.checks.every(fakeVerify)) return 'certificate_invalid'
    for (const { message, known, record } of result.statements) {
      if (known !== undefined) continue
      const signed = record(fakeSign(own, message))
      // Through its bytes, as a restart reads it.
      const decoded = signedRecord.decode(signedRecord.encode(signed))
      if (!decoded.ok) throw new Error(decoded.fault.message)
      this.record = withSigned(this.record, decoded.value)
    }
    return result.statements.map(({ known }) => (known === undefined ? 'signed' : 'repeated')).join()
  }
}

describe('rules of a signer', () => {
  it('signs one proposal and one vote of each phase in a view, and repeats a signature only for the same content', () => {
    const signer = new Signer()
    expect(signer.ask(request(5, 0, propose(1)))).toBe('signed,signed')
    expect(signer.ask(request(5, 0, propose(1)))).toBe('repeated,repeated')
    expect(signer.ask(request(5, 0, propose(2)))).toBe('already_signed')
    expect(signer.ask(request(5, 0, propose(2, false)))).toBe('already_signed')
    expect(signer.ask(request(5, 0, prepare(2)))).toBe('already_signed')
    expect(signer.ask(request(5, 0, commit(certified(5, 0, 1))))).toBe('signed')
    expect(signer.ask(request(5, 0, commit(certified(5, 0, 2))))).toBe('already_signed')
  })

  it('signs nothing new in a timed-out view or in any earlier view', () => {
    const signer = new Signer()
    expect(signer.ask(request(5, 3, prepare(1)))).toBe('signed')
    expect(signer.ask(request(5, 3, timeout()))).toBe('signed')
    expect(signer.ask(request(5, 3, propose(1, false)))).toBe('view_given_up')
    expect(signer.ask(request(5, 3, commit(certified(5, 3, 1))))).toBe('view_given_up')
    expect(signer.ask(request(5, 3, prepare(1)))).toBe('repeated')
    expect(signer.ask(request(5, 2, prepare(1)))).toBe('view_passed')
    expect(signer.ask(request(5, 2, timeout()))).toBe('view_passed')
    expect(signer.ask(request(5, 4, prepare(2)))).toBe('signed')
  })

  it('signs a commit vote only with a valid prepare certificate of its view', () => {
    const signer = new Signer()
    const good = certified(5, 1, 1)
    const forged = { ...good, certificate: { ...good.certificate, aggregate: Buffer.alloc(96, 1) } }
    const few = certified(5, 1, 1, [1, 2])
    const other = { ...good, header: header(5, 2) }
    const committed = { ...good, certificate: { ...good.certificate, phase: 'commit' as const } }
    for (const bad of [forged, few, other, committed, certified(5, 0, 1), certified(4, 1, 1)]) {
      expect(signer.ask(request(5, 1, commit(bad)))).toBe('certificate_invalid')
    }
    const invented = { ...request(5, 1, commit(good)), committee: [own, fakeKey(9), fakeKey(10)] }
    expect(signer.ask(invented)).toBe('certificate_invalid')
    expect(signer.record.height).toBe(0)
    expect(signer.ask(request(5, 1, commit(good)))).toBe('signed')
  })

  it('signs a timeout only with the highest certificate that it has signed, and with one content per view', () => {
    const signer = new Signer()
    const high = certified(5, 1, 1)
    expect(signer.ask(request(5, 1, commit(high)))).toBe('signed')
    expect(signer.ask(request(5, 2, timeout()))).toBe('certificate_lower')
    expect(signer.ask(request(5, 2, timeout(certified(5, 0, 1))))).toBe('certificate_lower')
    expect(signer.ask(request(5, 2, timeout(certified(5, 3, 1))))).toBe('certificate_invalid')
    expect(signer.ask(request(5, 2, timeout(high)))).toBe('signed')
    expect(signer.ask(request(5, 2, timeout(high)))).toBe('repeated')
    expect(signer.ask(request(5, 2, timeout(high, 'commitStall')))).toBe('already_signed')
    expect(signer.ask(request(5, 2, timeout(certified(5, 2, 1))))).toBe('already_signed')
  })

  it('signs nothing below its signed height, for another chain, or as another member', () => {
    const signer = new Signer()
    expect(signer.ask(request(6, 0, prepare(1, 6)))).toBe('signed')
    expect(signer.ask(request(5, 9, prepare(1)))).toBe('height_passed')
    expect(signer.ask(request(7, 0, prepare(1, 6)))).toBe('height_passed')
    expect(signer.ask({ ...request(7, 0, prepare(1, 7)), chainHash: Buffer.alloc(32) })).toBe('other_chain')
    expect(signer.ask({ ...request(7, 0, prepare(1, 7)), index: 1 })).toBe('not_member')
    expect(signer.ask({ ...request(7, 0, prepare(1, 7)), index: 9 })).toBe('not_member')
  })

  it('reports the signatures of the key at the requested height, but not at other heights', () => {
    const signer = new Signer()
    signer.ask(request(5, 1, propose(1)))
    signer.ask(request(5, 1, timeout()))
    const refusedAt = (height: number) => {
      const result = decideSigning(place, signer.record, request(height, 0, timeout()))
      return result.ok ? [] : result.recorded.map(({ kind }) => kind)
    }
    expect(refusedAt(5)).toEqual(['proposed', 'prepared', 'timedOut'])
    expect(refusedAt(4)).toEqual([])
  })

  it('never equivocates across restarts, in whatever order two nodes request signatures', () => {
    for (let seed = 1; seed <= 60; seed++) {
      const random = randomOf(seed, 'signer')
      const signer = new Signer()
      const signed = new Map<string, string>()
      let gaveUp = { height: 0, view: -1 }
      let locked = { height: 0, view: -1 }
      for (let at = 0; at < 60; at++) {
        const height = 4 + random.below(3)
        const view = random.below(4)
        const name = random.below(2)
        const named = random.chance(0.5) ? certified(height, random.below(4), 0) : undefined
        const intent = random.pick([
          prepare(name, height),
          commit(certified(height, view, name)),
          timeout(named, random.pick(['noProposal', 'commitStall'])),
        ])
        if (!['signed', 'repeated'].includes(signer.ask(request(height, view, intent)))) continue
        const content = intent.kind === 'timeout' ? `${named?.certificate.view}:${intent.value.reason}` : String(name)
        const slot = `${height}:${view}:${intent.kind}`
        expect(signed.get(slot) ?? content, `seed ${seed}: ${slot}`).toBe(content)
        const isNew = !signed.has(slot)
        signed.set(slot, content)
        if (intent.kind === 'timeout') {
          if (locked.height === height && locked.view <= view) {
            expect(named?.certificate.view ?? -1, `seed ${seed}: ${slot}`).toBeGreaterThanOrEqual(locked.view)
          }
          gaveUp = { height, view }
        } else if (isNew && gaveUp.height === height) expect(view, `seed ${seed}: ${slot}`).toBeGreaterThan(gaveUp.view)
        if (intent.kind === 'commit') locked = { height, view }
      }
    }
  })
})
