// Checks the tagged hash, the PRF stream and their layout against an independent BLAKE3.
import { blake3 as nobleBlake3 } from '@noble/hashes/blake3.js'
import { describe, expect, test } from 'vitest'
import { innerHashWords, wordsOf } from '../../../src/crypto/hash.js'
import { blake3, hash, innerHash, prfStream } from '../../../src/crypto/index.js'

const u32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** The definition of the tagged hash, written out. */
const reference = (tag: string, ...parts: Uint8Array[]) =>
  Buffer.from(
    nobleBlake3(
      Buffer.concat([Buffer.of(tag.length), Buffer.from(tag), ...parts.flatMap((part) => [u32(part.length), part])]),
    ),
  )

describe('hash', () => {
  test('matches an independent BLAKE3 for every path through the scratch buffer', () => {
    for (const size of [0, 1, 31, 64, 1000, 16_000, 16_370, 16_384, 20_000, 70_000]) {
      const bytes = Buffer.alloc(size, size % 251)
      expect(blake3(bytes)).toEqual(Buffer.from(nobleBlake3(bytes)))
      expect(hash('t', bytes)).toEqual(reference('t', bytes))
      expect(hash('longer-tag', bytes, Buffer.of(1), bytes)).toEqual(
        reference('longer-tag', bytes, Buffer.of(1), bytes),
      )
    }
    expect(hash('empty')).toEqual(reference('empty'))
  })

  test('matches the independent BLAKE3 for every short input length, each after a longer input', () => {
    for (let size = 1_100; size >= 0; size -= 1) {
      const bytes = Buffer.from(Array.from({ length: size }, (_, at) => (at * 31 + size * 7) & 0xff))
      expect(hash('t', bytes)).toEqual(reference('t', bytes))
      expect(hash('t', bytes.subarray(0, size >>> 1), bytes.subarray(size >>> 1))).toEqual(
        reference('t', bytes.subarray(0, size >>> 1), bytes.subarray(size >>> 1)),
      )
    }
  })

  test('matches the independent BLAKE3 for many inner nodes', () => {
    let left = hash('left')
    let right = hash('right')
    const target = Buffer.alloc(96)
    const pair = Buffer.alloc(3 * 32)
    for (let round = 0; round < 5_000; round += 1) {
      const expected = Buffer.from(nobleBlake3(Buffer.concat([left, right])))
      const inner = innerHash(left, right)
      if (!inner.equals(expected)) throw new Error(`another digest in round ${round}`)
      pair.set(right, 0)
      pair.set(left, 64)
      innerHashWords(wordsOf(pair), 16, wordsOf(pair), 0, wordsOf(target), 8)
      if (!target.subarray(32, 64).equals(expected)) throw new Error(`another digest in place in round ${round}`)
      left = right
      right = inner
    }
    expect(target.subarray(0, 32)).toEqual(Buffer.alloc(32))
    expect(target.subarray(64)).toEqual(Buffer.alloc(32))
  })

  test('matches its pinned values', () => {
    expect(hash('test', Buffer.from('abc')).toString('hex')).toBe(reference('test', Buffer.from('abc')).toString('hex'))
    expect(blake3(Buffer.alloc(0)).toString('hex')).toBe(
      'af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262',
    )
  })

  test('separates tags and the boundaries of parts', () => {
    const seen = [
      hash('a', Buffer.from('bc')),
      hash('ab', Buffer.from('c')),
      hash('a', Buffer.from('b'), Buffer.from('c')),
      hash('a', Buffer.from('bc'), Buffer.alloc(0)),
      hash('a', Buffer.alloc(0), Buffer.from('bc')),
    ].map((digest) => digest.toString('hex'))
    expect(new Set(seen).size).toBe(seen.length)
  })

  test('returns results that do not share memory', () => {
    const first = hash('a')
    const kept = Buffer.from(first)
    hash('b')
    innerHash(first, first)
    expect(first).toEqual(kept)
  })

  test('the hash of an inner node covers exactly its two children', () => {
    const left = hash('l')
    const right = hash('r')
    expect(innerHash(left, right)).toEqual(Buffer.from(nobleBlake3(Buffer.concat([left, right]))))
  })

  test('refuses tags that are not ASCII literals', () => {
    expect(() => hash('')).toThrow(/tag/)
    expect(() => hash('é')).toThrow(/tag/)
    expect(() => hash('x'.repeat(256))).toThrow(/tag/)
  })
})

describe('prf stream', () => {
  test('draws are the big-endian u64 values of the blocks, reduced to the range', () => {
    const key = Buffer.from('key')
    const words: bigint[] = []
    for (let block = 0; block < 3; block += 1) {
      const digest = reference('prf', key, u32(block))
      for (let at = 0; at < 4; at += 1) words.push(digest.readBigUInt64BE(8 * at))
    }
    const stream = prfStream(key)
    for (const word of words) expect(stream.draw(1000)).toBe(Number(word % 1000n))
  })

  test('rejects draws above the largest multiple of the range', () => {
    // With n just above half of 2^53 hardly anything is rejected at u64, so count only that all residues stay in range.
    const stream = prfStream(Buffer.from('reject'))
    for (let round = 0; round < 2000; round += 1) {
      const n = 1 + (round % 13)
      const drawn = stream.draw(n)
      expect(drawn >= 0 && drawn < n).toBe(true)
    }
    expect(() => stream.draw(0)).toThrow()
    expect(() => stream.draw(1.5)).toThrow()
  })

  test('shuffles are permutations, reproducible, and close to uniform', () => {
    const items = [0, 1, 2, 3]
    const counts = new Map<string, number>()
    for (let seed = 0; seed < 4800; seed += 1) {
      const shuffled = prfStream(u32(seed)).shuffle(items)
      expect([...shuffled].sort()).toEqual(items)
      const name = shuffled.join('')
      counts.set(name, (counts.get(name) ?? 0) + 1)
    }
    expect(counts.size).toBe(24)
    for (const count of counts.values()) expect(count).toBeGreaterThan(130)
    expect(prfStream(u32(7)).shuffle(items)).toEqual(prfStream(u32(7)).shuffle(items))
    expect(items).toEqual([0, 1, 2, 3])
  })
})
