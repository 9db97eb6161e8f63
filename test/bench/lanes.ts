/**
 * Owns the benchmark of lanes: throughput with 1, 4 and 16 lanes, quiet lanes beside a hot one, and triggers that do
 * not match.
 */

import { loadavg } from 'node:os'
import { CausewayClient } from '../../src/client/index.js'
import { instructions as domainInstructions } from '../../src/features/domains/schema.js'
import { instructions as explorer } from '../../src/features/explorer/schema/log.js'
import { instructions as laneInstructions } from '../../src/features/lanes/schema/instructions.js'
import { instructions as parameters } from '../../src/features/parameters/schema.js'
import { instructions as triggerInstructions } from '../../src/features/triggers/schema.js'
import type { LaneSpec, RoutingRule } from '../../src/lanes/index.js'
import { type Instruction, instruction, NO_METADATA } from '../../src/model/index.js'
import { accountsOf, fundAccounts, idOf, type LoadTarget, type Prepared, prepareTransfers, sealed } from './load.js'
import { type BenchNetwork, startNetwork, stopNetwork } from './localnet.js'
import { saturation, sendFrom, sleep } from './measure.js'
import { latency } from './network.js'

/** Number of domains of the load, each in the lane of its number. */
const DOMAINS = 16
const LANE_COUNTS = [1, 4, 16] as const
/** Rounds over the lane counts, so that drift of the machine affects all of them. */
const ROUNDS = Number(process.env['BENCH_LANE_ROUNDS'] ?? 2)
const ACCOUNTS_PER_DOMAIN = 200
const SATURATION_TRANSFERS = Number(process.env['BENCH_LANE_TRANSFERS'] ?? 10_000)
/** Payments per second of all quiet lanes together; their measured time, and the warm-up time. */
const QUIET_RATE = 45
const QUIET_SECONDS = Number(process.env['BENCH_LANE_SECONDS'] ?? 30)
const QUIET_WARM_SECONDS = 10
/** Triggers on accounts outside of the load: as many per account as its list fits. */
const TRIGGERS = Number(process.env['BENCH_TRIGGERS'] ?? 10_000)
const TRIGGERS_PER_ACCOUNT = 64
/** Registrations per transaction: with their rows and events below `max_teu_per_tx`. */
const TRIGGERS_PER_TRANSACTION = 128
/** Share of the saturation with 16 lanes that is sent to the hot lane alone. */
const HOT_SHARE = 0.7
/**
 * Fixed payments per second of the hot lane, so that two builds have the same load: a share of the slower one's
 * saturation.
 */
const HOT_RATE = process.env['BENCH_LANE_HOT_RATE']

type Latency = Awaited<ReturnType<typeof latency>>

export interface LanesFigures {
  /** Committed transfers per second, by number of lanes, one value per round. */
  readonly perSecond: Readonly<Record<(typeof LANE_COUNTS)[number], readonly number[]>>
  /** Best round with 16 lanes divided by the best with one. */
  readonly sixteenToOne: number
  readonly quiet: {
    readonly idle: Latency
    /** Beside a hot lane, and beside the same load over all lanes: effects present in both are due to the machine. */
    readonly besideHot: Latency
    readonly besideSpread: Latency
    readonly hotRate: number
  }
  /**
   * p99 of the quiet lanes beside the hot one divided by that in an idle network: in time, which shared processors
   * stretch, and in blocks.
   */
  readonly p99Ratio: number
  readonly p99BlocksRatio: number
  /** The same divided by that beside the load spread over all lanes. */
  readonly p99ToSpread: number
  readonly triggers: {
    readonly count: number
    /** Committed transfers per second without triggers and with them, one value per round. */
    readonly perSecondWithout: readonly number[]
    readonly perSecondWith: readonly number[]
    /** Best round with triggers divided by the best without. */
    readonly ratio: number
  }
  readonly loadAverage: readonly number[]
}

/** Submit instructions of the administrator and wait for their block; changes of lanes act two heights later. */
async function asAdmin(target: LoadTarget, ...instructions: readonly Instruction[]): Promise<void> {
  const client = new CausewayClient({ gateway: target.gateways[0] ?? '' })
  const submit = async (list: readonly Instruction[]): Promise<void> => {
    const { id, bytes } = await sealed(target, idOf(target.admin), target.admin, list)
    await client.submitTransaction(bytes)
    const status = await client.waitTransaction(id, { timeoutMs: 30_000 })
    if (status.state !== 'approved') throw new Error(`instructions of the administrator: ${JSON.stringify(status)}`)
  }
  await submit(instructions)
  const wake: Instruction = instruction(explorer.log, { level: 'info', text: 'a height passes' })
  for (let height = 0; height < 2; height += 1) await submit([wake])
  await client.close()
}

const domainOf = (lane: number): string => `lane${lane}`

const laneOf = (id: number): LaneSpec => ({
  id,
  dataspace: 0n,
  alias: domainOf(id),
  visibility: 'public',
  storage: 'fullReplica',
  proofScheme: 'merkleBlake3',
  settlement: [],
  teuCapacity: 0,
  metadata: NO_METADATA,
})

/** Policy that routes the accounts of each domain to the lane of its number, modulo the number of lanes. */
const policyOf = (version: number, lanes: number): Instruction =>
  instruction(laneInstructions.setRoutingPolicy, {
    policy: {
      version,
      defaultLane: 0,
      rules: Array.from(
        { length: DOMAINS },
        (_, domain): RoutingRule => ({
          lane: domain % lanes,
          scope: undefined,
          account: { kind: 'domain', value: domainOf(domain) },
          instruction: undefined,
        }),
      ),
    },
  })

