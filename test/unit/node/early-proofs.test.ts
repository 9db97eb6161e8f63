/** Proofs that a node verifies before they run: what it refuses, what it leaves to blocks, whom it makes wait. */
import { beforeEach, describe, expect, it } from 'vitest'
import { conferenceClaim } from '../../../src/crypto/circuits/conference/index.js'
import { packClaim } from '../../../src/crypto/circuits/packed.js'
import type { KeyedOutcome } from '../../../src/crypto/circuits/proof-outcomes.js'
import { type CheckedProof, inlineProofs, type ProofService } from '../../../src/crypto/circuits/service.js'
import type { EarlyProofs } from '../../../src/node/admission/early-proofs.js'
import type { AdmitProof } from '../../../src/node/ledger/protocol.js'
import { openJoin, usage } from '../../support/conference-proofs.js'
import { earlyProofs } from '../../support/early-proofs.js'

let nowMs: number
let checks: number
let cachedOutcomes: KeyedOutcome[]
let seen: CheckedProof[]
let failures: unknown[]
let early: EarlyProofs

const service: ProofService = {
  ...inlineProofs,
  check(packed) {
    checks += packed.length
    return inlineProofs.check(packed)
  },
}

const modules = (proofs: ProofService) => ({
  proofs,
  ledger: {
    cacheProofs: async ({ outcomes }: { readonly outcomes: readonly KeyedOutcome[] }) => {
      cachedOutcomes.push(...outcomes)
      return {}
    },
  },
  monotonicMs: () => nowMs,
  onChecked: (proof: CheckedProof) => void seen.push(proof),
  onFailure: (error: unknown) => void failures.push(error),
})

beforeEach(() => {
  nowMs = 1_000
  checks = 0
  cachedOutcomes = []
  seen = []
  failures = []
  early = earlyProofs(modules(service))
})

type Claim = Parameters<typeof conferenceClaim>[0]
const proofOf = (claim: Claim, dependsOn: AdmitProof['dependsOn'] = 'nothing', more: object = {}): AdmitProof => {
  const whole = conferenceClaim(claim)
  return { key: whole.key, claim: packClaim(whole), dependsOn, outcome: undefined, ...more }
}
const good = (name: string, dependsOn?: AdmitProof['dependsOn']) => proofOf(openJoin(name), dependsOn)
const bad = (name: string, dependsOn?: AdmitProof['dependsOn'], more: object = {}) => {
  const { statement, proof } = openJoin(name)
  return proofOf({ statement: { ...statement, session: 3 }, proof }, dependsOn, more)
}
const alice = { authority: 'alice' }

describe('a proof that is checked before its transaction is queued', () => {
  it('is accepted or refused, and the result is cached', async () => {
    expect(await early.admit(alice, [good('ann')])).toBe(0)
    expect(await early.admit(alice, [bad('ann')])).toMatchObject({ code: 'proof_refused' })
    const { statement, proof } = openJoin('ann')
    expect(await early.admit(alice, [proofOf({ statement, proof: proof.subarray(1) })])).toMatchObject({
      code: 'proof_length',
    })
    expect(cachedOutcomes.map(({ outcome }) => outcome)).toEqual(['proven', 'refused', 'length'])
    expect(seen.map(({ relation }) => relation)).toEqual(['openJoin', 'openJoin', 'openJoin'])
  })

  it('is not verified again if the ledger already has the result', async () => {
    expect(await early.admit(alice, [proofOf(openJoin('ann'), 'nothing', { outcome: 'proven' })])).toBe(0)
    expect(await early.admit(alice, [bad('ann', 'state', { outcome: 'refused' })])).toMatchObject({
      code: 'proof_refused',
    })
    expect(checks).toBe(0)
  })

  it.each([undefined, 'refused'])(
    'is refused if invalid, even after one that is deferred to its block (known result: %s)',
    async (outcome) => {
      const both = [bad('ann', 'before', { outcome }), bad('ben', 'state', { outcome })]
      expect(await early.admit(alice, both)).toMatchObject({ code: 'proof_refused' })
    },
  )

  it('is deferred to its block if earlier transactions may make it valid', async () => {
    expect(await early.admit(alice, [proofOf(usage(60_000n, 5n, 1), 'before'), bad('ann', 'before')])).toBe(1)
    expect(await early.admit(alice, [bad('ann', 'before', { outcome: 'refused' })])).toBe(1)
    expect(early.barredFault(alice)).toBeUndefined()
  })

  it('is deferred to its block if the verification thread has exited', async () => {
    const lost: ProofService = { ...service, check: () => Promise.reject(new Error('it ended')) }
    early = earlyProofs(modules(lost))
    expect(await early.admit(alice, [good('ann'), bad('ben')])).toBe(2)
    expect(await early.ofBlock([good('ann').claim])).toEqual([])
    expect(failures).not.toEqual([])
    expect(cachedOutcomes).toEqual([])
  })

  it('counts against a limit of four per account, which only a single transaction may exceed', async () => {
    const names = ['ann', 'ben', 'cid', 'dan', 'eve', 'flo']
    const first = early.admit(
      alice,
      names.slice(0, 4).map((name) => good(name)),
    )
    expect(await early.admit(alice, [good('eve')])).toMatchObject({ code: 'per_user_queue_limit' })
    expect(await early.admit({ authority: 'bob' }, [good('eve')])).toBe(0)
    expect(await first).toBe(0)
    expect(
      await early.admit(
        alice,
        names.map((name) => good(name)),
      ),
    ).toBe(0)
  })
})

it('proofs from a peer are not limited per account, since that limit is for clients', async () => {
  const names = ['ann', 'ben', 'cid', 'dan', 'eve', 'flo']
  const source = { authority: 'alice', peer: 'node' }
  expect(await Promise.all(names.map((name) => early.admit(source, [good(name)])))).toEqual(names.map(() => 0))
})

describe('five invalid proofs within a minute', () => {
  const five = ['ann', 'ben', 'cid', 'dan', 'eve']

  it('block only that account until the end of the minute', async () => {
    for (const name of five.slice(0, 4)) await early.admit(alice, [bad(name)])
    expect(early.barredFault(alice)).toBeUndefined()
    nowMs += 20_000
    await early.admit(alice, [bad('eve')])
    expect(early.barredFault(alice)).toMatchObject({
      code: 'too_many_bad_proofs',
      details: { retry_after_seconds: 40 },
    })
    expect(early.barredFault({ authority: 'bob', peer: 'node' })).toBeUndefined()
    nowMs += 40_000
    expect(early.barredFault(alice)).toBeUndefined()
    nowMs += 1
    await early.admit(alice, [bad('flo')])
    expect(early.barredFault(alice)).toBeUndefined()
  })

  it('are counted once each, however often they are resent', async () => {
    const known = bad('ann', 'nothing', { outcome: 'refused' })
    for (let time = 0; time < 9; time += 1) await early.admit(alice, [known])
    expect(early.barredFault(alice)).toBeUndefined()
  })

  it('block a peer only if the proofs are invalid in any state', async () => {
    const from = (name: string) => ({ authority: name, peer: 'node' })
    for (const name of five) await early.admit(from(name), [bad(name, 'state')])
    expect(early.barredFault(from('zoe'))).toBeUndefined()
    for (const name of five) await early.admit(from(name), [bad(`${name} 2`, 'nothing')])
    expect(early.barredFault(from('zoe'))).toMatchObject({ code: 'too_many_bad_proofs' })
    expect(early.barredFault({ authority: 'zoe' })).toBeUndefined()
  })
})
