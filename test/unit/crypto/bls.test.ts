// Checks the BLS backends: same bytes, same verdicts, hostile points refused; and proofs of possession.
import { bls12_381 } from '@noble/curves/bls12-381.js'
import { describe, expect, test } from 'vitest'
import type { BlsBackend } from '../../../src/crypto/bls.js'
import { loadBlstBackend } from '../../../src/crypto/bls-blst.js'
import { nobleBackend } from '../../../src/crypto/bls-noble.js'
import { createPop, verifyPop } from '../../../src/crypto/bls-pop.js'
import { blsSecretFromIkm } from '../../../src/crypto/keys.js'

const noble = nobleBackend()
const blst = await loadBlstBackend()
const backends: BlsBackend[] = blst === undefined ? [noble] : [noble, blst]

const secrets = [1, 2, 3, 4].map((fill) => blsSecretFromIkm(Buffer.alloc(32, fill)))
const keys = secrets.map((secret) => noble.publicKeyFromSecret(secret))
const message = Buffer.from('CNS1 block')
const R = bls12_381.fields.Fr.ORDER
const negated = Buffer.from((R - BigInt(`0x${secrets[0]!.toString('hex')}`)).toString(16).padStart(64, '0'), 'hex')

/** Compressed bytes of a point on the curve that is not in the prime-order subgroup. */
function outsideSubgroup(length: 48 | 96): Buffer {
  for (let x = 1; ; x += 1) {
    const bytes = Buffer.alloc(length)
    bytes[length - 1] = x
    bytes[0] = 0x80
    try {
      const point = length === 48 ? bls12_381.G1.Point : bls12_381.G2.Point
      point.fromBytes(bytes)
    } catch (error) {
      if (String(error).includes('subgroup')) return bytes
    }
  }
}

test('the native backend is loaded on platforms that have a build', () => {
  if (process.platform === 'linux' && process.arch === 'x64') expect(blst).toBeDefined()
})

test('all backends return the same bytes', () => {
  for (const backend of backends) {
    expect(secrets.map((secret) => backend.publicKeyFromSecret(secret))).toEqual(keys)
    const signatures = secrets.map((secret) => backend.sign(secret, message))
    expect(signatures).toEqual(secrets.map((secret) => noble.sign(secret, message)))
    expect(backend.aggregate(signatures)).toEqual(noble.aggregate(signatures))
  }
})

test('key generation follows KeyGen of the draft', async () => {
  // A variable specifier: the package is optional.
  const name = '@chainsafe/blst'
  const native = await import(name).catch(() => undefined)
  if (native === undefined) return
  const { SecretKey } = native.default ?? native
  for (const fill of [0, 1, 200]) {
    const ikm = Buffer.alloc(32, fill)
    expect(blsSecretFromIkm(ikm)).toEqual(Buffer.from(SecretKey.fromKeygen(ikm).toBytes()))
  }
})

