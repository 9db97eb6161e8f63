// Checks secp256k1: signing and verifying agree, high S and malformed input are refused.
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { describe, expect, test } from 'vitest'
import {
  isAcceptableSecp256k1Key,
  isSecp256k1Secret,
  secp256k1PublicKey,
  verifySecp256k1,
} from '../../../src/crypto/secp256k1.js'
import { signSecp256k1 } from '../../../src/crypto/secp256k1-sign.js'

const N = secp256k1.Point.Fn.ORDER
const bigEndian = (value: bigint) => Buffer.from(value.toString(16).padStart(64, '0'), 'hex')
const secret = Buffer.alloc(32, 0x11)
const publicKey = secp256k1PublicKey(secret)

describe('secp256k1', () => {
  test('the public key is the compressed point', () => {
    expect(publicKey).toEqual(Buffer.from(secp256k1.getPublicKey(secret, true)))
    expect(isAcceptableSecp256k1Key(publicKey)).toBe(true)
  })

  test('accepts its own signatures and refuses their high S form', () => {
    for (let round = 0; round < 50; round += 1) {
      const message = Buffer.from(`message ${round}`)
      const signature = signSecp256k1(secret, message)
      expect(signature.length).toBe(64)
      expect(verifySecp256k1(publicKey, message, signature)).toBe(true)
      expect(verifySecp256k1(publicKey, Buffer.from('other'), signature)).toBe(false)
      const s = BigInt(`0x${signature.subarray(32).toString('hex')}`)
      const malleated = Buffer.concat([signature.subarray(0, 32), bigEndian(N - s)])
      expect(verifySecp256k1(publicKey, message, malleated)).toBe(false)
    }
  })

  test('the value S is rejected without an exception at and beyond the low-S limit', () => {
    const message = Buffer.from('border')
    const half = N >> 1n
    // Neither is a valid signature; the point is that neither throws and that the byte check has the right constant.
    for (const s of [half, half + 1n, N - 1n, N, 0n, 1n]) {
      const signature = Buffer.concat([signSecp256k1(secret, message).subarray(0, 32), bigEndian(s)])
      expect(verifySecp256k1(publicKey, message, signature)).toBe(false)
    }
    const zeroR = Buffer.concat([Buffer.alloc(32), signSecp256k1(secret, message).subarray(32)])
    expect(verifySecp256k1(publicKey, message, zeroR)).toBe(false)
  })

  test('malformed keys give false, never an exception', () => {
    const message = Buffer.from('m')
    const signature = signSecp256k1(secret, message)
    const uncompressed = Buffer.from(secp256k1.getPublicKey(secret, false))
    const hybrid = Buffer.concat([Buffer.of(6), publicKey.subarray(1)])
    const beyond = Buffer.concat([Buffer.of(2), Buffer.alloc(32, 0xff)])
    for (const key of [uncompressed, hybrid, beyond, Buffer.alloc(33), Buffer.alloc(0), publicKey.subarray(1)]) {
      expect(verifySecp256k1(key, message, signature)).toBe(false)
      expect(isAcceptableSecp256k1Key(key)).toBe(false)
    }
    const flipped = Buffer.from(publicKey)
    flipped[0]! ^= 1
    expect(verifySecp256k1(flipped, message, signature)).toBe(false)
  })

  test('secrets must be in [1, n)', () => {
    expect(isSecp256k1Secret(bigEndian(0n))).toBe(false)
    expect(isSecp256k1Secret(bigEndian(1n))).toBe(true)
    expect(isSecp256k1Secret(bigEndian(N - 1n))).toBe(true)
    expect(isSecp256k1Secret(bigEndian(N))).toBe(false)
    expect(isSecp256k1Secret(Buffer.alloc(31, 1))).toBe(false)
  })
})
