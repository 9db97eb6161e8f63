/** Hostile accounts of calls: random instructions and proofs never throw, and what the ledger counts stays true. */
import { expect, it, vi } from 'vitest'
import {
  type Claim,
  RELATIONS,
  type Relation,
  type Statement,
  verifyClaim,
  verifyClaims,
} from '../../../src/crypto/circuits/conference/index.js'
import { clearOutcomes } from '../../../src/crypto/circuits/proof-outcomes.js'
import { earlyProofs } from '../../../src/executor/index.js'
import { ABI_2 } from '../../../src/features/abi.js'
import { nullifiers, participants, roots, rosters, usages } from '../../../src/features/conference/ledger/tables.js'
import { anyInstruction } from '../../../src/model/index.js'
import {
  admit,
  alice,
  bob,
  CALL,
  CHAIN,
  callOf,
  carol,
  conferenceBench,
  create,
  end,
  hop,
  join,
  keyFor,
  leave,
  mallory,
  privateJoin,
  privateLeave,
  privately,
  registerKey,
  registerRelay,
  report,
  sendSignal,
  setManifest,
  use,
  VK,
} from '../../support/conference.js'
import { bytesOf, listedJoin, listOf, openJoin, signal, usage } from '../../support/conference-proofs.js'
import type { Bench } from '../../support/executor.js'
import { TEST_MS } from '../../support/ports.js'

/** Proofs and instructions that are tried: CI has 1,000, `npm run soak -- --proof-fuzz 100000` more. */
const COUNT = Number(process.env.CAUSEWAY_FUZZ ?? 1_000)

// Some ms each, and several times that on a machine that does something else.
vi.setConfig({ testTimeout: TEST_MS + COUNT * 20 })

/** Numbers by a seed (mulberry32). */
function randomBy(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}

it('any proof bytes have the same result alone and in a batch, and prove nothing', () => {
  const random = randomBy(1)
  const honest = [openJoin('ann'), listedJoin(1, 3), usage(), signal('ann')]
  const claims = Array.from({ length: COUNT }, (_, at) => {
    const from = honest[at % honest.length] ?? usage()
    const proof = Buffer.from(from.proof)
    const place = random(4)
    if (place === 0) proof[random(proof.length)] = random(256)
    if (place === 1) bytesOf(`point ${at}`).copy(proof, 32 * random(proof.length / 32))
    if (place === 2) Buffer.alloc(32, random(2) * 255).copy(proof, 32 * random(proof.length / 32))
    const relation = (Object.keys(RELATIONS) as Relation[])[random(5)] ?? 'usage'
    const statement: Statement = place === 3 ? { ...from.statement, relation } : from.statement
    const cut = random(8) === 0 ? proof.subarray(0, random(proof.length)) : proof
    return { statement, proof: cut, keys: from.keys ?? (random(2) === 0 ? [] : listOf(2)) }
  })
  for (let at = 0; at < claims.length; at += 16) {
    const batch = claims.slice(at, at + 16)
    const alone = batch.map(verifyClaim)
    expect(verifyClaims(batch)).toEqual(alone)
    for (const [index, result] of alone.entries()) {
      const { statement, proof } = batch[index] as (typeof batch)[number]
      const isHonest = (one: Claim): boolean =>
        one.statement.relation === statement.relation &&
        one.statement.commitment === statement.commitment &&
        Buffer.compare(one.proof, proof) === 0
      const same = honest.some(isHonest)
      if (!same) expect(result).not.toBe('proven')
    }
  }
})

type Step = () => { readonly kind: string; readonly value: object }

/** Instructions of a random history over one call, from any account. */
function stepsOf(bench: Bench, random: (below: number) => number, hidden: boolean): readonly Step[] {
  const names = ['ann', 'ben', 'cat', 'eve']
  const name = () => names[random(names.length)] ?? 'ann'
  const anyAccount = () => [bob, carol, mallory, alice][random(4)]
  const bytes = () => bytesOf(`b${random(3)}`)
  const junk = () => ({
    commitment: bytes(),
    nullifier: bytes(),
    rosterRoot: bytes(),
    proof: { vkHash: VK.roster, bytes: Buffer.alloc(random(9) * 32) },
  })
  return [
    () => join({ participant: anyAccount() }),
    () => join(),
    () => leave(),
    () => leave({ participant: anyAccount() }),
    () => join({ ...junk(), session: random(18), admissionRoot: bytes() }),
    () => leave(junk()),
    () => (hidden ? privateJoin(bench, 'ann', carol, random(3)) : join()),
    () => (hidden ? privateJoin(bench, 'ben', carol, random(3)) : join()),
    () => (hidden ? privateLeave(bench, name(), carol, random(3)) : leave()),
    () => use(BigInt(random(3)) * 30_000n, BigInt(random(20))),
    () => use(2n ** 63n),
    () => admit([keyFor(`late ${random(20)}`)]),
    () => sendSignal(`s${random(9)}`),
    () =>
      setManifest(
        random(3) === 0 ? undefined : [hop(bob), hop(carol), hop([mallory, alice][random(2)] ?? alice)],
        random(20_000),
      ),
    () => registerRelay([alice, bob, carol, mallory][random(4)] ?? bob),
    () => report(bob, { reportedAtMs: random(2_000), status: ['healthy', 'degraded', 'unavailable'][random(3)] }),
    () => (random(60) === 0 ? end() : sendSignal('x')),
  ]
}

