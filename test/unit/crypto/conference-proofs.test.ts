/** Owns the tests of conference proofs: what is proven, and every way of proving what is not so that was tried. */
import { describe, expect, it } from 'vitest'
import {
  type Claim,
  memberOf,
  nullifierBase,
  nullifierOf,
  proofBytes,
  proveListedJoin,
  proveRoster,
  type Relation,
  type Statement,
  verifyClaim,
  verifyClaims,
} from '../../../src/crypto/circuits/conference/index.js'
import { decodeKey, decodePoint, decodeScalar, G, Group, ORDER, times } from '../../../src/crypto/sigma/group.js'
import {
  bytesOf,
  keyOf,
  leave,
  listedJoin,
  listOf,
  openJoin,
  PLACE,
  shared,
  signal,
  usage,
} from '../../support/conference-proofs.js'

const valid: Record<Relation, Claim> = {
  openJoin: openJoin('ann'),
  listedJoin: listedJoin(3, 9),
  leave: leave('ann'),
  usage: usage(),
  signal: signal('ann'),
}
const relations = Object.keys(valid) as Relation[]
const changed = (claim: Claim, change: Partial<Statement>): Claim => ({
  ...claim,
  statement: { ...claim.statement, ...change },
})

describe('a proof of a true statement', () => {
  it.each(relations)('%s verifies, and has the length of its relation', (relation) => {
    const claim = valid[relation]
    expect(verifyClaim(claim)).toBe('proven')
    expect(claim.proof).toHaveLength(proofBytes(relation, claim.keys?.length))
  })

  it.each([
    [2, 128 + 32 * 9],
    [16, 608],
    [64, 736],
    [256, 864],
  ])('a proof for a list of %i keys has %i bytes', (count, bytes) => {
    expect(proofBytes('listedJoin', count)).toBe(bytes)
  })

  it('every member of a list of 2 to 65 keys can join, including the first and the last', () => {
    for (const count of [2, 3, 4, 5, 7, 8, 9, 31, 32, 33, 64, 65]) {
      for (const at of new Set([0, count - 1]))
        expect(verifyClaim(listedJoin(at, count)), `${at} of ${count}`).toBe('proven')
    }
  })

  it('a batch with all kinds of proofs is valid', () => {
    expect(verifyClaims(Object.values(valid))).toEqual(relations.map(() => 'proven'))
    expect(verifyClaims([])).toEqual([])
  })

  it('a member leaves and rejoins with its published nullifier', () => {
    expect(leave('ann', 0).statement.nullifier).toEqual(openJoin('ann', 1).statement.nullifier)
    expect(leave('ann', 15).statement.nullifier).not.toEqual(openJoin('ann', 15).statement.nullifier)
    expect(verifyClaim(leave('ann', 15))).toBe('proven')
  })
})

describe('a proof of a false statement', () => {
  const other = bytesOf('other')
  const point = openJoin('bob').statement
  const fields: [keyof Statement, Partial<Statement>][] = [
    ['chain', { chain: 'test-chain2' }],
    ['call', { call: 'meet:dail' }],
    ['submitter', { submitter: Buffer.concat([Buffer.of(1, 0), bytesOf('mallory')]) }],
    ['vkHash', { vkHash: other }],
    ['rosterRoot', { rosterRoot: other }],
    ['admissionRoot', { admissionRoot: other }],
    ['admissionCount', { admissionCount: 77 }],
    ['session', { session: 1 }],
    ['bodyHash', { bodyHash: other }],
    ['durationMs', { durationMs: 60_001n }],
    ['billedGas', { billedGas: 6n }],
    ['segment', { segment: 1 }],
    ['commitment', { commitment: point.commitment }],
    ['nullifier', { nullifier: point.nullifier as Uint8Array }],
  ]
  it.each(relations.flatMap((relation) => fields.map((one) => [relation, ...one] as const)))(
    '%s with another %s is refused',
    (relation, _, change) => {
      expect(verifyClaim(changed(valid[relation], change))).toBe('refused')
    },
  )

  it('a proof of one relation is not valid for another of the same length', () => {
    expect(verifyClaim(changed(valid.openJoin, { relation: 'leave' }))).toBe('refused')
    expect(verifyClaim(changed(valid.leave, { relation: 'openJoin' }))).toBe('refused')
  })

  it('a usage report with altered values for the same commitment is rejected', () => {
    const { statement } = usage()
    const twice = changed(usage(), { durationMs: (statement.durationMs ?? 0n) * 2n })
    expect(verifyClaim(twice)).toBe('refused')
  })
})

