/** Owns the metrics of the process and of its disk: the runtime, threads, caches, bytes by store. */
import { collectDefaultMetrics, Registry } from 'prom-client'
import { collectFrom, type Metrics, oncePerScrape } from '../../api/metrics.js'
import { SYSTEM_CLOCKS } from '../../base/clocks.js'
import { cacheReads, threadTimes } from '../../crypto/index.js'
import { storeSizes } from '../../storage/index.js'

/** Minimum interval between measurements of a node's files, in ms, since a state has thousands of files. */
const SIZES_EVERY_MS = 60_000

let runtime: Registry | undefined

/**
 * Add the metrics of the runtime: memory, processor time, event loop delay, garbage collection, descriptors. They exist
 * once per process and are shared by the registries of its nodes.
 */
export function addRuntimeMetrics(registry: Registry): void {
  if (runtime === undefined) {
    runtime = new Registry()
    collectDefaultMetrics({ register: runtime })
  }
  for (const { name } of runtime.getMetricsAsArray()) {
    const metric = runtime.getSingleMetric(name)
    if (metric !== undefined) registry.registerMetric(metric)
  }
}

/** Collect the utilisation of the threads of this process, and the hits of its caches. */
export function collectProcess({ threadActive, threadIdle, cacheHits, cacheMisses }: Metrics['process']): void {
  const threads = oncePerScrape(threadTimes)
  collectFrom(threadActive, () => [...threads()].map(([thread, time]) => [{ thread }, time.activeSeconds]))
  collectFrom(threadIdle, () => [...threads()].map(([thread, time]) => [{ thread }, time.idleSeconds]))
  const reads = oncePerScrape(cacheReads)
  collectFrom(cacheHits, () => reads().map(({ cache, hits }) => [{ cache }, hits]))
  collectFrom(cacheMisses, () => reads().map(({ cache, misses }) => [{ cache }, misses]))
}

/**
 * Collect the bytes on disk by store. A scrape never waits: it returns the last measurement, and may start the next
 * one.
 */
export function collectStores({ storeBytes }: Metrics['process'], folder: string): void {
  let sizes: ReadonlyMap<string, number> = new Map()
  let nextMs = Number.NEGATIVE_INFINITY
  const look = async (): Promise<void> => {
    // Errors of the disk are reported by the component that writes to it.
    sizes = await storeSizes(folder).catch(() => sizes)
    nextMs = SYSTEM_CLOCKS.monotonicMs() + SIZES_EVERY_MS
  }
  collectFrom(storeBytes, () => {
    if (SYSTEM_CLOCKS.monotonicMs() >= nextMs) {
      nextMs = Number.POSITIVE_INFINITY
      void look()
    }
    return [...sizes].map(([store, bytes]) => [{ store }, bytes])
  })
}