describe.each(backends)('backend $name', (backend) => {
  const signatures = secrets.map((secret) => backend.sign(secret, message))
  const sum = backend.aggregate(signatures)!

  test('verifies single signatures', () => {
    expect(backend.verify(keys[0]!, message, signatures[0]!)).toBe(true)
    expect(backend.verify(keys[1]!, message, signatures[0]!)).toBe(false)
    expect(backend.verify(keys[0]!, Buffer.from('other'), signatures[0]!)).toBe(false)
  })

  test('verifies an aggregate of signatures over one message', () => {
    expect(backend.verifyAggregate(keys, message, sum)).toBe(true)
    expect(backend.verifyAggregate([...keys].reverse(), message, sum)).toBe(true)
    expect(backend.verifyAggregate(keys.slice(1), message, sum)).toBe(false)
    expect(backend.verifyAggregate([...keys, keys[0]!], message, sum)).toBe(false)
    expect(backend.verifyAggregate([], message, sum)).toBe(false)
    expect(backend.aggregate([])).toBeUndefined()
  })

  test('returns an aggregate only if it is valid for all keys', () => {
    expect(backend.aggregateVerified(signatures, keys, message)).toEqual(sum)
    expect(backend.aggregateVerified(signatures.slice(1), keys, message)).toBeUndefined()
    expect(backend.aggregateVerified(signatures, keys.slice(1), message)).toBeUndefined()
    expect(backend.aggregateVerified(signatures, keys, Buffer.from('other'))).toBeUndefined()
    const forged = [backend.sign(secrets[1]!, message), ...signatures.slice(1)]
    expect(backend.aggregateVerified(forged, keys, message)).toBeUndefined()
    expect(backend.aggregateVerified([], [], message)).toBeUndefined()
  })

  test('verifies an aggregate over one message with the function for several messages', () => {
    expect(backend.verifyMulti([{ publicKeys: keys, message }], sum)).toBe(true)
    expect(backend.verifyMulti([{ publicKeys: keys.slice(1), message }], sum)).toBe(false)
    expect(backend.verifyMulti([{ publicKeys: keys, message: Buffer.from('other') }], sum)).toBe(false)
    expect(backend.verifyMulti([{ publicKeys: [], message }], sum)).toBe(false)
  })

  test('verifies an aggregate of signatures over several messages', () => {
    const other = Buffer.from('another view')
    const groups = [
      { publicKeys: [keys[0]!, keys[1]!], message },
      { publicKeys: [keys[2]!], message: other },
      { publicKeys: [keys[3]!], message },
    ]
    const parts = [signatures[0]!, signatures[1]!, backend.sign(secrets[2]!, other), signatures[3]!]
    const aggregate = backend.aggregate(parts)!
    expect(backend.verifyMulti(groups, aggregate)).toBe(true)
    expect(backend.verifyMulti(groups.slice(0, 2), aggregate)).toBe(false)
    expect(backend.verifyMulti([groups[0]!, { publicKeys: [keys[2]!], message }, groups[2]!], aggregate)).toBe(false)
    expect(backend.verifyMulti([], aggregate)).toBe(false)
    expect(backend.verifyMulti([...groups, { publicKeys: [], message }], aggregate)).toBe(false)
  })

  test('verifies a batch of aggregates, and rejects a batch with two swapped signatures', () => {
    const other = Buffer.from('another view')
    const [first, second] = [
      { publicKeys: keys, message, signature: sum },
      { publicKeys: keys.slice(0, 1), message: other, signature: backend.sign(secrets[0]!, other) },
    ]
    expect(backend.verifyAggregates([])).toBe(true)
    expect(backend.verifyAggregates([first])).toBe(true)
    expect(backend.verifyAggregates([first, second, first])).toBe(true)
    const swapped = [
      { ...first, signature: second.signature },
      { ...second, signature: first.signature },
    ]
    expect(backend.verifyAggregates(swapped)).toBe(false)
    expect(backend.verifyAggregates([first, { ...second, message }])).toBe(false)
    expect(backend.verifyAggregates([first, { ...second, publicKeys: [] }])).toBe(false)
    expect(backend.verifyAggregates([first, { ...second, publicKeys: keys.slice(1, 2) }])).toBe(false)
    expect(backend.verifyAggregates([first, { ...second, signature: Buffer.alloc(96) }])).toBe(false)
  })

  test('infinity, off-curve, outside the subgroup, uncompressed and truncated input is refused', () => {
    const infinityKey = Buffer.alloc(48)
    infinityKey[0] = 0xc0
    const infinitySignature = Buffer.alloc(96)
    infinitySignature[0] = 0xc0
    const hostileKeys = [
      infinityKey,
      Buffer.alloc(48),
      Buffer.alloc(48, 0xff),
      outsideSubgroup(48),
      keys[0]!.subarray(1),
      Buffer.from(bls12_381.G1.Point.fromBytes(keys[0]!).toBytes(false)),
      Buffer.alloc(0),
    ]
    for (const key of hostileKeys) {
      expect(backend.isValidPublicKey(key)).toBe(false)
      expect(backend.verify(key, message, signatures[0]!)).toBe(false)
      expect(backend.verifyAggregate([...keys, key], message, sum)).toBe(false)
      expect(backend.verify(key, message, infinitySignature)).toBe(false)
    }
    for (const signature of [
      infinitySignature,
      Buffer.alloc(96),
      Buffer.alloc(96, 0xff),
      outsideSubgroup(96),
      sum.subarray(1),
      Buffer.from(bls12_381.G2.Point.fromBytes(sum).toBytes(false)),
      Buffer.alloc(0),
    ]) {
      expect(backend.verifyAggregate(keys, message, signature)).toBe(false)
      expect(backend.verifyMulti([{ publicKeys: keys, message }], signature)).toBe(false)
      expect(backend.verifyAggregates([{ publicKeys: keys, message, signature }])).toBe(false)
      expect(backend.aggregate([signatures[0]!, signature])).toBeUndefined()
      expect(backend.aggregateVerified([signatures[0]!, signature], keys.slice(0, 2), message)).toBeUndefined()
    }
    expect(backend.isValidPublicKey(keys[0]!)).toBe(true)
  })

  test('a signature moved out of the subgroup is invalid, both alone and in an aggregate', () => {
    const G2 = bls12_381.G2.Point
    const { Fp, Fp2 } = bls12_381.fields
    const x = Fp2.create({ c0: BigInt(outsideSubgroup(96)[95]!), c1: 0n })
    const stray = G2.fromAffine({ x, y: Fp2.sqrt(Fp2.add(Fp2.mul(Fp2.sqr(x), x), G2.CURVE().b)) })
    // Moved by a point without any part in the subgroup.
    const moved = G2.fromBytes(signatures[0]!)
      .add(stray.multiplyUnsafe(R - 1n).add(stray))
      .toAffine()
    const bytes = Buffer.concat([Fp.toBytes(moved.x.c1), Fp.toBytes(moved.x.c0)])
    const isLarger = moved.y.c1 === 0n ? 2n * moved.y.c0 > Fp.ORDER : 2n * moved.y.c1 > Fp.ORDER
    bytes[0]! |= isLarger ? 0xa0 : 0x80
    expect(backend.verify(keys[0]!, message, bytes)).toBe(false)
    expect(backend.aggregateVerified([bytes, ...signatures.slice(1)], keys, message)).toBeUndefined()
  })

  test('keys that cancel each other out cannot make a forged message valid', () => {
    const opposite = backend.publicKeyFromSecret(negated)
    expect(backend.isValidPublicKey(opposite)).toBe(true)
    const cancelling = [signatures[0]!, backend.sign(negated, message)]
    expect(backend.aggregate(cancelling)).toBeUndefined()
    expect(backend.aggregateVerified(cancelling, [keys[0]!, opposite], message)).toBeUndefined()
    // The pair would sum to infinity and carry any message along with an honest signature.
    const groups = [
      { publicKeys: [keys[0]!, opposite], message: Buffer.from('forged') },
      { publicKeys: [keys[1]!], message },
    ]
    expect(backend.verifyMulti(groups, signatures[1]!)).toBe(false)
    expect(backend.verifyAggregate([keys[0]!, opposite], message, signatures[0]!)).toBe(false)
  })

  test('a signature is rejected after a flip of any bit', () => {
    for (let at = 0; at < 96; at += 7) {
      const broken = Buffer.from(signatures[0]!)
      broken[at]! ^= 0x10
      expect(backend.verify(keys[0]!, message, broken)).toBe(false)
    }
  })

  test('secrets outside [1, r) are refused', () => {
    const order = Buffer.from(R.toString(16), 'hex')
    const last = Buffer.from((R - 1n).toString(16), 'hex')
    for (const secret of [Buffer.alloc(32), Buffer.alloc(32, 0xff), order, Buffer.alloc(31, 1)]) {
      expect(() => backend.sign(secret, message)).toThrow()
      expect(() => backend.publicKeyFromSecret(secret)).toThrow()
    }
    expect(backend.publicKeyFromSecret(last).length).toBe(48)
  })
})

