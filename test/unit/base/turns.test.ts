/** Turns of a thread: which request is next, what the event loop does between two, and the share of a class. */
import { readFile } from 'node:fs/promises'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { TURN_BURST_MS, Turns } from '../../../src/base/turns.js'

const SHARE = 0.25
const CLASSES = { first: { atOnce: 8 }, second: { atOnce: 1 }, last: { atOnce: 2, share: SHARE } } as const
type Class = keyof typeof CLASSES

/** A thread whose time passes when a request says so, or when it waits. */
class Thread {
  busy = 0
  idle = 0
  readonly begun: string[] = []
  readonly turns = new Turns<Class>(CLASSES, {
    busyMs: () => this.busy,
    monotonicMs: () => this.busy + this.idle,
  })

  /** A request that holds the thread for some time. */
  hold(name: Class, label: string, ms: number): Promise<void> {
    return this.turns.take(name, () => {
      this.begun.push(label)
      this.busy += ms
    })
  }
}

describe('turns on a thread', () => {
  it('serve the most urgent class first, and within a class the oldest request', async () => {
    const thread = new Thread()
    const all = (['last', 'second', 'first'] as const).flatMap((name) =>
      [1, 2].map((at) => thread.hold(name, `${name} ${at}`, 1)),
    )
    await Promise.all(all)
    expect(thread.begun).toEqual(['first 1', 'first 2', 'second 1', 'second 2', 'last 1', 'last 2'])
  })

  it('start an urgent request before all waiting ones, at most one request after its arrival', async () => {
    const thread = new Thread()
    const slow = Array.from({ length: 20 }, (_, at) => thread.hold('last', `slow ${at}`, 1))
    let came = -1
    const urgent = thread.turns.take('last', () => {
      came = thread.begun.length
      return thread.hold('first', 'urgent', 1)
    })
    await Promise.all([...slow, urgent])
    expect(thread.begun.indexOf('urgent')).toBeLessThanOrEqual(came + 1)
  })

  it('yield to the event loop between two requests, so that a file is read meanwhile', async () => {
    const turns = new Turns({ only: { atOnce: 1 } })
    let [done, isRead] = [0, false]
    const next = (): Promise<void> =>
      turns.take('only', () => {
        done += 1
        const end = performance.now() + 5
        while (performance.now() < end);
        if (!isRead && done < 2_000) void Promise.all([next(), next()])
      })
    const reading = turns
      .take('only', () => readFile(new URL(import.meta.url)))
      .then(() => {
        isRead = true
      })
    await Promise.all([next(), next(), next(), next(), reading])
    expect(done).toBeLessThan(2_000)
  })

  it('run at most the allowed number of requests of a class', async () => {
    const turns = new Turns<Class>(CLASSES)
    let [now, most] = [0, 0]
    await Promise.all(
      Array.from({ length: 12 }, () =>
        turns.take('last', async () => {
          now += 1
          most = Math.max(most, now)
          for (let at = 0; at < 5; at += 1) await new Promise((resolve) => setImmediate(resolve))
          now -= 1
        }),
      ),
    )
    expect(most).toBe(CLASSES.last.atOnce)
  })

  it('reject with the error of a request, and continue', async () => {
    const turns = new Turns<Class>(CLASSES)
    const failing = turns.take('first', () => {
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    await expect(turns.take('first', async () => Promise.reject(new Error('late')))).rejects.toThrow('late')
    expect(await turns.take('second', () => 'yes')).toBe('yes')
  })
})

describe('a class with a share', () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate'] }))
  afterEach(() => vi.useRealTimers())

  /** Lets time pass in which the thread does nothing else. */
  async function rest(thread: Thread, ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += 1) {
      thread.idle += 1
      await vi.advanceTimersByTimeAsync(1)
    }
  }

  it('pauses after using its share of the time, without pausing other classes', async () => {
    const thread = new Thread()
    for (let at = 0; at < 1_000; at += 1) void thread.hold('last', 'last', 20)
    await rest(thread, 2_000)
    const used = 20 * thread.begun.length
    expect(used).toBeGreaterThan(SHARE * 2_000)
    void thread.hold('first', 'first', 1)
    await vi.advanceTimersByTimeAsync(0)
    expect(thread.begun.at(-1)).toBe('first')
  })

  it('never exceeds its share plus one burst, whatever the load', async () => {
    const request = fc.record({
      name: fc.constantFrom<Class>('first', 'second', 'last'),
      ms: fc.integer({ min: 0, max: 40 }),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(request, { minLength: 1, maxLength: 200 }),
        fc.integer({ min: 1, max: 400 }),
        async (requests, ms) => {
          const thread = new Thread()
          let used = 0
          for (const { name, ms: takes } of requests) {
            void thread.turns.take(name, () => {
              thread.busy += takes
              if (name === 'last') used += takes
            })
          }
          await rest(thread, ms)
          const longest = Math.max(...requests.map((one) => one.ms))
          const passed = thread.busy + thread.idle
          expect(used).toBeLessThanOrEqual(SHARE * passed + TURN_BURST_MS + CLASSES.last.atOnce * longest)
        },
      ),
      { numRuns: 40 },
    )
  })
})
