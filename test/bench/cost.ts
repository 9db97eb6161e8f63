/**
 * Owns the benchmark of processor time: the cost of a transfer and of a block on a node, by threads and system calls.
 */
import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { promisify } from 'node:util'
import { pidOf } from '../../src/cli/localnet/process.js'
import type { LocalPeer } from '../../src/cli/settings/localnet-record.js'
import { CausewayClient } from '../../src/client/index.js'
import { accountsOf, fundAccounts, prepareTransfers } from './load.js'
import { type BenchNetwork, startNetwork, stopNetwork } from './localnet.js'
import { saturation, sendFrom, sleep } from './measure.js'

const run = promisify(execFile)

const ACCOUNTS = 2_000
/** Number of warm-up transfers, at full speed. */
const WARM_TRANSFERS = Number(process.env['BENCH_WARM_TRANSFERS'] ?? 6_000)
/** Transfers per second: from one per block to many, so that the costs of blocks and transfers can be separated. */
const RATES = [8, 40, 120, 250]
const SECONDS = 10
/** Number of transfers at saturation. */
const SATURATION_TRANSFERS = Number(process.env['BENCH_TRANSFERS'] ?? 10_000)
/** Rate and duration under `strace`: one transfer per block. */
const TRACED_RATE = 8
const TRACED_SECONDS = 6
/** Ticks of proc(5) per second. */
const TICKS = 100

/** Seconds of processor time by thread name, as user and as system. */
type ThreadTimes = ReadonlyMap<string, { readonly user: number; readonly system: number }>

/** Resources used and transactions committed by all nodes in an interval. */
interface Spent {
  readonly rate: number | 'saturation' | 'idle'
  readonly seconds: number
  readonly blocks: number
  readonly transfers: number
  /** Seconds per node, as the mean of all. */
  readonly user: number
  readonly system: number
  readonly threads: Readonly<Record<string, number>>
}

/** Threads of a process by name; equal names are combined. */
async function threadsOf(pid: number): Promise<ThreadTimes> {
  const times = new Map<string, { user: number; system: number }>()
  for (const thread of await readdir(`/proc/${pid}/task`)) {
    const place = `/proc/${pid}/task/${thread}`
    const [comm, stat] = await Promise.all([readFile(`${place}/comm`, 'utf8'), readFile(`${place}/stat`, 'utf8')])
    const fields = stat.slice(stat.lastIndexOf(') ') + 2).split(' ')
    const name = Number(thread) === pid ? 'main' : comm.trim()
    const { user, system } = times.get(name) ?? { user: 0, system: 0 }
    // Fields 14 and 15.
    times.set(name, { user: user + Number(fields[11]) / TICKS, system: system + Number(fields[12]) / TICKS })
  }
  return times
}

async function pidsOf(peers: readonly LocalPeer[]): Promise<number[]> {
  const pids = await Promise.all(peers.map(pidOf))
  return pids.flatMap((pid) => pid ?? [])
}

/** Resources that the nodes used for `work`, until their queues are empty. */
async function spent(network: BenchNetwork, rate: Spent['rate'], work: () => Promise<unknown>): Promise<Spent> {
  const client = new CausewayClient({ gateway: network.target.gateways[0] ?? '' })
  const pids = await pidsOf(network.peers)
  const before = {
    status: await client.status(),
    threads: await Promise.all(pids.map(threadsOf)),
    at: performance.now(),
  }
  await work()
  const after = {
    threads: await Promise.all(pids.map(threadsOf)),
    status: await client.status(),
    at: performance.now(),
  }
  await client.close()
  const threads: Record<string, number> = {}
  let [user, system] = [0, 0]
  for (const [node, times] of after.threads.entries()) {
    for (const [name, time] of times) {
      const was = before.threads[node]?.get(name) ?? { user: 0, system: 0 }
      const [more, moreSystem] = [time.user - was.user, time.system - was.system]
      user += more / pids.length
      system += moreSystem / pids.length
      threads[name] = (threads[name] ?? 0) + (more + moreSystem) / pids.length
    }
  }
  return {
    rate,
    seconds: (after.at - before.at) / 1_000,
    blocks: after.status.blocks - before.status.blocks,
    transfers: after.status.txsApproved - before.status.txsApproved,
    user,
    system,
    threads,
  }
}

