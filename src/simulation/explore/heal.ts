/**
 * Owns liveness (docs/design/consensus.md 12, invariant 16): in a state of an exploration all messages in flight are
 * lost. Then the network is whole, clocks advance, and the faulty member is silent.
 */
import {
  type ConsensusMessage,
  type ConsensusState,
  carryOut,
  type EffectHandler,
  type EffectOf,
  emptyRecord,
  hashKey,
  type Input,
  step,
  type TimerName,
} from '../../consensus/index.js'
import type { CertifiedHeader } from '../../model/index.js'
import { randomOf } from '../prng.js'
import { aggregateSignatures } from '../signatures.js'
import { type Asking, answerTo, type LateWork } from './answers.js'
import { copyOf } from './copy.js'
import type { Exploration } from './exploration.js'
import { type Ground, NOW_MS, type Setting } from './ground.js'
import type { LocalState } from './local-state.js'
import type { Messages } from './messages.js'

/** Time of one round, in ms: every view timer of the first views expires in it. */
const ROUND_MS = 2_500
const ROUNDS_MAX = 24
/** Maximum events of one round; more are a livelock. */
const EVENTS_MAX = 50_000
const TIMERS: readonly TimerName[] = ['fetch', 'propose', 'fallback', 'sync', 'view']
/** Variant of blocks built after the heal, which no block of the exploration has. */
const VARIANT = 9

/** A node at the moment of the heal, in an exploration or along a trace of the specification. */
export interface Halted extends Pick<LocalState, 'machine' | 'ground' | 'signer' | 'timer' | 'committed'> {
  readonly unsynced: readonly { readonly job: number }[]
  /** Work without a result so far. */
  readonly late: readonly (LateWork | EffectOf<'build'>)[]
}

/** Network of correct nodes in which all messages arrive. */
class HealedNetwork {
  readonly nodes: readonly HealedNode[]
  readonly events: (() => void)[] = []
  nowMs = NOW_MS

  constructor(
    readonly setting: Setting,
    locals: readonly Halted[],
  ) {
    this.nodes = locals.map((local) => new HealedNode(this, local))
  }

  deliver(from: string, message: ConsensusMessage, to: string | undefined): void {
    for (const node of this.nodes) {
      if (node.key === from || (to !== undefined && node.key !== to)) continue
      this.events.push(() => node.input({ type: 'message', from, message }))
    }
  }

  /** Deliver all messages of a node. */
  deliverAll(from: string, ids: readonly number[], messages: Messages): void {
    for (const id of ids) {
      const { message } = messages.at(id)
      if (message !== undefined) this.deliver(from, message, undefined)
    }
  }

  drain(): void {
    for (let count = 0; ; count++) {
      if (count > EVENTS_MAX) throw new Error('the healed network never comes to rest')
      const event = this.events.shift()
      if (event === undefined) return
      event()
    }
  }

  /** Run one round: statuses between all nodes, then all timers. */
  round(): void {
    this.nowMs += ROUND_MS
    for (const node of this.nodes) {
      for (const other of this.nodes) if (other !== node) node.input({ type: 'gossip', peer: other.key })
    }
    this.drain()
    for (const name of TIMERS) {
      for (const node of this.nodes) node.expire(name)
      this.drain()
    }
  }

  get highestView(): number {
    return Math.max(...this.nodes.map(({ machine }) => machine.view))
  }
}

/** One node of a healed network. */
class HealedNode implements Asking {
  readonly machine: ConsensusState
  ground: Ground
  signer = emptyRecord(0)
  committed: { readonly block: string; readonly view: number } | undefined
  private readonly timers = new Map<TimerName, number>()

  private readonly effects: EffectHandler = {
    send: ({ to, message }) => this.net.deliver(this.key, message, to),
    broadcast: ({ message }) => this.net.deliver(this.key, message, undefined),
    persist: ({ job }) => this.answer({ type: 'persisted', job }),
    sign: (effect) => this.answer(answerTo(this.net.setting, this, effect)),
    verify: (effect) => this.answer(answerTo(this.net.setting, this, effect)),
    execute: (effect) => this.answer(answerTo(this.net.setting, this, effect)),
    aggregate: (effect) => {
      const { signatures } = this.net.setting.rules
      this.answer({ type: 'aggregated', job: effect.job, ...aggregateSignatures(signatures, effect) })
    },
    build: ({ job, view }) => {
      const { header, body } = this.net.setting.block(this.ground, view, VARIANT)
      this.answer({ type: 'built', job, block: { header, body } })
    },
    commit: (effect) => this.commit(effect),
    serveCertificate: ({ to, height }) => this.serve(to, height, 'certificate'),
    serveBlocks: ({ to, from, count }) => {
      const blocks = this.ground.chain.blocks.slice(from - 2, from - 2 + count)
      this.net.deliver(this.key, { kind: 'syncResponse', value: { blocks } }, to)
    },
    servePayload: ({ to, height }) => this.serve(to, height, 'payload'),
    serveRecords: () => {},
    rebuild: () => {},
    stage: () => {},
    arm: ({ name, view }) => void this.timers.set(name, view),
    disarm: ({ name }) => void this.timers.delete(name),
    reoffer: () => {},
    endAbstention: () => this.answer({ type: 'abstentionEnded' }),
    reportEquivocation: () => {},
    report: () => {},
    halt: ({ detail }) => {
      throw new Error(`halted: ${detail}`)
    },
  }