describe('a list join', () => {
  const { statement, proof, keys, member } = listedJoin(3, 9)

  it.each([
    ['cut', keys.slice(0, 8)],
    ['grown', [...keys, listOf(10)[9] as Buffer]],
    ['reordered', [keys[1], keys[0], ...keys.slice(2)] as Buffer[]],
    ['without the member', keys.map((key, at) => (at === 3 ? (listOf(10)[9] as Buffer) : key))],
    ['with a key that is not a point', keys.map((key, at) => (at === 8 ? Buffer.alloc(32, 0xff) : key))],
    ['with the identity', keys.map((key, at) => (at === 8 ? Buffer.alloc(32) : key))],
  ])('is not proven by a list that is %s', (_, list) => {
    expect(verifyClaim({ statement, proof, keys: list })).not.toBe('proven')
  })

  it('cannot be proven for a non-member by an unmodified prover', () => {
    expect(() => proveListedJoin(statement, memberOf(keyOf('stranger'), PLACE, 0), keys, { key: keyOf('s') })).toThrow(
      'not on the list',
    )
  })

  it('is rejected if a non-member proved it with its own list instead of the true one', () => {
    const outsider = memberOf(keyOf('stranger'), PLACE, 0)
    const own: Statement = { ...statement, commitment: outsider.commitment, nullifier: nullifierOf(outsider, PLACE, 0) }
    const forged = [...keys.slice(0, 8), Buffer.from(times(G, outsider.x).toBytes())]
    const made = proveListedJoin(own, outsider, forged, { key: keyOf('stranger') })
    expect(verifyClaim({ statement: own, proof: made, keys: forged })).toBe('proven')
    expect(verifyClaim({ statement: own, proof: made, keys })).toBe('refused')
  })

  it('is rejected with a nullifier N of another secret, so that each key has one seat', () => {
    const wrong: Statement = { ...statement, nullifier: nullifierOf({ x: member.x + 1n }, PLACE, 0) }
    expect(
      verifyClaim({ statement: wrong, proof: proveListedJoin(wrong, member, keys, { key: keyOf('m') }), keys }),
    ).toBe('refused')
  })

  it('is rejected if a member combines the key of another member with its own secret', () => {
    // C with the own secret and the list index of another member: r for that key is unknown.
    const outsider = memberOf(keyOf('stranger'), PLACE, 0)
    const own: Statement = { ...statement, commitment: outsider.commitment, nullifier: nullifierOf(outsider, PLACE, 0) }
    const joined = Buffer.concat([proveRoster(own, outsider, { key: keyOf('x') }), proof.subarray(128)])
    expect(verifyClaim({ statement: own, proof: joined, keys })).toBe('refused')
  })
})

