/** Owns the benchmark of streams: the latency of payments without readers and with a thousand of them. */
import { fork } from 'node:child_process'
import { loadavg } from 'node:os'
import { accountsOf, fundAccounts, type Prepared, prepareTransfers } from './load.js'
import { type BenchNetwork, startNetwork, stopNetwork, usageOf } from './localnet.js'
import { latency, WARM_SECONDS } from './network.js'
import { median } from './quantile.js'

const RATE = Number(process.env['BENCH_READERS_RATE'] ?? 500)
const SECONDS = Number(process.env['BENCH_READERS_SECONDS'] ?? 10)
/** Rounds without and with readers in turn: the speed of the machine varies over minutes. */
const ROUNDS = Number(process.env['BENCH_READERS_ROUNDS'] ?? 4)
/** Warm-up time before each measurement but the first, in seconds. */
const SETTLE_SECONDS = 3
/** Filtered readers of each kind. */
const FILTERED = Number(process.env['BENCH_READERS'] ?? 500)
const UNFILTERED = Number(process.env['BENCH_READERS_UNFILTERED'] ?? 20)
/** Number of gateways shared by the readers. */
const GATEWAYS = Number(process.env['BENCH_READERS_GATEWAYS'] ?? 4)
const ACCOUNTS = 1_000
/** All readers have one address, whose connection limit would refuse them. */
const CONNECTIONS_ENV = 'CAUSEWAY_NODE__GATEWAY__CONNECTIONS_PER_ADDRESS'

/** Readers of each kind, spread over the gateways. */
export interface ReadersPlan {
  readonly gateways: readonly string[]
  readonly counts: { readonly sse: number; readonly webSocket: number; readonly unfiltered: number }
}

/** Counts of the readers of one kind. */
export interface ReaderCounts {
  readonly readers: number
  /** Blocks received by the reader with the fewest and the most. */
  readonly blocksLeast: number
  readonly blocksMost: number
  readonly megabytes: number
  readonly lagNotices: number
  readonly disconnected: number
}

type Latency = Awaited<ReturnType<typeof latency>>

/** Latency at the rate, and the resources that the nodes used. */
interface Phase {
  readonly latency: Latency
  /** Cores of all nodes together. */
  readonly nodeCores: number
}

/** Latency without readers, then with them. */
interface Round {
  readonly without: Phase
  readonly with: Phase
  readonly readers: Readonly<Record<keyof ReadersPlan['counts'], ReaderCounts>>
  /** Cores that the readers took from the nodes on this machine. */
  readonly readerCores: number
}

export interface ReadersFigures {
  readonly rate: number
  readonly gateways: number
  /** Medians over the rounds of the median latency. */
  readonly withoutP50Ms: number
  readonly withP50Ms: number
  /** Latency with readers divided by latency without. */
  readonly p50Ratio: number
  readonly rounds: readonly Round[]
  readonly loadAverage: readonly number[]
}

/** Open the readers in a separate process. */
async function startReaders(plan: ReadersPlan) {
  const child = fork(new URL('./readers-process.js', import.meta.url).pathname, [JSON.stringify(plan)])
  const ended = new Promise<never>((_, reject) => {
    child.once('exit', (code) => reject(new Error(`the readers ended with ${code}`)))
  })
  const next = <T>(): Promise<T> =>
    Promise.race([new Promise<T>((resolve) => child.once('message', resolve as never)), ended])
  await next()
  return {
    async stop(): Promise<Pick<Round, 'readers' | 'readerCores'>> {
      const answer = next<{ counts: Round['readers']; cores: number }>()
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

/** Measure a phase; its first `warmSeconds` are a warm-up. */
async function phase(network: BenchNetwork, prepared: readonly Prepared[], warmSeconds: number): Promise<Phase> {
  const [before, started] = [await cpuSeconds(network), performance.now()]
  const figures = await latency(network, prepared, RATE, warmSeconds)
  const nodeCores = ((await cpuSeconds(network)) - before) / ((performance.now() - started) / 1_000)
  return { latency: figures, nodeCores }
}

/** Start a network of four, measure it without and with readers in turn, and stop it. */
export async function benchReaders(): Promise<ReadersFigures> {
  process.env[CONNECTIONS_ENV] ??= String(2 * FILTERED + UNFILTERED + 500)
  const network = await startNetwork()
  try {
    const { target } = network
    const accounts = accountsOf(ACCOUNTS, 'readers')
    await fundAccounts(target, accounts)
    const prepare = (seconds: number) => prepareTransfers(target, accounts, RATE * seconds)
    const gateways = target.gateways.slice(0, GATEWAYS)
    const counts = { sse: FILTERED, webSocket: FILTERED, unfiltered: UNFILTERED }
    const rounds: Round[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const warmSeconds = round === 0 ? WARM_SECONDS : SETTLE_SECONDS
      const alone = await prepare(warmSeconds + SECONDS)
      // Readers warm up separate code.
      const accompanied = await prepare(warmSeconds + SECONDS)
      const without = await phase(network, alone, warmSeconds)
      const readers = await startReaders({ gateways, counts })
      try {
        const loaded = await phase(network, accompanied, warmSeconds)
        rounds.push({ without, with: loaded, ...(await readers.stop()) })
      } finally {
        readers.kill()
      }
    }
    const withoutP50Ms = median(rounds.map((round) => round.without.latency.p50Ms))
    const withP50Ms = median(rounds.map((round) => round.with.latency.p50Ms))
    const p50Ratio = withP50Ms / withoutP50Ms
    return { rate: RATE, gateways: GATEWAYS, withoutP50Ms, withP50Ms, p50Ratio, rounds, loadAverage: loadavg() }
  } finally {
    await stopNetwork(network)
  }
}
