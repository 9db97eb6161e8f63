/** Owns a chaos run: from one seed, faults one after another under load; then one state root, every payment, all the money. */

import { type Random, randomOf } from '../../src/simulation/prng.js'
import { FAIL_POINTS } from '../../src/storage/index.js'
import { pause, until } from '../support/ports.js'
import { type Accounts, Load } from './load.js'
import { ChaosNet, type ChaosPeer } from './net.js'

export interface ChaosOptions {
  readonly seed: number
  /** The run ends after this many kills. */
  readonly kills: number
  readonly observers?: number
  /** Every payload counts as large: compact proposals and broadcast in chunks, with recovery under faults. */
  readonly largePayloads?: boolean
  readonly log?: (line: string) => void
}

/** Results of the run. */
export interface ChaosReport {
  readonly seed: number
  readonly kills: number
  /** Kills at fail points, by number of the point. */
  readonly failPoints: ReadonlyMap<number, number>
  readonly actions: ReadonlyMap<string, number>
  readonly height: number
  readonly stateRoot: string
  readonly accounts: Accounts
  /** Payloads rebuilt from hashes and sessions of broadcast delivered, over all nodes since their last start. */
  readonly payloads: { readonly rebuilt: number; readonly delivered: number }
  readonly elapsedMs: number
}

/** All points but those of a divergence and of an abstaining node, which have tests of their own. */
const POINTS = Object.keys(FAIL_POINTS)
  .map(Number)
  .filter((point) => ![210, 211, 404, 405].includes(point))
/** Points that are passed only when a view fails: the proposer is stopped meanwhile. */
const VIEW_CHANGE_POINTS: readonly number[] = [40, 41, 50, 51, 140, 141, 170, 171]
/** Points on the way up: the process ends before it answers. */
const isStartPoint = (point: number): boolean => point >= 400
/** Longest wait for an armed point to be passed, in ms; then the process is killed where it stands. */
const POINT_PATIENCE_MS = 6_000
/** Agreement of the whole network is checked after this many actions. */
const CHECK_EVERY = 12
/** Shares of messages lost, sent twice and sent late by a peer that was started with disturbed links. */
const DISTURBED = ':0.02:0.05:0.05'

class Run {
  kills = 0
  readonly failPoints = new Map<number, number>()
  readonly actions = new Map<string, number>()
  private readonly random: Random

  constructor(
    private readonly net: ChaosNet,
    private readonly log: (line: string) => void,
  ) {
    this.random = net.random
  }

  /** Environment of a start: sometimes with links that lose, repeat and reorder messages. */
  private env(): Record<string, string> {
    return this.random.chance(0.3) ? { CHAOS_LINKS: `${this.random.below(1_000_000)}${DISTURBED}` } : {}
  }

  private count<K>(map: Map<K, number>, key: K): void {
    map.set(key, (map.get(key) ?? 0) + 1)
  }

  async act(): Promise<void> {
    const deeds: readonly (readonly [string, number, () => Promise<void>])[] = [
      ['kill', 6, () => this.killSome(1)],
      ['kill two', 2, () => this.killSome(2)],
      ['kill all', 1, () => this.killSome(this.net.peers.length)],
      ['fail point', 8, () => this.failPoint()],
      ['stop the proposer', 2, () => this.stopProposer()],
      ['cut one off', 2, () => this.cut(1)],
      ['cut in half', 1, () => this.cut(2)],
      ['reset links', 1, () => this.resetLinks()],
      ['slow links', 1, () => this.slowLinks()],
      ['wrong clock', 1, () => this.wrongClock()],
    ]
    const [name, , deed] = this.random.pick(deeds.flatMap((one) => Array.from({ length: one[1] }, () => one)))
    this.log(`${this.kills} kills: ${name}`)
    this.count(this.actions, name)
    await deed()
  }

  private async kill(peer: ChaosPeer): Promise<void> {
    await peer.kill()
    this.kills += 1
  }

  private someOf(count: number): ChaosPeer[] {
    const left = [...this.net.peers]
    return Array.from({ length: count }, () => left.splice(this.random.below(left.length), 1)[0] as ChaosPeer)
  }

  private async killSome(count: number): Promise<void> {
    const peers = this.someOf(count)
    await Promise.all(peers.map((peer) => this.kill(peer)))
    await pause(this.random.below(400))
    for (const peer of peers) await peer.start(this.env())
    await Promise.all(peers.map((peer) => peer.ready()))
  }

  /** A peer starts with an armed point, dies there, and comes back. */
  private async failPoint(): Promise<void> {
    const [peer] = this.someOf(1) as [ChaosPeer]
    const point = this.random.pick(POINTS)
    const passage = isStartPoint(point) ? 1 : 1 + this.random.below(2)
    await this.kill(peer)
    await peer.start({ ...this.env(), CAUSEWAY_FAIL_POINT: `${point}@${passage}` })
    const stopped = VIEW_CHANGE_POINTS.includes(point) ? await this.stopSomeProposer(peer) : undefined
    const ended = await peer.ended(POINT_PATIENCE_MS)
    stopped?.signal('SIGCONT')
    if (ended) {
      if (peer.outcome !== 'SIGKILL')
        throw new Error(`${peer.name} ended with ${peer.outcome}: ${await peer.lastOutput()}`)
      this.kills += 1
      this.count(this.failPoints, point)
    } else await this.kill(peer)
    await peer.start(this.env())
    await peer.ready()
  }

