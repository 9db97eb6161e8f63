// Checks the two-generation cache: its bound, ageing, and that an old value never comes back.
import { expect, test } from 'vitest'
import { GenerationCache } from '../../../src/crypto/index.js'

test('a generation cache stays within its bound and keeps used entries', () => {
  const cache = new GenerationCache<number>(100)
  for (let at = 0; at < 10_000; at += 1) {
    cache.set(`key ${at}`, at, 1 + (at % 7))
    cache.get('key 3')
    expect(cache.weight).toBeLessThanOrEqual(100)
  }
  expect(cache.get('key 3')).toBe(3)
  expect(cache.get('key 4')).toBeUndefined()
  expect(cache.get('key 9999')).toBe(9999)
})

test('an overwritten or deleted value never reappears from the old generation', () => {
  const cache = new GenerationCache<number>(8)
  cache.set('a', 1)
  for (const filler of ['b', 'c', 'd', 'e']) cache.set(filler, 0)
  cache.set('a', 2)
  expect(cache.get('a')).toBe(2)
  cache.delete('a')
  expect(cache.get('a')).toBeUndefined()
  cache.set('b', 5, 100)
  expect(cache.get('b')).toBeUndefined()
  cache.clear()
  expect(cache.weight).toBe(0)
})
