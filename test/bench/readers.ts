/** Owns the benchmark of streams: the latency of payments without readers and with a thousand of them. */
import { fork } from 'node:child_process'
import { loadavg } from 'node:os'
import { accountsOf, fundAccounts, prepareTransfers } from './load.js'
import { type BenchNetwork, startNetwork, stopNetwork, usageOf } from './localnet.js'
import { sleep } from './measure.js'
import { latency, WARM_SECONDS } from './network.js'

const RATE = Number(process.env['BENCH_READERS_RATE'] ?? 500)
const SECONDS = Number(process.env['BENCH_READERS_SECONDS'] ?? 15)
/** Filtered readers of each kind. */
const FILTERED = Number(process.env['BENCH_READERS'] ?? 500)
const UNFILTERED = Number(process.env['BENCH_READERS_UNFILTERED'] ?? 20)
/** Gateways that the readers share. */
const GATEWAYS = Number(process.env['BENCH_READERS_GATEWAYS'] ?? 4)
const ACCOUNTS = 1_000
/** All readers come from this machine, which the cap on one address would refuse. */
const CONNECTIONS_ENV = 'CAUSEWAY_NODE__GATEWAY__CONNECTIONS_PER_ADDRESS'

/** Readers of each kind, spread over the gateways. */
export interface ReadersPlan {
  readonly gateways: readonly string[]
  readonly counts: { readonly sse: number; readonly webSocket: number; readonly unfiltered: number }
}

/** What the readers of one kind saw. */
export interface ReaderCounts {
  readonly readers: number
  /** Blocks that the reader with the fewest and the most of them saw. */
  readonly blocksLeast: number
  readonly blocksMost: number
  readonly megabytes: number
  readonly lagNotices: number
  readonly disconnected: number
}

type Latency = Awaited<ReturnType<typeof latency>>

export interface ReadersFigures {
  readonly without: Latency
  readonly with: Latency
  /** Median latency with readers over that without. */
  readonly p50Ratio: number
  readonly readers: Readonly<Record<keyof ReadersPlan['counts'], ReaderCounts>>
  /** Cores that the nodes used together, without and with readers. */
  readonly nodeCores: readonly [number, number]
  /** Cores that the readers themselves took from the nodes on this machine. */
  readonly readerCores: number
  readonly loadAverage: readonly number[]
}

/** Opens the readers in a process of their own. */
async function startReaders(plan: ReadersPlan) {
  const child = fork(new URL('./readers-process.js', import.meta.url).pathname, [JSON.stringify(plan)])
  const ended = new Promise<never>((_, reject) => {
    child.once('exit', (code) => reject(new Error(`the readers ended with ${code}`)))
  })
  const next = <T>(): Promise<T> =>
    Promise.race([new Promise<T>((resolve) => child.once('message', resolve as never)), ended])
  await next()
  return {
    async stop(): Promise<Pick<ReadersFigures, 'readers' | 'readerCores'>> {
      const answer = next<{ counts: ReadersFigures['readers']; cores: number }>()
      child.send('stop')
      const { counts, cores } = await answer
      ended.catch(() => undefined)
      return { readers: counts, readerCores: cores }
    },
    kill: () => child.kill('SIGKILL'),
  }
}

async function cpuSeconds(network: BenchNetwork): Promise<number> {
  const usages = await Promise.all(network.peers.map(usageOf))
  return usages.reduce((sum, one) => sum + one.cpuSeconds, 0)
}

/** Latency at the rate, and the cores that the nodes used for it. */
async function measured(network: BenchNetwork, prepared: Parameters<typeof latency>[1]) {
  const [before, started] = [await cpuSeconds(network), performance.now()]
  const figures = await latency(network, prepared, RATE)
  const cores = ((await cpuSeconds(network)) - before) / ((performance.now() - started) / 1_000)
  return { figures, cores }
}

/** Brings a network of four up, measures it without and with readers, and takes it down. */
export async function benchReaders(): Promise<ReadersFigures> {
  process.env[CONNECTIONS_ENV] ??= String(2 * FILTERED + UNFILTERED + 500)
  const network = await startNetwork()
  try {
    const { target } = network
    const accounts = accountsOf(ACCOUNTS, 'readers')
    await fundAccounts(target, accounts)
    const transfers = () => prepareTransfers(target, accounts, RATE * (WARM_SECONDS + SECONDS))
    const without = await measured(network, await transfers())
    const prepared = await transfers()
    const counts = { sse: FILTERED, webSocket: FILTERED, unfiltered: UNFILTERED }
    const readers = await startReaders({ gateways: target.gateways.slice(0, GATEWAYS), counts })
    try {
      await sleep(1_000)
      const loaded = await measured(network, prepared)
      return {
        without: without.figures,
        with: loaded.figures,
        p50Ratio: loaded.figures.p50Ms / without.figures.p50Ms,
        ...(await readers.stop()),
        nodeCores: [without.cores, loaded.cores],
        loadAverage: loadavg(),
      }
    } finally {
      readers.kill()
    }
  } finally {
    await stopNetwork(network)
  }
}
