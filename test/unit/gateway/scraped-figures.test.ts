/** Figures of the ledger behind metrics: read by scrapes alone, seldom, and never for long. */
import { Registry } from 'prom-client'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { collectAwaited, defineMetrics } from '../../../src/api/metrics.js'
import { ScrapedFigures } from '../../../src/api/scraped-figures.js'

describe('metrics read from the ledger at a scrape', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  function ledger() {
    const state = { height: 1, reads: 0, answer: (reads: number): Promise<string> => Promise.resolve(`read ${reads}`) }
    const figures = new ScrapedFigures('nothing yet', {
      read: () => {
        state.reads += 1
        return state.answer(state.reads)
      },
      height: () => state.height,
      monotonicMs: () => performance.now(),
      logger: { debug: () => undefined },
    })
    return { state, current: figures.current }
  }

  it('are read only at a scrape, and again only after a new block and a second', async () => {
    const { state, current } = ledger()
    state.height = 5
    await vi.advanceTimersByTimeAsync(10_000)
    expect(state.reads).toBe(0)
    expect(await Promise.all([current(), current(), current()])).toEqual(['read 1', 'read 1', 'read 1'])
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await current()).toBe('read 1')
    state.height = 6
    expect([await current(), await current()]).toEqual(['read 2', 'read 2'])
    state.height = 7
    await vi.advanceTimersByTimeAsync(900)
    expect(await current()).toBe('read 2')
    await vi.advanceTimersByTimeAsync(100)
    expect([await current(), state.reads]).toEqual(['read 3', 3])
  })

  it('keep their last values if the ledger fails or is slow, with at most one pending request', async () => {
    const { state, current } = ledger()
    await current()
    state.height = 2
    await vi.advanceTimersByTimeAsync(1_000)
    let answer = (_: string): void => undefined
    state.answer = () =>
      new Promise((resolve) => {
        answer = resolve
      })
    for (let scrape = 0; scrape < 3; scrape++) {
      const waiting = current()
      await vi.advanceTimersByTimeAsync(500)
      expect(await waiting).toBe('read 1')
    }
    expect(state.reads).toBe(2)
    answer('late')
    await vi.advanceTimersByTimeAsync(1)
    expect(await current()).toBe('late')
    state.height = 3
    await vi.advanceTimersByTimeAsync(1_000)
    state.answer = () => Promise.reject(new Error('the ledger is closed'))
    expect(await current()).toBe('late')
    expect(vi.getTimerCount()).toBe(0)
  })

  it('replace the old series of a metric', async () => {
    const { state, current } = ledger()
    const registry = new Registry()
    const { gauge } = defineMetrics((meters) => ({ gauge: meters.gauge('figures', 'For this test', ['what']) }))(
      registry,
    )
    collectAwaited(gauge, current, (what) => [[{ what }, 1]])
    expect(await registry.metrics()).toContain('figures{what="read 1"} 1')
    state.height = 2
    await vi.advanceTimersByTimeAsync(1_000)
    const second = await registry.metrics()
    expect(second).toContain('figures{what="read 2"} 1')
    expect(second).not.toContain('read 1')
  })
})
