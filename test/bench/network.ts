/** Owns the benchmark of a network beside its ceiling: first commit, saturation, latency at half of it, idle load, lost proposers, memory. */
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { CausewayClient } from '../../src/client/index.js'
import { benchCeiling, type CeilingFigures } from './ceiling.js'
import {
  accountsOf,
  fundAccounts,
  type LoadAccounts,
  type LoadTarget,
  type Prepared,
  prepareFunding,
  prepareTransfers,
} from './load.js'
import {
  type BenchNetwork,
  killPeer,
  restartPeer,
  startNetwork,
  stopNetwork,
  usageOf,
  validatorKeys,
} from './localnet.js'
import { commitTimes, saturation, sendFrom, sleep, wallMs, watchHeights } from './measure.js'
import { median, quantile } from './quantile.js'
import { writeRecords } from './records-file.js'

const ACCOUNTS = Number(process.env['BENCH_ACCOUNTS'] ?? 10_000)
/** Number of transfers at saturation; the rate is computed from committed blocks. */
const SATURATION_TRANSFERS = Number(process.env['BENCH_TRANSFERS'] ?? 30_000)
/**
 * Warm-up transfers in the network and in the ceiling: the compiler takes a sixth of the processors until code is hot.
 */
const WARM_TRANSFERS = Number(process.env['BENCH_WARM_TRANSFERS'] ?? 15_000)
/**
 * Duration of the warm-up at the rate of the latency measurement, in seconds: blocks of this size run other code paths
 * than full ones.
 */
export const WARM_SECONDS = 20
const LATENCY_SECONDS = 10
/** Additional rates for latency, for example of another build, to compare the two. */
const OTHER_RATES = (process.env['BENCH_RATES'] ?? '').split(',').filter(Boolean).map(Number)
/** Number of transfers whose latency is looked up. */
const LATENCY_SAMPLES = 1_000
const IDLE_SECONDS = 10
/** Transfers per second around each kill, and their number. */
const KILL_RATE = 50
const KILL_TRANSFERS = 4 * KILL_RATE
const KILLS = Number(process.env['BENCH_KILLS'] ?? 20)

interface LatencyFigures {
  readonly rate: number
  readonly count: number
  readonly p50Ms: number
  readonly p99Ms: number
}

export interface NetworkFigures {
  readonly localnetUpMs: number
  readonly firstCommitMs: number
  readonly idleCpuShare: readonly number[]
  readonly ceiling: CeilingFigures
  readonly saturation: { readonly committed: number; readonly perSecond: number; readonly blocks: number }
  readonly shareOfCeiling: number
  readonly latency: LatencyFigures
  readonly otherRates: readonly LatencyFigures[]
  readonly proposerKill: { readonly kills: number; readonly medianMs: number; readonly maxMs: number } | undefined
  readonly nodes: readonly { readonly name: string; readonly rssMib: number; readonly anonymousMib: number }[]
  readonly loadAverage: readonly number[]
}

/** Latency from submission to commit, at a steady rate, in time and in blocks; the first seconds are a warm-up. */
export async function latency(
  network: BenchNetwork,
  prepared: readonly Prepared[],
  rate: number,
  warmSeconds: number = WARM_SECONDS,
) {
  const atMs = await sendFrom(network, prepared, rate)
  await sleep(2_000)
  const commits = await commitsOf(network, prepared.slice(rate * warmSeconds), atMs, LATENCY_SAMPLES)
  const [times, blocks] = [commits.map(({ ms }) => ms), commits.map((one) => one.blocks)]
  return {
    rate,
    count: times.length,
    p50Ms: quantile(times, 0.5),
    p99Ms: quantile(times, 0.99),
    /** Blocks from submission to commit, including its own. */
    p50Blocks: quantile(blocks, 0.5),
    p99Blocks: quantile(blocks, 0.99),
  }
}

/** Commit latencies of up to `samples` sent transactions, in ms and in blocks; uncommitted ones are excluded. */
export async function commitsOf(
  network: BenchNetwork,
  sent: readonly Prepared[],
  atMs: ReadonlyMap<string, number>,
  samples: number,
): Promise<{ readonly sentMs: number; readonly ms: number; readonly blocks: number }[]> {
  const observer = network.peers[1]
  if (observer === undefined) throw new Error('a network of four')
  const seen = await commitTimes(observer)
  const client = new CausewayClient({ gateway: network.target.gateways[0] ?? '' })
  const step = Math.max(1, Math.floor(sent.length / samples))
  const commits = [...seen.values()].sort((a, b) => a - b)
  const found = []
  for (let at = 0; at < sent.length; at += step) {
    const id = sent[at]?.id ?? ''
    const state = await client.transactionStatus(id)
    const committed = state.state === 'approved' && state.height !== undefined ? seen.get(state.height) : undefined
    const sentMs = atMs.get(id)
    if (committed === undefined || sentMs === undefined) continue
    const blocks = between(commits, sentMs, committed)
    found.push({ sentMs, ms: committed - sentMs, blocks })
  }
  await client.close()
  return found
}

/** Number of sorted times after `from` and not after `to`. */
function between(sorted: readonly number[], from: number, to: number): number {
  let count = 0
  for (let at = sorted.length - 1; at >= 0 && (sorted[at] as number) > from; at--) {
    if ((sorted[at] as number) <= to) count += 1
  }
  return count
}

