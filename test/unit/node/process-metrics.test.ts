/** Metrics of the process: those of the runtime made once, threads and caches by name, bytes on disk without a wait. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { Registry } from 'prom-client'
import { expect, it } from 'vitest'
import { metricsOf } from '../../../src/api/metrics.js'
import { cacheReads, countInto, countsForThread, GenerationCache, listThread } from '../../../src/crypto/index.js'
import { addRuntimeMetrics, collectProcess, collectStores } from '../../../src/node/status/process.js'
import { storeSizes } from '../../../src/storage/index.js'
import { until } from '../../support/ports.js'

const readsOf = (cache: string) => cacheReads().find((one) => one.cache === cache)

it('two nodes in one process share the runtime metrics', async () => {
  const [one, two] = [new Registry(), new Registry()]
  addRuntimeMetrics(one)
  addRuntimeMetrics(two)
  for (const name of [
    'process_resident_memory_bytes',
    'nodejs_eventloop_lag_p99_seconds',
    'nodejs_gc_duration_seconds',
  ]) {
    expect(one.getSingleMetric(name), name).toBeDefined()
    expect(one.getSingleMetric(name)).toBe(two.getSingleMetric(name))
  }
  expect(await one.metrics()).toMatch(/^process_resident_memory_bytes \d{7}/m)
})

it('the metrics show a thread by its name while it runs', async () => {
  const registry = new Registry()
  collectProcess(metricsOf(registry).process)
  const worker = new Worker("require('node:worker_threads').parentPort.on('message', () => {})", { eval: true })
  listThread('tested', worker)
  const isShown = async () =>
    /^node_thread_idle_seconds_total\{thread="tested"\} (?!0$)/m.test(await registry.metrics())
  await until('the thread', async () => (await isShown()) || undefined)
  expect(await registry.metrics()).toMatch(/^node_thread_active_seconds_total\{thread="main"\} \d/m)
  await worker.terminate()
  expect(await registry.metrics()).not.toContain('tested')
})

it('the metrics count hits and misses of a named cache, but not of an unnamed cache', () => {
  const before = readsOf('state_rows')
  const cache = new GenerationCache<number>(10, 'state_rows')
  cache.get('a')
  cache.set('a', 1)
  cache.get('a')
  cache.get('a')
  const unnamed = new GenerationCache<number>(10)
  unnamed.get('a')
  expect(readsOf('state_rows')).toEqual({
    cache: 'state_rows',
    hits: (before?.hits ?? 0) + 2,
    misses: (before?.misses ?? 0) + 1,
  })
})

it('the metrics include counters that other threads keep in shared memory', () => {
  const before = readsOf('blocks')?.hits ?? 0
  const counts = countsForThread()
  counts[0] = 5
  expect(readsOf('blocks')?.hits).toBe(before + 5)
  countInto(counts)
  new GenerationCache<number>(10, 'blocks').get('a')
  expect(counts[1]).toBe(1)
})

it('the metrics report store sizes by file name, and unknown files as other', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-stores-'))
  try {
    await mkdir(join(folder, 'blocks', 'lane_000_default'), { recursive: true })
    await writeFile(join(folder, 'blocks', 'lane_000_default', 'segment'), Buffer.alloc(100_000, 1))
    await writeFile(join(folder, 'votes.log'), Buffer.alloc(5_000, 1))
    await writeFile(join(folder, 'divergence-7.json'), 'x')
    const sizes = await storeSizes(folder)
    expect(sizes.get('blocks')).toBeGreaterThanOrEqual(100_000)
    expect(sizes.get('votes')).toBeGreaterThanOrEqual(5_000)
    expect(sizes.get('other')).toBeGreaterThan(0)
    expect(sizes.get('snapshots')).toBe(0)
    const registry = new Registry()
    collectStores(metricsOf(registry).process, folder)
    // The first look begins with the first scrape, which does not wait for it.
    expect(await registry.metrics()).not.toContain('store="votes"')
    const isShown = async () => (await registry.metrics()).includes('node_store_bytes{store="votes"}')
    await until('the sizes', async () => (await isShown()) || undefined)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

it('the metric of store sizes is empty if the folder cannot be read', async () => {
  const registry = new Registry()
  collectStores(metricsOf(registry).process, join(tmpdir(), 'causeway-no-such-folder'))
  await registry.metrics()
  expect(await registry.metrics()).not.toContain('node_store_bytes{')
})