/** Transfers of every domain in turn, so that all lanes fill equally. */
async function spread(target: LoadTarget, domains: readonly number[], count: number): Promise<Prepared[]> {
  const each = Math.ceil(count / domains.length)
  const lists: Prepared[][] = []
  for (const domain of domains) {
    lists.push(await prepareTransfers(target, accountsOf(ACCOUNTS_PER_DOMAIN, domainOf(domain)), each))
  }
  return Array.from({ length: each }, (_, at) => lists.map((list) => list[at] as Prepared)).flat()
}

/** Throughput of a load over all domains. */
async function measured(network: BenchNetwork, domains: readonly number[]): Promise<number> {
  const { perSecond } = await saturation(network, await spread(network.target, domains, SATURATION_TRANSFERS))
  await sleep(1_000)
  return perSecond
}

/** Register triggers of the administrator on accounts without payments. */
async function registerTriggers(target: LoadTarget): Promise<void> {
  const watched = accountsOf(Math.ceil(TRIGGERS / TRIGGERS_PER_ACCOUNT), 'watched')
  await fundAccounts(target, watched)
  const authority = idOf(target.admin)
  for (let from = 0; from < TRIGGERS; from += TRIGGERS_PER_TRANSACTION) {
    const instructions: Instruction[] = []
    for (let index = from; index < Math.min(TRIGGERS, from + TRIGGERS_PER_TRANSACTION); index += 1) {
      const { id: account } = await watched.at(Math.floor(index / TRIGGERS_PER_ACCOUNT))
      const scope = { kind: 'account', value: account } as const
      const filter = { kind: 'data', value: { subject: 'asset', events: [], scope } } as const
      const log: Instruction = instruction(explorer.log, { level: 'info', text: 'seen' })
      const trigger = { id: `bench-${index}`, authority, filter, instructions: [log], repeats: undefined }
      instructions.push(instruction(triggerInstructions.registerTrigger, { ...trigger, metadata: NO_METADATA }))
    }
    await asAdmin(target, ...instructions)
  }
}

/** The same load without triggers and with them. */
async function triggersFigures(network: BenchNetwork, domains: readonly number[]): Promise<LanesFigures['triggers']> {
  const perSecondWithout: number[] = []
  const perSecondWith: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) perSecondWithout.push(await measured(network, domains))
  await registerTriggers(network.target)
  for (let round = 0; round < ROUNDS; round += 1) perSecondWith.push(await measured(network, domains))
  const ratio = Math.max(...perSecondWith) / Math.max(...perSecondWithout)
  return { count: TRIGGERS, perSecondWithout, perSecondWith, ratio }
}

/**
 * Quiet lanes in an idle network, beside a hot lane, and beside the same load over all; the last policy has a lane for
 * every domain.
 */
async function quietFigures(network: BenchNetwork, domains: readonly number[], saturated: number) {
  const { target } = network
  const [hot = 0, ...others] = domains
  const seconds = QUIET_WARM_SECONDS + QUIET_SECONDS
  const quietLoad = () => spread(target, others, QUIET_RATE * seconds)
  const idle = await latency(network, await quietLoad(), QUIET_RATE, QUIET_WARM_SECONDS)
  const hotRate = HOT_RATE === undefined ? Math.floor(HOT_SHARE * saturated) : Number(HOT_RATE)
  const beside = async (loaded: readonly number[]): Promise<Latency> => {
    const quiet = await quietLoad()
    const heat = sendFrom(network, await spread(target, loaded, hotRate * seconds), hotRate)
    const figures = await latency(network, quiet, QUIET_RATE, QUIET_WARM_SECONDS)
    await heat
    return figures
  }
  return { idle, besideHot: await beside([hot]), besideSpread: await beside(domains), hotRate }
}

/** Start a network of four, measure it with lanes and stop it. */
export async function benchLanes(): Promise<LanesFigures> {
  const network = await startNetwork()
  try {
    const { target } = network
    const all = Array.from({ length: DOMAINS }, (_, domain) => domain)
    await asAdmin(
      target,
      ...all.map(
        (domain): Instruction =>
          instruction(domainInstructions.registerDomain, {
            id: domainOf(domain),
            dataspace: undefined,
            metadata: NO_METADATA,
          }),
      ),
      instruction(laneInstructions.updateLanes, { add: all.slice(1).map(laneOf), retire: [], relabel: [] }),
      instruction(parameters.setParameter, { name: 'lanes.enabled', value: true }),
    )
    for (const domain of all) {
      await fundAccounts({ ...target, domain: domainOf(domain) }, accountsOf(ACCOUNTS_PER_DOMAIN, domainOf(domain)))
    }
    // Warm-up of code and caches, which no lane count should bear.
    await measured(network, all)

    const perSecond: Record<(typeof LANE_COUNTS)[number], number[]> = { 1: [], 4: [], 16: [] }
    let version = 0
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const lanes of LANE_COUNTS) {
        version += 1
        await asAdmin(target, policyOf(version, lanes))
        perSecond[lanes].push(await measured(network, all))
      }
    }
    const quiet = await quietFigures(network, all, Math.max(...perSecond[16]))
    const triggers = await triggersFigures(network, all)
    return {
      perSecond,
      sixteenToOne: Math.max(...perSecond[16]) / Math.max(...perSecond[1]),
      quiet,
      p99Ratio: quiet.besideHot.p99Ms / quiet.idle.p99Ms,
      p99BlocksRatio: quiet.besideHot.p99Blocks / quiet.idle.p99Blocks,
      p99ToSpread: quiet.besideHot.p99Ms / quiet.besideSpread.p99Ms,
      triggers,
      loadAverage: loadavg(),
    }
  } finally {
    await stopNetwork(network)
  }
}