it.each([1, 2, 3, 4, 5, 6])(
  'a random history (seed %i) never throws, and gives the same state with cold and warm caches',
  (seed) => {
    const hidden = seed % 2 === 0
    const runs = [true, false].map((cold) => {
      const random = randomBy(seed)
      const bench = conferenceBench()
      bench.run(
        alice,
        hidden ? privately({ admissionKeys: ['ann', 'ben', 'cat'].map(keyFor) }) : create({ gasRatePerMinute: 5n }),
      )
      const steps = stepsOf(bench, random, hidden)
      const codes: (string | undefined)[] = []
      for (let step = 0; step < 150; step += 1) {
        if (cold) clearOutcomes()
        bench.timeMs += random(50)
        const authority = [alice, bob, carol, mallory][random(4)] ?? alice
        codes.push(bench.run(authority, (steps[random(steps.length)] ?? (() => join()))()))
      }
      return { bench, codes }
    })
    const [one, two] = runs as [(typeof runs)[number], (typeof runs)[number]]
    expect(one.codes).not.toContain('executor_fault')
    expect(two.codes).toEqual(one.codes)
    expect(two.bench.events).toEqual(one.bench.events)
    const call = callOf(one.bench)
    expect(callOf(two.bench)).toEqual(call)
    const { state } = one.bench
    if (hidden) {
      expect(state.get(rosters, CALL)).toHaveLength(call.memberCount)
      expect(state.get(roots, CALL)?.at(-1)).toEqual(call.rosterRoot)
      for (const seat of state.get(rosters, CALL) ?? []) expect(seat.session).toBeLessThanOrEqual(15)
    } else {
      const joined = [alice, bob, carol, mallory].filter((account) => state.has(participants, { call: CALL, account }))
      expect(joined).toHaveLength(call.memberCount)
      expect(joined).not.toContain(alice)
    }
    expect(state.has(usages, { call: CALL, segment: call.segments })).toBe(false)
    expect(state.has(nullifiers, { call: CALL, nullifier: bytesOf('b0') })).toBe(false)
  },
)

it('any instruction bytes decode canonically or not at all, have a finite cost, and run without a fault', () => {
  const random = randomBy(7)
  const codec = ABI_2.codec('cw')
  const bench = conferenceBench()
  bench.run(alice, privately({ admissionKeys: ['ann', 'ben', 'cat'].map(keyFor) }))
  const honest = [
    privately({ name: 'other', admissionKeys: ['ann', 'ben'].map(keyFor) }),
    create({ name: 'plain', title: 'a title', maxParticipants: 4 }),
    join(),
    privateJoin(bench, 'ann', carol),
    privateLeave(bench, 'ann', carol),
    use(60_000n, 5n),
    admit([keyFor('late')]),
    sendSignal('hello'),
    setManifest([hop(bob), hop(carol), hop(mallory)]),
    registerRelay(bob),
    report(bob),
    end(2_000),
    registerKey('roster', { blob: Buffer.alloc(90, 1) }),
  ].map((one) => anyInstruction.encode(one, codec))
  let decoded = 0
  for (let round = 0; round < COUNT; round += 1) {
    const bytes = Buffer.from(honest[random(honest.length)] as Buffer)
    for (let change = random(3); change >= 0; change -= 1) bytes[random(bytes.length)] = random(256)
    const cut = random(6) === 0 ? bytes.subarray(0, random(bytes.length)) : bytes
    const long = random(9) === 0 ? Buffer.concat([cut, Buffer.alloc(random(40), random(256))]) : cut
    const read = anyInstruction.decode(long, codec)
    if (!read.ok) continue
    decoded += 1
    const one = read.value
    expect(Buffer.compare(anyInstruction.encode(one, codec), long)).toBe(0)
    for (const figure of [ABI_2.costOf([one], 'record'), ABI_2.proofWorkOf([one])]) {
      expect(Number.isSafeInteger(figure) && figure >= 0).toBe(true)
    }
    const authority = [alice, bob, carol][random(3)] ?? alice
    const executable = { kind: 'instructions', value: [one] } as const
    const { proofs, later } = earlyProofs(ABI_2, bench.state, { chain: CHAIN, height: 9 }, { authority, executable })
    expect(proofs.length + later).toBe(
      ABI_2.instructions.get(one.kind)?.preverify && ABI_2.proofWorkOf([one]) > 0 ? 1 : 0,
    )
    if (one.kind !== 'endConference') expect(bench.run(authority, one)).not.toBe('executor_fault')
  }
  expect(decoded).toBeGreaterThan(COUNT / 20)
})
