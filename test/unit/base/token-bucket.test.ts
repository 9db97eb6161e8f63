import { expect, it } from 'vitest'
import { TokenBucket } from '../../../src/base/token-bucket.js'

const RATE = { perSecond: 10, burst: 20 }

it('a token bucket is full at first, and grants no more than its burst', () => {
  const bucket = new TokenBucket(RATE, 0)
  expect(bucket.take(20, 0)).toBe(0)
  expect(bucket.take(5, 0)).toBe(0.5)
})

it('a token bucket with too few tokens refuses a request, and grants it after the returned delay', () => {
  const bucket = new TokenBucket(RATE, 0)
  bucket.take(18, 0)
  expect(bucket.take(5, 0)).toBeCloseTo(0.3)
  expect(bucket.take(5, 299)).toBeGreaterThan(0)
  expect(bucket.take(5, 300)).toBe(0)
})

it('a token bucket refills up to its burst', () => {
  const bucket = new TokenBucket(RATE, 0)
  expect(bucket.take(20, 0)).toBe(0)
  expect(bucket.take(20, 3_600_000)).toBe(0)
  expect(bucket.take(1, 3_600_000)).toBeGreaterThan(0)
})

it('a token bucket accepts unused tokens back, up to its burst', () => {
  const bucket = new TokenBucket(RATE, 0)
  bucket.take(15, 0)
  bucket.give(100)
  expect(bucket.take(20, 0)).toBe(0)
  expect(bucket.take(1, 0)).toBeGreaterThan(0)
})

it('a token bucket loses no tokens if it is called with an earlier time', () => {
  const bucket = new TokenBucket(RATE, 1_000)
  bucket.take(10, 1_000)
  expect(bucket.take(10, 0)).toBe(0)
})
