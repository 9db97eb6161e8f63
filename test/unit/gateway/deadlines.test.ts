/** Deadlines: each is late once or met, in any order, under one timer. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Deadlines } from '../../../src/gateway/deadlines.js'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

it('each unmet deadline expires once, at its own time', () => {
  const deadlines = new Deadlines(100)
  const late: string[] = []
  const a = deadlines.start(() => late.push('a'))
  vi.advanceTimersByTime(40)
  const b = deadlines.start(() => late.push('b'))
  const c = deadlines.start(() => late.push('c'))
  vi.advanceTimersByTime(59)
  expect(deadlines.met(b)).toBe(true)
  expect(late).toEqual([])
  vi.advanceTimersByTime(1)
  expect(late).toEqual(['a'])
  expect(deadlines.met(a)).toBe(false)
  vi.advanceTimersByTime(40)
  expect(late).toEqual(['a', 'c'])
  expect(deadlines.met(c)).toBe(false)
  expect(vi.getTimerCount()).toBe(0)
  deadlines.start(() => late.push('d'))
  vi.advanceTimersByTime(100)
  expect(late).toEqual(['a', 'c', 'd'])
})

it('deadlines share one timer', () => {
  const deadlines = new Deadlines(100)
  const waiting = Array.from({ length: 1_000 }, () => deadlines.start(() => undefined))
  expect(vi.getTimerCount()).toBe(1)
  for (const one of waiting) expect(deadlines.met(one)).toBe(true)
  vi.advanceTimersByTime(100)
  expect(vi.getTimerCount()).toBe(0)
})
