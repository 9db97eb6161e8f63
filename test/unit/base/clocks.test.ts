import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { SYSTEM_CLOCKS } from '../../../src/base/clocks.js'

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'performance'], now: 1_800_000_000_000 }))
afterEach(() => void vi.useRealTimers())

it('clocks return the time since the epoch, and monotonic time even if the wall clock is set back', () => {
  const { wallMs, monotonicMs } = SYSTEM_CLOCKS
  const sinceMs = monotonicMs()
  expect(wallMs()).toBe(1_800_000_000_000)
  vi.advanceTimersByTime(50)
  expect(wallMs()).toBe(1_800_000_000_050)
  expect(monotonicMs() - sinceMs).toBe(50)
  vi.setSystemTime(0)
  expect(wallMs()).toBe(0)
  expect(monotonicMs() - sinceMs).toBe(50)
})
