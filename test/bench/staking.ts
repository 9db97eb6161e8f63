/**
 * Owns the benchmark of staking: the cost of its instructions, and the block times around the boundary of an epoch
 * compared with others.
 */
import { loadavg } from 'node:os'
import { CausewayClient } from '../../src/client/index.js'
import { accountsOf, fundAccounts, prepareTransfers } from './load.js'
import { startNetwork, stopNetwork } from './localnet.js'
import { commitTimes, sendFrom, sleep } from './measure.js'
import { quantile } from './quantile.js'
import { benchStakingCosts, type StakingFigure } from './worst/staking.js'

/** Payments per second, and the time of the load: some thirty boundaries. */
const RATE = Number(process.env['BENCH_BOUNDARY_RATE'] ?? 100)
const SECONDS = Number(process.env['BENCH_BOUNDARY_SECONDS'] ?? 150)
const WARM_SECONDS = 15
const ACCOUNTS = 500
/** Heights before and after the first one of an epoch that count as its boundary. */
const AROUND = 3

interface Intervals {
  readonly count: number
  readonly p50Ms: number
  readonly p99Ms: number
}
export interface BoundaryFigures {
  readonly rate: number
  readonly epochs: number
  readonly epochLength: number
  /** Block intervals: around boundaries, in the steps from the first commitment on, and of all other blocks. */
  readonly boundary: Intervals
  readonly steps: Intervals
  readonly others: Intervals
  /** p99 around a boundary divided by p99 of the others (target: at most 1.5). */
  readonly ratio: number
  readonly loadAverage: readonly number[]
}
export interface StakingFigures {
  readonly costs: readonly StakingFigure[]
  readonly boundary: BoundaryFigures
}

const intervalsOf = (times: readonly number[]): Intervals => ({
  count: times.length,
  p50Ms: quantile(times, 0.5),
  p99Ms: quantile(times, 0.99),
})

/** Network of four elected validators under a steady load, over as many boundaries as fit. */
async function benchBoundary(): Promise<BoundaryFigures> {
  const network = await startNetwork('--mode', 'npos')
  try {
    const { target, peers } = network
    const accounts = accountsOf(ACCOUNTS, 'boundary')
    const warm = await prepareTransfers(target, accounts, RATE * WARM_SECONDS)
    await fundAccounts(target, accounts)
    await sendFrom(network, warm, RATE)
    const client = new CausewayClient({ gateway: target.gateways[0] ?? '' })
    const { blocks: from } = await client.status()
    await sendFrom(network, await prepareTransfers(target, accounts, RATE * SECONDS), RATE)
    await client.close()
    await sleep(1_000)
    const answer = await fetch(`${target.gateways[0]}/v1/lanes/public-lanes/0/epoch`, {
      headers: { accept: 'application/json' },
    })
    const { record } = (await answer.json()) as {
      record: {
        start: number
        number: number
        windows: { length: number; commit: number; election: number; reveal: number }
      }
    }
    const { length, commit, election, reveal } = record.windows
    const [observer] = peers
    if (observer === undefined) throw new Error('a network of four')
    const seen = await commitTimes(observer)
    const groups = { boundary: [] as number[], steps: [] as number[], others: [] as number[] }
    for (const [height, atMs] of seen) {
      const before = seen.get(height - 1)
      if (height <= from || height > record.start + AROUND || before === undefined) continue
      // Epochs are consecutive: the position of a height equals that of the same height in the last one.
      const place = (((height - record.start) % length) + length) % length
      const isBoundary = place < AROUND || place >= length - AROUND
      const isStep = place >= length - (commit + election + reveal + 4)
      groups[isBoundary ? 'boundary' : isStep ? 'steps' : 'others'].push(atMs - before)
    }
    const [boundary, steps, others] = [groups.boundary, groups.steps, groups.others].map(intervalsOf)
    if (boundary === undefined || steps === undefined || others === undefined) throw new Error('three groups')
    return {
      rate: RATE,
      epochs: record.number,
      epochLength: length,
      boundary,
      steps,
      others,
      ratio: boundary.p99Ms / others.p99Ms,
      loadAverage: loadavg(),
    }
  } finally {
    await stopNetwork(network)
  }
}

export async function benchStaking(): Promise<StakingFigures> {
  return { boundary: await benchBoundary(), costs: await benchStakingCosts() }
}
