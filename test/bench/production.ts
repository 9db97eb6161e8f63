/**
 * Owns the benchmark of hours in production: four nodes at a steady rate with pruning, each with a snapshot every ten
 * minutes. Reports memory and disk over time, the latency of payments during snapshots compared with the rest, and the
 * start of a node from the last snapshot.
 */
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  accountsOf,
  fundAccounts,
  heldAccounts,
  type LoadAccounts,
  type Prepared,
  prepareTransfers,
  uniformPick,
} from './load.js'
import { type BenchNetwork, causeway, startNetwork, stopNetwork, usageOf } from './localnet.js'
import { saturation, sendFrom, sleep, wallMs } from './measure.js'
import { commitsOf } from './network.js'
import { median, quantile } from './quantile.js'
import { admitOperator, makeSnapshot, startFromSnapshot } from './snapshots.js'

const ACCOUNTS = Number(process.env['BENCH_ACCOUNTS'] ?? 100_000)
/** Transfers per second; default: half of the measured saturation. */
const RATE = process.env['BENCH_RATE']
/** Transfers for the saturation measurement, and as many before it to warm up code and caches. */
const SATURATION_TRANSFERS = 20_000
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 7_200)
const RETAIN_BLOCKS = Number(process.env['BENCH_RETAIN'] ?? 3_000)
/** Interval between snapshots, in seconds. */
const CYCLE_SECONDS = Number(process.env['BENCH_CYCLE'] ?? 600)
/** Loads per cycle. Each is signed while the previous one is sent, and a transaction lives for ten minutes. */
const LOADS_PER_CYCLE = 10
const LOAD_SECONDS = CYCLE_SECONDS / LOADS_PER_CYCLE
/** Transfers of a load whose latency is looked up. */
const SAMPLES_PER_LOAD = 3_000
/** Start of the snapshot within its load, in ms. */
const SNAPSHOT_AT_MS = (LOAD_SECONDS / 4) * 1_000
/** Warm-up cycles, excluded from the slopes. */
const WARM_CYCLES = 1
/**
 * Sampling interval of the memory, in seconds: collections change it by 30 MiB, so that one sample per cycle says
 * little.
 */
const MEMORY_SECONDS = 30

/** State of a node at a time. */
interface Sample {
  readonly seconds: number
  readonly height: number
  readonly firstHeight: number
  readonly anonymousMib: number
  readonly mib: Readonly<Record<'blocks' | 'state' | 'snapshots', number>>
}

/** Memory of each node at a time. */
interface Memory {
  readonly seconds: number
  readonly anonymousMib: readonly number[]
}

/** Transfer with its submission time and its commit latency. */
interface Commit {
  readonly sentMs: number
  readonly ms: number
}

export async function benchProduction() {
  const network = await startNetwork()
  try {
    await prune(network)
    await admitOperator(network)
    const accounts = heldAccounts(accountsOf(ACCOUNTS, 'load'))
    await fundAccounts(network.target, accounts)
    const reached = await saturationOf(network, accounts)
    const rate = RATE === undefined ? Math.floor(reached / 2) : Number(RATE)
    const started = wallMs()
    const samples: Sample[][] = []
    const cycles: Awaited<ReturnType<typeof cycle>>[] = []
    const memory = watchMemory(network, started)
    const loads = loadsOf(network, accounts, rate)
    while (wallMs() - started < SECONDS * 1_000) {
      cycles.push(await cycle(network, loads, rate))
      samples.push(await samplesOf(network, (wallMs() - started) / 1_000))
      process.stderr.write(`bench: ${JSON.stringify({ ...cycles.at(-1)?.figures, nodes: samples.at(-1) })}\n`)
    }
    const looks = memory.stop()
    const warm = looks.filter(({ seconds }) => seconds > WARM_CYCLES * CYCLE_SECONDS)
    const p99 = (of: 'plain' | 'beside'): number =>
      quantile(
        cycles.flatMap((one) => one[of].map(({ ms }) => ms)),
        0.99,
      )
    return {
      accounts: ACCOUNTS,
      saturation: reached,
      rate,
      seconds: (wallMs() - started) / 1_000,
      retainBlocks: RETAIN_BLOCKS,
      ratioP99: median(cycles.map(({ figures }) => figures.besideP99Ms / figures.plainP99Ms)),
      overAll: { plainP99Ms: p99('plain'), besideP99Ms: p99('beside') },
      /** MiB per hour and node: after the first cycle, and in the second half alone. */
      memorySlope: {
        warm: slopesOf(warm),
        secondHalf: slopesOf(looks.slice(Math.floor(looks.length / 2))),
      },
      cycles: cycles.map(({ figures }) => figures),
      samples,
      memory: looks,
      start: await startFromSnapshot(network),
    }
  } finally {
    await stopNetwork(network)
  }
}

/** Transfers per second committed at saturation. */
async function saturationOf(network: BenchNetwork, accounts: LoadAccounts): Promise<number> {
  const transfers = () => prepareTransfers(network.target, accounts, SATURATION_TRANSFERS)
  await saturation(network, await transfers())
  const { perSecond } = await saturation(network, await transfers())
  return perSecond
}