  constructor(
    private readonly net: HealedNetwork,
    { machine, ground, signer, timer, committed, unsynced, late }: Halted,
  ) {
    this.machine = copyOf(machine)
    this.ground = ground
    this.signer = signer
    if (timer !== undefined) this.timers.set('view', timer)
    if (machine.fetching !== undefined) this.timers.set('fetch', machine.view)
    if (machine.sync.timerArmed) this.timers.set('sync', machine.view)
    if (committed !== '' && machine.decided !== undefined) this.note(machine.decided)
    // Pending syncs and computations complete.
    for (const { job } of unsynced) this.answer({ type: 'persisted', job })
    for (const work of late) carryOut(this.effects, work)
  }

  get key(): string {
    return this.machine.self
  }

  private note({ certificate }: CertifiedHeader): void {
    this.committed = { block: hashKey(certificate.blockHash), view: certificate.view }
  }

  private commit({ certified }: EffectOf<'commit'>): void {
    const next = this.net.setting.groundAbove(certified.certificate)
    if (next === undefined) return this.note(certified)
    this.ground = next
    this.answer({ type: 'work', pending: true, full: true })
    this.answer({ type: 'committed', next: next.context, self: this.key })
  }

  private serve(to: string, height: number, what: 'certificate' | 'payload'): void {
    const block = this.ground.chain.block(height)
    if (block?.certificate === undefined) return
    const { header, certificate, body } = block
    const message: ConsensusMessage =
      what === 'certificate'
        ? { kind: 'certificate', value: { certificate, header } }
        : { kind: 'payloadResponse', value: { height, blockHash: certificate.blockHash, header, body } }
    this.net.deliver(this.key, message, to)
  }

  private answer(input: Input): void {
    this.net.events.push(() => this.input(input))
  }

  input(input: Input): void {
    for (const effect of step(this.machine, { ...input, nowMs: this.net.nowMs })) carryOut(this.effects, effect)
  }

  expire(name: TimerName): void {
    const view = this.timers.get(name)
    if (view === undefined) return
    this.timers.delete(name)
    this.input({ type: 'timer', name, height: this.machine.context.height, view })
  }
}

/** Result of healing a sample of states. */
export interface Healed {
  readonly states: number
  /** Number of states by the views between the heal and the commit. */
  readonly views: ReadonlyMap<number, number>
  /** First state without a commit within f + 2 views. */
  readonly late: string | undefined
}

/** Parameters of healing a sample of states. */
export interface Healing {
  readonly samples: number
  /**
   * `lost`: all messages in flight are lost, and a commit follows within f + 2 views. `delivered`: all messages arrive,
   * and no view is lost if no timer expired before.
   */
  readonly messages: 'lost' | 'delivered'
  readonly seed?: number
}

/** Heal a sample of the states of an exploration, drawn by a seed. */
export function heal(exploration: Exploration, { samples, messages, seed = 1 }: Healing): Healed {
  const random = randomOf(seed, 'heal')
  const { states } = exploration
  const views = new Map<number, number>()
  const count = Math.min(samples, states.size)
  for (let at = 0; at < count; at++) {
    const state = count === states.size ? at : random.below(states.size)
    const { late, took } = healState(exploration, state, messages)
    if (late !== undefined) return { states: at + 1, views, late: `state ${state}: ${late}` }
    views.set(took, (views.get(took) ?? 0) + 1)
  }
  return { states: count, views, late: undefined }
}

function healState(
  { states, tables, messages }: Exploration,
  state: number,
  inFlight: Healing['messages'],
): { late: string | undefined; took: number } {
  const vector = new Int32Array(tables.length)
  states.read(state, vector)
  const locals = tables.map((table, at) => table.state(vector[at] as number))
  const net = new HealedNetwork(messages.setting, locals)
  if (inFlight === 'lost') return healed(net, messages.setting.start.context.committee.faults + 2)
  for (const { sent, machine } of locals) net.deliverAll(machine.self, sent, messages)
  return healed(net, 0)
}

/**
 * Heal correct nodes whose messages in flight are lost. Returns the reason if no commit follows within f + 2 views, or
 * undefined.
 */
export function healNodes(setting: Setting, nodes: readonly Halted[]): string | undefined {
  return healed(new HealedNetwork(setting, nodes), setting.start.context.committee.faults + 2).late
}

/** Run rounds until all nodes committed; at most `views` views may be lost. */
function healed(net: HealedNetwork, views: number): { readonly late: string | undefined; readonly took: number } {
  net.drain()
  const from = net.highestView
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const committed = net.nodes.flatMap((node) => node.committed ?? [])
    if (committed.length === net.nodes.length) {
      const blocks = new Set(committed.map(({ block }) => block))
      const last = Math.max(...committed.map(({ view }) => view))
      if (blocks.size > 1) {
        const names = [...blocks].map((block) => net.setting.nameOf(block))
        return { late: `FORK after the heal: ${names.join(', ')}`, took: 0 }
      }
      return {
        late: last > from + views ? `committed in view ${last}, healed in view ${from}` : undefined,
        took: Math.max(0, last - from),
      }
    }
    net.round()
  }
  const where = net.nodes.map(
    ({ machine, committed }) => `view ${machine.view}${committed === undefined ? '' : ' committed'}`,
  )
  return { late: `no commit after ${ROUNDS_MAX} rounds: ${where.join(', ')}`, took: 0 }
}