/** Share of one core used by each idle node. */
async function idle(network: BenchNetwork): Promise<number[]> {
  const before = await Promise.all(network.peers.map(usageOf))
  await sleep(IDLE_SECONDS * 1_000)
  const after = await Promise.all(network.peers.map(usageOf))
  return after.map((one, index) => (one.cpuSeconds - (before[index]?.cpuSeconds ?? 0)) / IDLE_SECONDS)
}

/**
 * Kill the proposer during steady payments, and measure the longest time without a commit from then on: the current
 * height, or the next one of the same proposer, waits for a view change.
 */
async function proposerKills(network: BenchNetwork, prepared: readonly Prepared[]) {
  if (KILLS === 0) return undefined
  const keys = await validatorKeys(network)
  const times: number[] = []
  const { gateways } = network.target
  for (let kill = 0; kill < KILLS; kill++) {
    const asked = new CausewayClient({ gateway: gateways[kill % gateways.length] ?? '' })
    // The proposer changes with every height: pick any validator and wait for its turn.
    const victim = keys.get((await asked.consensusStatus()).proposer)
    if (victim === undefined) throw new Error('the proposer is one of the four')
    const rest = network.peers.filter((peer) => peer !== victim).map((peer) => peer.gateway)
    const load = prepared.slice(kill * KILL_TRANSFERS, (kill + 1) * KILL_TRANSFERS)
    const sending = sendFrom({ ...network, target: { ...network.target, gateways: rest } }, load, KILL_RATE)
    await sleep(1_000)
    const watch = watchHeights(rest[0] ?? '')
    const killedMs = await killWhenItsTurn(asked, keys, victim)
    await asked.close().catch(() => undefined)
    await sending
    const endedMs = wallMs()
    await watch.stop()
    const commits = [killedMs, ...[...watch.seen.values()].filter((seen) => seen > killedMs && seen < endedMs)]
    commits.sort((a, b) => a - b)
    times.push(Math.max(...commits.slice(1).map((at, index) => at - (commits[index] ?? at))))
    await restartPeer(victim)
    await sleep(1_000)
  }
  return { kills: times.length, medianMs: median(times), maxMs: Math.max(...times) }
}

/** Kill the victim while it is the proposer; returns the time. */
async function killWhenItsTurn(
  client: CausewayClient,
  keys: ReadonlyMap<string, BenchNetwork['peers'][number]>,
  victim: BenchNetwork['peers'][number],
): Promise<number> {
  for (;;) {
    const { proposer } = await client.consensusStatus()
    if (keys.get(proposer) !== victim) continue
    await killPeer(victim)
    return wallMs()
  }
}

/** Start a network of four, measure it beside its ceiling and stop it. */
export async function benchNetwork(): Promise<NetworkFigures> {
  const started = performance.now()
  const network = await startNetwork()
  try {
    const { target } = network
    await fundAccounts(target, accountsOf(1, 'warm'))
    const firstCommitMs = performance.now() - started
    const idleCpuShare = await idle(network)
    const accounts = accountsOf(ACCOUNTS, 'load')
    const warm = await prepareTransfers(target, accounts, WARM_TRANSFERS)
    const transfers = await prepareTransfers(target, accounts, SATURATION_TRANSFERS)
    await fundAccounts(target, accounts)

    await saturation(network, warm)
    const reached = await saturation(network, transfers)
    const transfersPerBlock = Math.max(1, Math.round(reached.committed / reached.blocks))
    const ceiling = await ceilingOf(network, target, accounts, { warm, transfers }, transfersPerBlock)
    const rate = Math.floor(reached.perSecond / 2)
    const latencyAt = async (perSecond: number) =>
      latency(
        network,
        await prepareTransfers(target, accounts, perSecond * (WARM_SECONDS + LATENCY_SECONDS)),
        perSecond,
      )
    const slow = await latencyAt(rate)
    const otherRates: LatencyFigures[] = []
    for (const other of OTHER_RATES) otherRates.push(await latencyAt(other))
    const nodes = await Promise.all(
      network.peers.map(async (peer) => {
        const { rssMib, anonymousMib } = await usageOf(peer)
        return { name: peer.name, rssMib, anonymousMib }
      }),
    )
    const proposerKill = await proposerKills(network, await prepareTransfers(target, accounts, KILLS * KILL_TRANSFERS))
    return {
      localnetUpMs: network.upMs,
      firstCommitMs,
      idleCpuShare,
      ceiling,
      saturation: reached,
      shareOfCeiling: reached.perSecond / ceiling.perSecond,
      latency: slow,
      otherRates,
      proposerKill,
      nodes,
      loadAverage: loadavg(),
    }
  } finally {
    await stopNetwork(network)
  }
}

/** Run the same transfers through four bare ledgers, while the network idles. */
async function ceilingOf(
  network: BenchNetwork,
  target: LoadTarget,
  accounts: LoadAccounts,
  { warm, transfers }: { readonly warm: readonly Prepared[]; readonly transfers: readonly Prepared[] },
  transfersPerBlock: number,
): Promise<CeilingFigures> {
  const funding = join(network.folder, 'funding.bin')
  const [warmFile, file] = [join(network.folder, 'warm.bin'), join(network.folder, 'transfers.bin')]
  await writeRecords(funding, await prepareFunding(target, accounts))
  await writeRecords(warmFile, warm)
  await writeRecords(file, transfers)
  const files = { genesis: network.genesisFile, funding, warm: warmFile, transfers: file }
  return benchCeiling({ ...files, count: transfers.length, transfersPerBlock })
}
