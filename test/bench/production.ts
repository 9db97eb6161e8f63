/**
 * Owns the benchmark of hours in production: four nodes at a steady rate with pruning on, each makes a snapshot every ten minutes.
 * Gives the course of memory and disk, and the latency of payments beside the snapshots over that without.
 */
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { accountsOf, fundAccounts, prepareTransfers } from './load.js'
import { type BenchNetwork, causeway, startNetwork, stopNetwork, usageOf } from './localnet.js'
import { wallMs } from './measure.js'
import { latency } from './network.js'
import { median } from './quantile.js'
import { admitOperator, makeSnapshot } from './snapshots.js'

const ACCOUNTS = Number(process.env['BENCH_ACCOUNTS'] ?? 100_000)
/** Transfers a second: half of what the machine can, as `--only=network` says. */
const RATE = Number(process.env['BENCH_RATE'] ?? 500)
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 7_200)
const RETAIN_BLOCKS = Number(process.env['BENCH_RETAIN'] ?? 3_000)
/** From one snapshot to the next, and how long a load is looked at beside one. */
const CYCLE_SECONDS = Math.min(600, SECONDS)
const BESIDE_SECONDS = Math.min(60, CYCLE_SECONDS / 2)
const WARM_SECONDS = 5

/** How a node stands at a time. */
interface Sample {
  readonly seconds: number
  readonly height: number
  readonly firstHeight: number
  readonly anonymousMib: number
  readonly mib: Readonly<Record<'blocks' | 'state' | 'snapshots', number>>
}

export async function benchProduction() {
  const network = await startNetwork()
  try {
    await prune(network)
    await admitOperator(network)
    const { target } = network
    const accounts = accountsOf(ACCOUNTS, 'load')
    await fundAccounts(target, accounts)
    const started = wallMs()
    const samples: Sample[][] = []
    const cycles: { readonly plainP99Ms: number; readonly besideP99Ms: number; readonly snapshotSeconds: number[] }[] =
      []
    const load = async (seconds: number) =>
      latency(network, await prepareTransfers(target, accounts, RATE * seconds), RATE, WARM_SECONDS)
    while (wallMs() - started < SECONDS * 1_000) {
      const plain = await load(CYCLE_SECONDS - BESIDE_SECONDS)
      const made = Promise.all(network.peers.map(({ gateway }) => makeSnapshot(network, gateway)))
      const beside = await load(BESIDE_SECONDS)
      const snapshotSeconds = (await made).map(({ seconds }) => seconds)
      cycles.push({ plainP99Ms: plain.p99Ms, besideP99Ms: beside.p99Ms, snapshotSeconds })
      samples.push(await samplesOf(network, (wallMs() - started) / 1_000))
      process.stderr.write(`bench: ${JSON.stringify({ ...cycles.at(-1), node: samples.at(-1)?.[0] })}\n`)
    }
    return {
      ...{ accounts: ACCOUNTS, rate: RATE, seconds: (wallMs() - started) / 1_000, retainBlocks: RETAIN_BLOCKS },
      ratioP99: median(cycles.map(({ plainP99Ms, besideP99Ms }) => besideP99Ms / plainP99Ms)),
      /** MiB an hour, each node, from the second cycle on. */
      memorySlope: network.peers.map((_, at) => slopeOf(samples.slice(1).map((row) => row[at] as Sample))),
      cycles,
      samples: samples.map((row) => row[0]),
    }
  } finally {
    await stopNetwork(network)
  }
}

/** Restarts the network with pruning on. */
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

/** Bytes of the files below a folder, in MiB; those that go meanwhile count nothing. */
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

/** Slope of memory by least squares, in MiB an hour; 0 for fewer than two samples. */
function slopeOf(samples: readonly Sample[]): number {
  const mean = (of: (sample: Sample) => number): number =>
    samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length
  const [seconds, memory] = [mean((one) => one.seconds), mean((one) => one.anonymousMib)]
  const square = samples.reduce((sum, one) => sum + (one.seconds - seconds) ** 2, 0)
  const product = samples.reduce((sum, one) => sum + (one.seconds - seconds) * (one.anonymousMib - memory), 0)
  return samples.length < 2 ? 0 : (3_600 * product) / square
}