describe('proof of possession', () => {
  test('is bound to the key and differs from a signature over the key', () => {
    const pop = createPop(secrets[0]!)
    expect(verifyPop(keys[0]!, pop)).toBe(true)
    expect(verifyPop(keys[1]!, pop)).toBe(false)
    expect(verifyPop(keys[0]!, noble.sign(secrets[0]!, keys[0]!))).toBe(false)
    expect(noble.verify(keys[0]!, keys[0]!, pop)).toBe(false)
    expect(verifyPop(Buffer.alloc(48), pop)).toBe(false)
    expect(verifyPop(keys[0]!, Buffer.alloc(96))).toBe(false)
  })

  test('is cached if valid, and the cache makes no other proof valid', () => {
    const pop = createPop(secrets[0]!)
    const whole = Buffer.concat([keys[0]!, pop])
    expect([verifyPop(keys[0]!, pop), verifyPop(keys[0]!, pop)]).toEqual([true, true])
    for (const at of [0, 47, 49, 96, 144]) expect(verifyPop(whole.subarray(0, at), whole.subarray(at))).toBe(false)
    expect(verifyPop(keys[1]!, pop)).toBe(false)
    expect(verifyPop(keys[0]!, createPop(secrets[1]!))).toBe(false)
  })

  test('matches its pinned bytes', () => {
    expect(
      createPop(Buffer.from('01'.padStart(64, '0'), 'hex'))
        .toString('hex')
        .slice(0, 32),
    ).toMatchInlineSnapshot(`"abd367bf7fe788f30632c5d7e92a9958"`)
  })
})
