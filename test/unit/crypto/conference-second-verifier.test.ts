/** A second verifier, over libsodium and after the text: it agrees with the first on vectors, on every size of list, on what is false. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  type Claim,
  nullifierOf,
  type Relation,
  verifyClaim,
  verifyClaims,
} from '../../../src/crypto/circuits/conference/index.js'
import { bytesOf, leave, listedJoin, listOf, openJoin, PLACE, signal, usage } from '../../support/conference-proofs.js'
import { anyChallenge, holds, simulated } from '../../support/second-verifier.js'

const honest: Record<Relation, () => Claim> = {
  openJoin: () => openJoin('ann', 2),
  listedJoin: () => listedJoin(3, 5),
  leave: () => leave('ann', 4),
  usage: () => usage(90_000n, 7n, 3),
  signal: () => signal('ann'),
}
const relations = Object.keys(honest) as Relation[]
const kept = JSON.parse(readFileSync(new URL('../../vectors/conference-proofs.json', import.meta.url), 'utf8'))
const kinds: Record<string, Claim> = {
  openJoin: openJoin('ann'),
  rejoin: openJoin('ann', 1),
  leave: leave('ann'),
  listedJoin: listedJoin(3, 5),
  usage: usage(),
  signal: signal('ann'),
}

describe('the second verifier of conference proofs', () => {
  it.each(Object.keys(kept.claims))('accepts the vector %s', (name) => {
    expect(holds({ ...(kinds[name] as Claim), proof: Buffer.from(kept.claims[name].proof, 'hex') })).toBe(true)
  })

  it.each(relations)('agrees with the first verifier on %s with any 32-byte part changed', (relation) => {
    const claim = honest[relation]()
    expect(holds(claim)).toBe(true)
    for (let part = 0; part < claim.proof.length / 32; part += 1) {
      for (const bytes of [bytesOf('not a point'), Buffer.alloc(32), Buffer.alloc(32, 255)]) {
        const proof = Buffer.from(claim.proof)
        bytes.copy(proof, 32 * part)
        expect(holds({ ...claim, proof })).toBe(false)
        expect(verifyClaim({ ...claim, proof })).toBe('refused')
      }
    }
  })

  it.each(relations)('agrees with the first verifier on %s for another statement', (relation) => {
    const claim = honest[relation]()
    for (const change of [{ call: 'meet:other' }, { submitter: bytesOf('x') }, { segment: 9 }, { session: 9 }]) {
      const other = { ...claim, statement: { ...claim.statement, ...change } }
      expect(holds(other)).toBe(verifyClaim(other) === 'proven')
      expect(holds(other)).toBe(false)
    }
  })
})

it('accepts members of every list of 2 to 65 keys, like the first', () => {
  const claims = Array.from({ length: 64 }, (_, at) => listedJoin((at * 7) % (at + 2), at + 2))
  expect(verifyClaims(claims)).toEqual(claims.map(() => 'proven'))
  for (const claim of claims.filter((_, at) => at % 8 === 0 || at > 61)) expect(holds(claim)).toBe(true)
})

describe('a transcript simulated without secrets', () => {
  // About strangers: nobody knows what opens these.
  const unknown: Record<Relation, Claim> = {
    ...(Object.fromEntries(relations.map((relation) => [relation, honest[relation]()])) as Record<Relation, Claim>),
    usage: { ...usage(), statement: { ...usage().statement, durationMs: 1n } },
    listedJoin: { ...listedJoin(3, 5), keys: listOf(9).slice(5) },
  }

  it.each(relations)('%s is valid for its chosen challenge, but not for the challenge from the hash', (relation) => {
    const { statement, keys = [] } = unknown[relation]
    for (let time = 0; time < 4; time += 1) {
      const c = anyChallenge()
      const proof = simulated({ statement, keys }, c)
      expect(holds({ statement, keys, proof }, c)).toBe(true)
      expect(holds({ statement, keys, proof }, anyChallenge())).toBe(false)
      expect(holds({ statement, keys, proof })).toBe(false)
      expect(verifyClaim({ statement, keys, proof })).toBe('refused')
    }
  })

  it('has the same length as a real one, and no constant part', () => {
    for (const relation of relations) {
      const claim = honest[relation]()
      const c = anyChallenge()
      const [one, two] = [simulated(claim, c), simulated(claim, c)]
      expect(one).toHaveLength(claim.proof.length)
      for (let at = 0; at < one.length; at += 32) {
        expect(one.subarray(at, at + 32)).not.toEqual(two.subarray(at, at + 32))
      }
    }
  })
})

it('the nullifier of a session is unrelated to the nullifier of the next', () => {
  const { member } = openJoin('ann')
  const sessions = Array.from({ length: 16 }, (_, session) => nullifierOf(member, PLACE, session).toString('hex'))
  expect(new Set(sessions).size).toBe(16)
})