  /** Stop the current proposer, unless it is the given one. */
  private async stopSomeProposer(but: ChaosPeer): Promise<ChaosPeer | undefined> {
    await until(`${but.name} to answer or to end`, async () =>
      !but.isRunning || (await but.standing()) !== undefined ? true : undefined,
    )
    const proposer = await this.net.proposer()
    if (proposer === undefined || proposer === but) return undefined
    proposer.signal('SIGSTOP')
    return proposer
  }

  private async stopProposer(): Promise<void> {
    const peer = (await this.net.proposer()) ?? this.someOf(1)[0]!
    peer.signal('SIGSTOP')
    await pause(300 + this.random.below(2_500))
    peer.signal('SIGCONT')
  }

  private async cut(count: number): Promise<void> {
    for (const peer of this.someOf(count)) {
      this.net.parts.set(peer.name, 1)
      // Sometimes the links break, sometimes nothing comes through any more.
      if (this.random.chance(0.5)) this.net.resetLinks(peer.name)
    }
    await pause(500 + this.random.below(2_500))
    this.net.heal()
  }

  private async resetLinks(): Promise<void> {
    for (let times = 1 + this.random.below(4); times > 0; times -= 1) {
      this.net.resetLinks(this.random.chance(0.3) ? undefined : this.someOf(1)[0]!.name)
      await pause(this.random.below(500))
    }
  }

  private async slowLinks(): Promise<void> {
    this.net.linkDelayMs = 10 + this.random.below(150)
    await pause(1_000 + this.random.below(1_500))
    this.net.heal()
  }

  /** A peer whose clock is off by up to half a minute, for a while. */
  private async wrongClock(): Promise<void> {
    const [peer] = this.someOf(1) as [ChaosPeer]
    const shiftMs = (this.random.chance(0.5) ? 1 : -1) * (1_500 + this.random.below(28_000))
    await this.kill(peer)
    await peer.start({ CHAOS_CLOCK_SHIFT_MS: String(shiftMs) })
    await peer.ready()
    await pause(1_000 + this.random.below(2_000))
    await this.kill(peer)
    await peer.start()
    await peer.ready()
  }
}

/** Runs until there were enough kills, then checks everything. Throws what does not hold. */
export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  const { seed, kills, observers = 1, largePayloads = false, log = () => {} } = options
  const startedMs = performance.now()
  const net = await ChaosNet.create(seed, { observers, largePayloads })
  let failed = true
  try {
    await net.startAll()
    const load = await Load.open(net, randomOf(seed, 'load'))
    const run = new Run(net, log)
    load.start()
    for (let actions = 1; run.kills < kills; actions += 1) {
      await run.act()
      if (actions % CHECK_EVERY === 0) await check(net, load, log)
    }
    await load.stop()
    net.heal()
    const end = await net.agreed()
    const accounts = await load.settle(net.peers[0]!)
    const last = await net.agreed(net.peers, end.height)
    await noHalts(net)
    const payloads = await payloadsOf(net)
    failed = false
    return {
      seed,
      kills: run.kills,
      failPoints: run.failPoints,
      actions: run.actions,
      height: last.height,
      stateRoot: last.stateRoot,
      accounts,
      payloads,
      elapsedMs: performance.now() - startedMs,
    }
  } catch (error) {
    log(`seed ${seed} failed; logs are kept in ${net.root}`)
    throw error
  } finally {
    await (failed ? net.stop() : net.close())
  }
}

/** In the middle of a run: without new payments all come to one state. */
async function check(net: ChaosNet, load: Load, log: (line: string) => void): Promise<void> {
  await load.stop()
  const { height, stateRoot } = await net.agreed()
  await noHalts(net)
  log(`all at height ${height}, state root ${stateRoot.slice(0, 16)}, ${load.count} payments acknowledged`)
  load.start()
}

async function noHalts(net: ChaosNet): Promise<void> {
  for (const peer of net.peers) {
    const standing = await peer.standing()
    if (standing?.halted !== undefined) throw new Error(`${peer.name} halted: ${standing.halted}`)
    if (standing?.divergence !== undefined) throw new Error(`${peer.name} diverged: ${standing.divergence.report}`)
  }
}

async function payloadsOf(net: ChaosNet): Promise<ChaosReport['payloads']> {
  const sum = { rebuilt: 0, delivered: 0 }
  for (const peer of net.peers) {
    const answer = await fetch(`${peer.gateway}/v1/consensus/rbc`, { headers: { accept: 'application/json' } })
    const view = (await answer.json()) as { payloads_rebuilt_total: number; sessions_delivered_total: number }
    sum.rebuilt += view.payloads_rebuilt_total
    sum.delivered += view.sessions_delivered_total
  }
  return sum
}