describe('malformed bytes', () => {
  it.each(relations)('%s: a proof with a flipped byte is rejected without an exception', (relation) => {
    const { proof } = valid[relation]
    for (let at = 0; at < proof.length; at += relation === 'listedJoin' ? 7 : 1) {
      const flipped = Buffer.from(proof)
      flipped[at] = (flipped[at] ?? 0) ^ (1 << (at % 8))
      expect(verifyClaim({ ...valid[relation], proof: flipped })).toBe('refused')
    }
  })

  it.each(relations)('%s: a proof of any other length is rejected with a length error', (relation) => {
    const { proof } = valid[relation]
    for (const bytes of [
      Buffer.alloc(0),
      proof.subarray(1),
      Buffer.concat([proof, Buffer.of(0)]),
      Buffer.concat([proof, proof]),
    ]) {
      expect(verifyClaim({ ...valid[relation], proof: bytes })).toBe('length')
    }
  })

  it.each(relations)('%s: s + L is not a valid scalar', (relation) => {
    const { proof } = valid[relation]
    const from = { openJoin: 64, listedJoin: 64, leave: 64, usage: 32, signal: 32 }[relation]
    const raised = Buffer.from(proof)
    const s =
      BigInt(
        `0x${Buffer.from(proof.subarray(from, from + 32))
          .reverse()
          .toString('hex')}`,
      ) + ORDER
    Buffer.from(s.toString(16).padStart(64, '0'), 'hex').reverse().copy(raised, from)
    expect(verifyClaim({ ...valid[relation], proof: raised })).toBe('refused')
  })

  it('the identity is refused as commitment and nullifier', () => {
    const zero = Buffer.alloc(32)
    for (const relation of relations) {
      expect(verifyClaim(changed(valid[relation], { commitment: zero }))).toBe('refused')
    }
    for (const relation of ['openJoin', 'listedJoin', 'leave'] as const) {
      expect(verifyClaim(changed(valid[relation], { nullifier: zero }))).toBe('refused')
      expect(verifyClaim(changed(valid[relation], { nullifier: undefined }))).toBe('refused')
    }
    expect(decodeKey(zero)).toBeUndefined()
    expect(decodePoint(zero)?.is0()).toBe(true)
  })

  // RFC 9496, appendix A.3.
  const BAD = `00ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff
ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f
f3ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f
edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f
0100000000000000000000000000000000000000000000000000000000000000
01ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f
ed57ffd8c914fb201471d1c3d245ce3c746fcbe63a3679d51b6a516ebebe0e20
c34c4e1826e5d403b78e246e88aa051c36ccf0aafebffe137d148a2bf9104562
c940e5a4404157cfb1628b108db051a8d439e1a421394ec4ebccb9ec92a8ac78
47cfc5497c53dc8e61c91d17fd626ffb1c49e2bca94eed052281b510b1117a24
f1c6165d33367351b0da8f6e4511010c68174a03b6581212c71c0e1d026c3c72
87260f7a2f12495118360f02c26a470f450dadf34a413d21042b43b9d93e1309
26948d35ca62e643e26a83177332e6b6afeb9d08e4268b650f1f5bbd8d81d371
4eac077a713c57b4f4397629a4145982c661f48044dd3f96427d40b147d9742f
de6a7b00deadc788eb6b6c8d20c0ae96c2f2019078fa604fee5b87d6e989ad7b
bcab477be20861e01e4a0e295284146a510150d9817763caf1a6f4b422d67042
2a292df7e32cababbd9de088d1d1abec9fc0440f637ed2fba145094dc14bea08
f4a9e534fc0d216c44b218fa0c42d99635a0127ee2e53c712f70609649fdff22
8268436f8c4126196cf64b3c7ddbda90746a378625f9813dd9b8457077256731
2810e5cbc2cc4d4eece54f61c6f69758e289aa7ab440b3cbeaa21995c2f4232b
3eb858e78f5a7254d8c9731174a94f76755fd3941c0ac93735c07ba14579630e
a45fdc55c76448c049a1ab33f17023edfb2be3581e9c7aade8a6125215e04220
d483fe813c6ba647ebbfd3ec41adca1c6130c2beeee9d9bf065c8d151c5f396e
8a2e1d30050198c65a54483123960ccc38aef6848e1ec8f5f780e8523769ba32
32888462f8b486c68ad7dd9610be5192bbeaf3b443951ac1a8118419d9fa097b
227142501b9d4355ccba290404bde41575b037693cef1f438c47f8fbf35d1165
5c37cc491da847cfeb9281d407efc41e15144c876e0170b499a96a22ed31e01e
445425117cb8c90edcbc7c1cc0e74f747f2c1efa5630a967c64f287792a48a4b`.split('\n')
  it.each(BAD)('the bad encoding %s of RFC 9496 is rejected in every field', (hex) => {
    const bytes = Buffer.from(hex, 'hex')
    expect(decodePoint(bytes)).toBeUndefined()
    expect(verifyClaim(changed(valid.openJoin, { commitment: bytes }))).toBe('refused')
    expect(verifyClaim({ ...valid.openJoin, proof: Buffer.concat([bytes, valid.openJoin.proof.subarray(32)]) })).toBe(
      'refused',
    )
  })

  it('scalars must be below L', () => {
    const bytes = (value: bigint): Buffer => Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse()
    expect(decodeScalar(bytes(ORDER - 1n))).toBe(ORDER - 1n)
    expect(decodeScalar(bytes(ORDER))).toBeUndefined()
    expect(decodeScalar(bytes(2n ** 256n - 1n))).toBeUndefined()
  })
})

