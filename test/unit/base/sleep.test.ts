import { getEventListeners } from 'node:events'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { sleep } from '../../../src/base/sleep.js'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** True if a sleep is over, once its microtasks have run. */
function watched(slept: Promise<void>): () => Promise<boolean> {
  let over = false
  void slept.then(() => {
    over = true
  })
  return async () => {
    await vi.advanceTimersByTimeAsync(0)
    return over
  }
}

it('sleep resolves after its delay, and not earlier', async () => {
  const isOver = watched(sleep(50))
  await vi.advanceTimersByTimeAsync(49)
  expect(await isOver()).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(await isOver()).toBe(true)
})

it('sleep resolves when the signal is aborted, and clears its timer', async () => {
  const { signal, abort } = controller()
  const isOver = watched(sleep(50, { signal }))
  expect(await isOver()).toBe(false)
  abort()
  expect(await isOver()).toBe(true)
  expect(vi.getTimerCount()).toBe(0)
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

it('sleep resolves at once if the signal is already aborted, without a timer or a listener', async () => {
  const signal = AbortSignal.abort()
  const isOver = watched(sleep(50, { signal }))
  expect(vi.getTimerCount()).toBe(0)
  expect(getEventListeners(signal, 'abort')).toEqual([])
  expect(await isOver()).toBe(true)
})

it('sleep removes its listener after its delay', async () => {
  const { signal } = controller()
  const isOver = watched(sleep(50, { signal }))
  expect(getEventListeners(signal, 'abort')).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(50)
  expect(await isOver()).toBe(true)
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

it('sleep keeps the process alive by default', () => {
  const timers: NodeJS.Timeout[] = []
  const set = globalThis.setTimeout
  const spy = vi.spyOn(globalThis, 'setTimeout').mockImplementation(((done: () => void, ms: number) => {
    const timer = set(done, ms)
    timers.push(timer)
    return timer
  }) as typeof setTimeout)
  void sleep(50)
  void sleep(50, { ref: false })
  spy.mockRestore()
  expect(timers.map((timer) => timer.hasRef())).toEqual([true, false])
})

function controller(): { readonly signal: AbortSignal; readonly abort: () => void } {
  const made = new AbortController()
  return { signal: made.signal, abort: () => made.abort() }
}