/** Least squares of the use beyond idling, over blocks and transfers: seconds of each. */
export function costs(
  samples: readonly { readonly blocks: number; readonly transfers: number; readonly used: number }[],
): { readonly perBlock: number; readonly perTransfer: number } {
  let [bb, bt, tt, bu, tu] = [0, 0, 0, 0, 0]
  for (const { blocks, transfers, used } of samples) {
    bb += blocks * blocks
    bt += blocks * transfers
    tt += transfers * transfers
    bu += blocks * used
    tu += transfers * used
  }
  const whole = bb * tt - bt * bt
  return { perBlock: (bu * tt - tu * bt) / whole, perTransfer: (tu * bb - bu * bt) / whole }
}

/** System calls of one node by name while `work` runs; undefined without `strace`. */
async function callsOf(pid: number, work: () => Promise<unknown>): Promise<Record<string, number> | undefined> {
  const isThere = await run('strace', ['-V']).then(
    () => true,
    () => false,
  )
  if (!isThere) return undefined
  const words = ['-f', '-c', '-qq', '-p', String(pid)]
  const tracing = run('timeout', ['-s', 'INT', String(TRACED_SECONDS), 'strace', ...words]).catch(
    (error: { stderr?: string }) => ({ stderr: error.stderr ?? '' }),
  )
  await sleep(500)
  const [{ stderr }] = await Promise.all([tracing, work()])
  const rows = [...stderr.matchAll(/^\s*[\d.]+\s+[\d.]+\s+\d+\s+(\d+)\s+(?:\d+\s+)?(\w+)$/gm)]
  return Object.fromEntries(rows.map(([, count, name]) => [name, Number(count)]))
}

const milliseconds = (seconds: number): number => Math.round(seconds * 1e5) / 100

/** Start a network of four and measure its nodes at several rates. */
export async function benchCost() {
  const network = await startNetwork()
  try {
    const { target, peers } = network
    const accounts = accountsOf(ACCOUNTS, 'cost')
    await fundAccounts(target, accounts)
    await saturation(network, await prepareTransfers(target, accounts, WARM_TRANSFERS))
    const idle = await spent(network, 'idle', () => sleep(SECONDS * 1_000))
    const idleShare = (idle.user + idle.system) / idle.seconds
    const samples: Spent[] = []
    for (const rate of RATES) {
      const load = await prepareTransfers(target, accounts, rate * SECONDS)
      samples.push(
        await spent(network, rate, async () => {
          await sendFrom(network, load, rate)
          await sleep(1_000)
        }),
      )
    }
    const full = await prepareTransfers(target, accounts, SATURATION_TRANSFERS)
    const saturated = await spent(network, 'saturation', () => saturation(network, full))
    const used = samples.map(({ blocks, transfers, user, system, seconds }) => ({
      blocks,
      transfers,
      used: user + system - idleShare * seconds,
    }))
    const { perBlock, perTransfer } = costs(used)
    const traced = await prepareTransfers(target, accounts, TRACED_RATE * (TRACED_SECONDS + 1))
    const [pid] = await pidsOf(peers.slice(1))
    const client = new CausewayClient({ gateway: target.gateways[0] ?? '' })
    const { blocks: from } = await client.status()
    const calls = pid === undefined ? undefined : await callsOf(pid, () => sendFrom(network, traced, TRACED_RATE))
    const tracedBlocks = (await client.status()).blocks - from
    await client.close()
    return {
      /** Processor time of a node, user and system, in ms. */
      perBlockMs: milliseconds(perBlock),
      perTransferMs: milliseconds(perTransfer),
      atSaturation: {
        perTransferMs: milliseconds((saturated.user + saturated.system) / Math.max(1, saturated.transfers)),
        transfersPerBlock: saturated.transfers / Math.max(1, saturated.blocks),
      },
      idleShare,
      samples: [...samples, saturated].map((one) => ({
        ...one,
        threads: Object.fromEntries(Object.entries(one.threads).map(([name, time]) => [name, milliseconds(time)])),
      })),
      callsPerBlock:
        calls === undefined
          ? 'not run: there is no strace'
          : Object.fromEntries(Object.entries(calls).map(([name, count]) => [name, count / Math.max(1, tracedBlocks)])),
      loadAverage: loadavg(),
    }
  } finally {
    await stopNetwork(network)
  }
}