/** Sign the next load; the accounts are drawn from one sequence. */
function loadsOf({ target }: BenchNetwork, accounts: LoadAccounts, rate: number): () => Promise<Prepared[]> {
  const pick = uniformPick(ACCOUNTS)
  let next = prepareTransfers(target, accounts, rate * LOAD_SECONDS, pick)
  return async () => {
    const ready = await next
    next = prepareTransfers(target, accounts, rate * LOAD_SECONDS, pick)
    return ready
  }
}

/**
 * Ten loads without a pause, with a snapshot of every node in the last one; transfers sent during a snapshot are
 * reported separately.
 */
async function cycle(network: BenchNetwork, next: () => Promise<Prepared[]>, rate: number) {
  const commits: Promise<Commit[]>[] = []
  let snapshots: { readonly fromMs: number; readonly seconds: readonly number[] } = { fromMs: 0, seconds: [] }
  for (let load = 1; load <= LOADS_PER_CYCLE; load++) {
    const prepared = await next()
    const making = load === LOADS_PER_CYCLE ? makeSnapshots(network) : undefined
    const atMs = await sendFrom(network, prepared, rate)
    commits.push(sleep(2_000).then(() => commitsOf(network, prepared, atMs, SAMPLES_PER_LOAD)))
    if (making !== undefined) snapshots = await making
  }
  const all = (await Promise.all(commits)).flat()
  const toMs = snapshots.fromMs + Math.max(...snapshots.seconds) * 1_000
  const isBeside = ({ sentMs }: Commit): boolean => sentMs >= snapshots.fromMs && sentMs <= toMs
  const [plain, beside] = [all.filter((one) => !isBeside(one)), all.filter(isBeside)]
  const of = (some: readonly Commit[], q: number): number =>
    quantile(
      some.map(({ ms }) => ms),
      q,
    )
  const figures = {
    plainP50Ms: of(plain, 0.5),
    plainP99Ms: of(plain, 0.99),
    besideP50Ms: of(beside, 0.5),
    besideP99Ms: of(beside, 0.99),
    transfersBeside: beside.length,
    snapshotSeconds: snapshots.seconds,
  }
  return { figures, plain, beside }
}

/** Start a snapshot on every node after a delay; returns the start time, and the seconds of each. */
async function makeSnapshots(network: BenchNetwork) {
  await sleep(SNAPSHOT_AT_MS)
  const fromMs = wallMs()
  const made = await Promise.all(network.peers.map(({ gateway }) => makeSnapshot(network, gateway)))
  return { fromMs, seconds: made.map(({ seconds }) => seconds) }
}

/** Restart the network with pruning. */
async function prune({ folder, peers }: BenchNetwork): Promise<void> {
  await causeway('localnet', 'down', '--dir', folder)
  for (const peer of peers) {
    const file = join(peer.folder, 'node.toml')
    const text = await readFile(file, 'utf8')
    await writeFile(file, text.replace(/^retain_blocks = 0$/m, `retain_blocks = ${RETAIN_BLOCKS}`))
  }
  await causeway('localnet', 'up', '--dir', folder, '--json')
}

async function samplesOf({ peers }: BenchNetwork, seconds: number): Promise<Sample[]> {
  return Promise.all(
    peers.map(async (peer): Promise<Sample> => {
      const { anonymousMib } = await usageOf(peer)
      const answer = await fetch(`${peer.gateway}/status`)
      const status = (await answer.json()) as { readonly blocks: number; readonly first_height?: number }
      const data = join(peer.folder, 'data')
      const [blocks, state, snapshots] = await Promise.all(
        ['blocks', 'state', 'snapshots'].map((name) => mibOf(join(data, name))),
      )
      const mib = { blocks: blocks ?? 0, state: state ?? 0, snapshots: snapshots ?? 0 }
      return { seconds, height: status.blocks, firstHeight: status.first_height ?? 1, anonymousMib, mib }
    }),
  )
}

/** Bytes of the files below a folder, in MiB; files removed meanwhile count as 0. */
async function mibOf(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const sizes = await Promise.all(
    files.map((file) =>
      stat(file).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  )
  return sizes.reduce((sum, size) => sum + size, 0) / 2 ** 20
}

/** Sample the memory of each node until stopped. */
function watchMemory({ peers }: BenchNetwork, startedMs: number): { stop(): readonly Memory[] } {
  const looks: Memory[] = []
  const timer = setInterval(async () => {
    const seconds = (wallMs() - startedMs) / 1_000
    const usages = await Promise.all(peers.map(usageOf))
    looks.push({ seconds, anonymousMib: usages.map(({ anonymousMib }) => anonymousMib) })
  }, MEMORY_SECONDS * 1_000).unref()
  return {
    stop() {
      clearInterval(timer)
      return looks
    },
  }
}

/** Slope of the memory of each node by least squares, in MiB per hour; 0 for fewer than two samples. */
function slopesOf(looks: readonly Memory[]): number[] {
  const mean = (of: (look: Memory) => number): number => looks.reduce((sum, look) => sum + of(look), 0) / looks.length
  const seconds = mean((look) => look.seconds)
  const square = looks.reduce((sum, look) => sum + (look.seconds - seconds) ** 2, 0)
  return (looks[0]?.anonymousMib ?? []).map((_, at) => {
    const memory = mean(({ anonymousMib }) => anonymousMib[at] ?? 0)
    const product = looks.reduce(
      (sum, look) => sum + (look.seconds - seconds) * ((look.anonymousMib[at] ?? 0) - memory),
      0,
    )
    return looks.length < 2 ? 0 : (3_600 * product) / square
  })
}