describe('a batch', () => {
  it('returns the same result for each proof as an individual verification', () => {
    const claims = [
      valid.openJoin,
      changed(valid.leave, { call: 'meet:other' }),
      valid.listedJoin,
      { ...valid.usage, proof: valid.usage.proof.subarray(1) },
      valid.signal,
    ]
    expect(verifyClaims(claims)).toEqual(claims.map(verifyClaim))
    expect(verifyClaims(claims)).toEqual(['proven', 'refused', 'proven', 'length', 'proven'])
  })

  it('rejects two proofs whose errors would cancel out without weights', () => {
    // A signal proof has one equation: s_x off by one here and by minus one there adds up to nothing.
    const shifted = (claim: Claim, by: bigint): Claim => {
      const proof = Buffer.from(claim.proof)
      const s = ((decodeScalar(proof.subarray(32, 64)) ?? 0n) + by + ORDER) % ORDER
      Buffer.from(s.toString(16).padStart(64, '0'), 'hex').reverse().copy(proof, 32)
      return { ...claim, proof }
    }
    const claims = [shifted(signal('ann'), 1n), shifted(signal('bob'), -1n)]
    expect(verifyClaims(claims)).toEqual(['refused', 'refused'])
  })

  it('rejects an error in C that an error in N cancels out, so that one seat has one nullifier', () => {
    // C = xG + rH + (x - y)U and N = yU: without weights the two equations add up, and y is whatever the cheat likes.
    const { statement, member } = openJoin('ann')
    const U = nullifierBase(PLACE.chain, PLACE.call, 0)
    const y = member.x + 5n
    const C = decodePoint(statement.commitment)?.add(times(U, ORDER - 5n)) ?? U
    const own: Statement = {
      ...statement,
      commitment: C.toBytes(),
      nullifier: nullifierOf({ x: y }, PLACE, 0),
    }
    expect(verifyClaim({ statement: own, proof: proveRoster(own, member, { key: keyOf('ann') }) })).toBe('refused')
  })
})

describe('zero knowledge of a proof', () => {
  it('two proofs of one statement have no common part, because their nonces are fresh', () => {
    const { statement, member } = openJoin('ann')
    const proofs = Array.from({ length: 8 }, () => proveRoster(statement, member, { key: keyOf('ann') }))
    const pieces = proofs.flatMap((proof) =>
      [0, 1, 2, 3].map((at) => proof.subarray(32 * at, 32 * at + 32).toString('hex')),
    )
    expect(new Set(pieces).size).toBe(pieces.length)
  })

  it('nonces of two statements differ even without randomness', () => {
    const chance = Buffer.alloc(32)
    const { statement, member } = openJoin('ann')
    const one = proveRoster(statement, member, { key: keyOf('ann'), chance })
    const two = proveRoster({ ...statement, rosterRoot: bytesOf('later') }, member, { key: keyOf('ann'), chance })
    expect(one.subarray(0, 32)).not.toEqual(two.subarray(0, 32))
  })

  it('no secret is contained in a proof, a commitment or a nullifier', () => {
    const { member, statement, proof } = openJoin('ann')
    const published = Buffer.concat([proof, statement.commitment, statement.nullifier ?? Buffer.alloc(0)]).toString(
      'hex',
    )
    for (const secret of [member.x, member.r]) {
      const bytes = Buffer.from(secret.toString(16).padStart(64, '0'), 'hex')
      expect(published).not.toContain(bytes.toString('hex'))
      expect(published).not.toContain(Buffer.from(bytes).reverse().toString('hex'))
    }
  })

  it('sessions, calls and chains of one wallet have different commitments and nullifiers', () => {
    const all = [0, 1, 2].flatMap((session) =>
      [PLACE, { ...PLACE, call: 'meet:weekly' }, { ...PLACE, chain: 'other' }].map((place) => {
        const member = memberOf(keyOf('ann'), place, session)
        return [member.commitment.toString('hex'), nullifierOf(member, place, session).toString('hex')]
      }),
    )
    expect(new Set(all.flat()).size).toBe(18)
  })

  it('the base point is of order L', () => {
    expect(
      times(G, ORDER - 1n)
        .add(G)
        .equals(Group.ZERO),
    ).toBe(true)
    expect(shared.chain).toBe(PLACE.chain)
  })
})
