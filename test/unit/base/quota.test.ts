/** Places that parties share: what is refused, and why. */
import { expect, it } from 'vitest'
import { Quota } from '../../../src/base/quota.js'

it('a quota reports whether the share of the party or the total is exhausted', () => {
  const quota = new Quota<string>({ total: 3, perParty: 2 })
  expect([quota.take('a'), quota.take('a'), quota.take('a')]).toEqual([true, true, false])
  expect(quota.refusal('a')).toBe('share')
  expect(quota.take('b')).toBe(true)
  expect(quota.refusal('b')).toBe('total')
  quota.give('a')
  expect([quota.size, quota.of('a'), quota.refusal('b')]).toEqual([2, 1, undefined])
})

it('a quota gives its reserve only to preferred requests', () => {
  const quota = new Quota<string>({ total: 2, perParty: 2, reserve: 1 })
  expect(quota.take('a')).toBe(true)
  expect([quota.refusal('b'), quota.refusal('b', true)]).toEqual(['total', undefined])
})

it('a quota refuses to release a slot that was not acquired', () => {
  expect(() => new Quota<string>({ total: 1, perParty: 1 }).give('a')).toThrow('does not hold one')
})
