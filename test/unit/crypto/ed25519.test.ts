// Checks the Ed25519 rule on RFC 8032 vectors and on crafted input, with both backends giving equal verdicts.
import { createHash } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  ed25519PublicKey,
  ed25519Signer,
  isAcceptableEd25519Key,
  loadFastEd25519,
  signEd25519,
  useEd25519Backend,
  verifyEd25519,
  verifyEd25519Batch,
} from '../../../src/crypto/ed25519.js'

const Point = ed25519.Point
const L = Point.Fn.ORDER
const P = Point.Fp.ORDER

const littleEndian = (value: bigint): Buffer => {
  const bytes = Buffer.from(value.toString(16).padStart(64, '0'), 'hex')
  return bytes.reverse()
}
const fromLittleEndian = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`)

/** The eight points of small order. */
const torsion = (() => {
  // Multiplying any point by L leaves its small-order part: search one of order 8.
  for (let y = 2n; ; y += 1n) {
    try {
      const point = Point.fromBytes(littleEndian(y), true)
      const small = point.multiplyUnsafe(L - 1n).add(point)
      if (!small.double().double().is0()) {
        const all = [Point.ZERO]
        for (let at = 1; at < 8; at += 1) all.push(all[at - 1]!.add(small))
        return all
      }
    } catch {
      // Not on the curve.
    }
  }
})()

let hasSodium = false
beforeAll(async () => {
  hasSodium = await loadFastEd25519()
})
afterEach(() => useEd25519Backend('auto'))

/** The verdict, after asserting that every backend gives it. */
function verifies(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  useEd25519Backend('node')
  const byNode = verifyEd25519(publicKey, message, signature)
  if (hasSodium) {
    useEd25519Backend('sodium')
    expect(verifyEd25519(publicKey, message, signature)).toBe(byNode)
  }
  return byNode
}

/** A signature over crafted points: R = r*B + T1 and A = a*B + T2, with the scalar an honest signer would give. */
function crafted(message: Uint8Array, t1: number, t2: number, a: bigint, r: bigint) {
  const pointA = a === 0n ? torsion[t2]! : Point.BASE.multiply(a).add(torsion[t2]!)
  const pointR = r === 0n ? torsion[t1]! : Point.BASE.multiply(r).add(torsion[t1]!)
  const publicKey = Buffer.from(pointA.toBytes())
  const encodedR = Buffer.from(pointR.toBytes())
  const digest = createHash('sha512').update(encodedR).update(publicKey).update(message).digest()
  const k = fromLittleEndian(digest) % L
  const s = (r + k * a) % L
  return { publicKey, signature: Buffer.concat([encodedR, littleEndian(s)]), k }
}

describe('ed25519', () => {
  test('matches the RFC 8032 vectors', () => {
    const vectors = [
      [
        '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
        '',
        'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
        'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
      ],
      [
        '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb',
        '72',
        '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
        '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
      ],
    ] as const
    for (const [seed, message, publicKey, signature] of vectors) {
      expect(ed25519PublicKey(Buffer.from(seed, 'hex')).toString('hex')).toBe(publicKey)
      expect(signEd25519(Buffer.from(seed, 'hex'), Buffer.from(message, 'hex')).toString('hex')).toBe(signature)
      expect(verifies(Buffer.from(publicKey, 'hex'), Buffer.from(message, 'hex'), Buffer.from(signature, 'hex'))).toBe(
        true,
      )
    }
  })

  test('both backends create the same signatures, even for data in shared memory', () => {
    for (let round = 0; round < 50; round += 1) {
      const signer = ed25519Signer(Buffer.alloc(32, round))
      const message = Buffer.alloc(3 * round, round)
      const shared = new Uint8Array(new SharedArrayBuffer(message.length))
      shared.set(message)
      useEd25519Backend('node')
      const expected = signer.sign(message)
      useEd25519Backend('sodium')
      expect(signer.sign(message)).toEqual(expected)
      expect(signer.sign(shared)).toEqual(expected)
    }
  })

  test('refuses tampering and wrong lengths', () => {
    const signer = ed25519Signer(Buffer.alloc(32, 7))
    const message = Buffer.from('pay 10')
    const signature = signer.sign(message)
    expect(verifies(signer.publicKey, message, signature)).toBe(true)
    for (let at = 0; at < 64; at += 1) {
      const broken = Buffer.from(signature)
      broken[at]! ^= 1
      expect(verifies(signer.publicKey, message, broken)).toBe(false)
    }
    expect(verifies(signer.publicKey, Buffer.from('pay 11'), signature)).toBe(false)
    expect(verifies(signer.publicKey.subarray(1), message, signature)).toBe(false)
    expect(verifies(signer.publicKey, message, signature.subarray(1))).toBe(false)
    expect(verifies(signer.publicKey, message, Buffer.concat([signature, Buffer.of(0)]))).toBe(false)
    expect(verifies(Buffer.alloc(0), message, Buffer.alloc(0))).toBe(false)
  })

  test('rejects S + L and S >= L, and accepts the largest S of an honest signer', () => {
    const signer = ed25519Signer(Buffer.alloc(32, 9))
    const message = Buffer.from('malleable')
    const signature = signer.sign(message)
    const s = fromLittleEndian(signature.subarray(32))
    for (let multiple = 1n; s + multiple * L < 1n << 256n; multiple += 1n) {
      const shifted = Buffer.concat([signature.subarray(0, 32), littleEndian(s + multiple * L)])
      expect(verifies(signer.publicKey, message, shifted)).toBe(false)
    }
    for (const bad of [L, L + 1n, (1n << 256n) - 1n]) {
      expect(verifies(signer.publicKey, message, Buffer.concat([signature.subarray(0, 32), littleEndian(bad)]))).toBe(
        false,
      )
    }
  })

  test('the small-order table contains exactly the eight points, with either sign bit and with y beyond p', () => {
    const ys = new Set(torsion.map((point) => point.y))
    expect(ys.size).toBe(5)
    for (const y of ys) {
      for (const sign of [0n, 1n << 255n]) {
        expect(isAcceptableEd25519Key(littleEndian(y + sign))).toBe(false)
        if (y + P < 1n << 255n) expect(isAcceptableEd25519Key(littleEndian(y + P + sign))).toBe(false)
      }
    }
    for (let y = P; y < 1n << 255n; y += 1n) expect(isAcceptableEd25519Key(littleEndian(y))).toBe(false)
    expect(isAcceptableEd25519Key(littleEndian(P - 2n))).toBe(true)
    expect(isAcceptableEd25519Key(Buffer.alloc(31, 5))).toBe(false)
  })

  test('refuses small order A and R even if the equation is satisfied', () => {
    const message = Buffer.from('crafted')
    for (let t1 = 0; t1 < 8; t1 += 1) {
      for (let t2 = 0; t2 < 8; t2 += 1) {
        for (const [a, r] of [
          [0n, 0n],
          [0n, 5n],
          [7n, 0n],
        ] as const) {
          const { publicKey, signature } = crafted(message, t1, t2, a, r)
          expect(verifies(publicKey, message, signature)).toBe(false)
        }
      }
    }
  })

  test('mixed order keys follow the cofactorless equation', () => {
    let accepted = 0
    for (let round = 0; round < 80; round += 1) {
      const message = Buffer.from(`mixed ${round}`)
      const t2 = 1 + (round % 7)
      const { publicKey, signature, k } = crafted(message, 0, t2, BigInt(11 + round), BigInt(5 + round))
      // S*B = R + k*A holds exactly when k*T2 vanishes.
      const expected = torsion[t2]!.multiplyUnsafe(k % 8n === 0n ? 8n : k % 8n).is0()
      expect(verifies(publicKey, message, signature)).toBe(expected)
      if (expected) accepted += 1
      // A mixed R never matches byte for byte unless both parts cancel.
      const mixedR = crafted(message, 1 + (round % 7), 0, BigInt(11 + round), BigInt(5 + round))
      expect(verifies(mixedR.publicKey, message, mixedR.signature)).toBe(false)
    }
    expect(accepted).toBeGreaterThan(0)
  })

  test('non-canonical and off-curve keys return false without an exception', () => {
    const signer = ed25519Signer(Buffer.alloc(32, 3))
    const message = Buffer.from('m')
    const signature = signer.sign(message)
    for (let round = 0; round < 300; round += 1) {
      const key = createHash('sha256').update(`key ${round}`).digest()
      expect(verifies(key, message, signature)).toBe(false)
    }
    for (const fill of [0x00, 0xff, 0x7f, 0x80])
      expect(verifies(Buffer.alloc(32, fill), message, signature)).toBe(false)
  })

  test('signatures in shared memory are verified like others', () => {
    const signer = ed25519Signer(Buffer.alloc(32, 4))
    const message = Buffer.from('shared')
    const share = (bytes: Uint8Array) => {
      const shared = Buffer.from(new SharedArrayBuffer(bytes.length))
      shared.set(bytes)
      return shared
    }
    const signature = signer.sign(message)
    expect(verifies(share(signer.publicKey), share(message), share(signature))).toBe(true)
    expect(verifies(share(signer.publicKey), share(Buffer.from('sharee')), share(signature))).toBe(false)
    const plain = new Uint8Array(message)
    expect(verifies(new Uint8Array(signer.publicKey), plain, new Uint8Array(signature))).toBe(true)
  })

  test('batches return results in order', () => {
    const signer = ed25519Signer(Buffer.alloc(32, 5))
    const items = [0, 1, 2].map((at) => {
      const message = Buffer.of(at)
      return { publicKey: signer.publicKey, message, signature: signer.sign(at === 1 ? Buffer.of(9) : message) }
    })
    expect(verifyEd25519Batch(items)).toEqual([true, false, true])
  })
})
