/** Owns the breadth-first search of all states of a small world, so that the first violation has a shortest trace. */
import { Broken } from '../cache-bounds.js'
import { Setting } from './ground.js'
import { Messages } from './messages.js'
import { type Delivery, Network } from './network.js'
import { openingOf, symmetricPair, type WorldOptions } from './options.js'
import { Symmetry } from './symmetry.js'
import { NodeTable, type OwnAction } from './table.js'
import { VectorSet } from './vectors.js'

/** Action of one node. */
export type Action = { readonly kind: 'deliver'; readonly id: number } | OwnAction

/** Action with the index of its node among the correct nodes. */
export interface Taken {
  readonly at: number
  readonly action: Action
}

/** Violated invariant, and the state in which it was found. */
export interface Violation {
  readonly text: string
  readonly state: number
  /** Action that violates it; undefined if the state itself does. */
  readonly last: Taken | undefined
}

/** Parent of the first state, and of a violation that precedes it. */
const NOWHERE = -1

/** One small world under exploration. */
export class Exploration {
  readonly messages: Messages
  readonly tables: readonly NodeTable[]
  readonly states: VectorSet
  transitions = 0
  expanded = 0
  depth = 0
  violation: Violation | undefined
  /** Called with each expanded state. */
  onState: ((vector: Int32Array) => void) | undefined
  private readonly network: Network
  private readonly deliveries: Delivery[] = []
  private readonly bySent = new Map<string, number>()
  private readonly bySets = new Map<string, number>()
  private readonly vector: Int32Array
  private readonly next: Int32Array
  private layerEnds = 1

  /**
   * `exchanges`: true to identify states that differ only by the exchange of two equivalent members, which halves the
   * states.
   */
  constructor(
    readonly options: WorldOptions,
    exchanges = true,
  ) {
    const setting = new Setting(options)
    this.messages = new Messages(setting)
    this.tables = setting.correct.map((number) => new NodeTable(number, this.messages))
    this.network = new Network(this.messages)
    const pair = exchanges ? symmetricPair(options) : undefined
    const { length } = this.tables
    this.states = new VectorSet(length, pair && new Symmetry(this.tables, pair).identify)
    this.vector = new Int32Array(length)
    this.next = new Int32Array(length)
    try {
      this.states.add(Int32Array.from(this.tables.map((table) => table.initial())), NOWHERE)
      this.open()
    } catch (error) {
      if (!(error instanceof Broken)) throw error
      this.violation = { text: error.message, state: this.states.size - 1, last: undefined }
    }
  }

  /**
   * Take the actions of the opening. The states before its last one are part of traces, but no other actions are taken
   * in them.
   */
  private open(): void {
    for (const { node, message } of openingOf(this.options)) {
      const state = this.states.size - 1
      this.states.read(state, this.next)
      const at = this.tables.findIndex(({ number }) => number === node)
      const table = this.tables[at] as NodeTable
      const local = this.next[at] as number
      const id = message === undefined ? undefined : this.messages.find(message)
      const timer = table.movesOf(local).find(({ action }) => action.kind === 'timer')
      const to = message === undefined ? timer?.to : id === undefined ? undefined : table.deliver(local, id)
      if (to === undefined) throw new Error(`node ${node} cannot take an action of the opening`)
      this.next[at] = to
      this.states.add(this.next, state)
    }
    this.expanded = this.states.size - 1
    this.layerEnds = this.states.size
  }

  get isComplete(): boolean {
    return this.violation === undefined && this.expanded === this.states.size
  }

  /** Number of distinct states of all nodes, and of calls of `step`. */
  get work(): { readonly locals: number; readonly steps: number } {
    return {
      locals: this.tables.reduce((sum, table) => sum + table.states.length, 0),
      steps: this.tables.reduce((sum, table) => sum + table.runner.steps, 0),
    }
  }

  /** Expand up to `count` states; false if no work remains or an invariant is violated. */
  advance(count: number): boolean {
    const until = this.expanded + count
    while (this.violation === undefined && this.expanded < this.states.size && this.expanded < until) {
      if (this.expanded === this.layerEnds) {
        this.depth += 1
        this.layerEnds = this.states.size
      }
      this.expand(this.expanded)
      this.expanded += 1
    }
    return this.violation === undefined && this.expanded < this.states.size
  }

  private expand(state: number): void {
    const { vector, next } = this
    this.states.read(state, vector)
    this.onState?.(vector)
    const { ids, broken } = this.deliveryAt(vector)
    if (broken !== undefined) {
      this.violation = { text: broken, state, last: undefined }
      return
    }
    next.set(vector)
    for (let at = 0; at < vector.length; at++) {
      try {
        this.expandNode(state, at, ids)
      } catch (error) {
        if (!(error instanceof Broken)) throw error
        this.violation = { text: error.message, state, last: this.breaking(at, vector[at] as number, ids) }
        return
      }
    }
  }

  private expandNode(state: number, at: number, ids: Int32Array): void {
    const table = this.tables[at] as NodeTable
    const local = this.vector[at] as number
    for (let index = 0; index < ids.length; index++) {
      const id = ids[index] as number
      const known = table.rows[local]?.[id] ?? -1
      const to = known >= 0 ? known : table.deliver(local, id)
      if (to !== local) this.reach(state, at, to)
    }
    for (const { to } of table.movesOf(local)) this.reach(state, at, to)
    this.next[at] = local
  }

  private reach(state: number, at: number, to: number): void {
    this.transitions += 1
    this.next[at] = to
    this.states.add(this.next, state)
  }

  /** The action of a node that violates an invariant. */
  private breaking(at: number, local: number, ids: Int32Array): Taken | undefined {
    const table = this.tables[at] as NodeTable
    const breaks = (run: () => unknown): boolean => {
      try {
        run()
        return false
      } catch (error) {
        return error instanceof Broken
      }
    }
    for (const id of ids) if (breaks(() => table.deliver(local, id))) return { at, action: { kind: 'deliver', id } }
    for (const action of table.actionsOf(table.state(local))) {
      if (breaks(() => table.keep(table.act(table.copy(local), action)))) return { at, action }
    }
    return undefined
  }

  /** Deliverable messages in a state. */
  deliveryAt(vector: Int32Array): Delivery {
    let sets = ''
    for (let at = 0; at < vector.length; at++)
      sets += `${(this.tables[at] as NodeTable).sentSets[vector[at] as number]},`
    let number = this.bySets.get(sets)
    if (number === undefined) {
      number = this.numberOf(vector)
      this.bySets.set(sets, number)
    }
    return this.deliveries[number] as Delivery
  }

  private numberOf(vector: Int32Array): number {
    const locals = this.tables.map((table, at) => table.state(vector[at] as number))
    const sent = [...new Set(locals.flatMap((local) => local.sent))].sort((a, b) => a - b)
    const heights = new Map<number, number>()
    if (this.options.loser !== undefined) {
      for (const [at, { ground }] of locals.entries()) heights.set(this.tables[at]?.number ?? -1, ground.context.height)
    }
    const text = `${sent.join(',')}|${[...heights.values()].join(',')}`
    const known = this.bySent.get(text)
    if (known !== undefined) return known
    this.bySent.set(text, this.deliveries.length)
    this.deliveries.push(this.network.deliveryOf(sent, heights))
    return this.deliveries.length - 1
  }

  /** The shortest list of actions from the first state to a state. */
  pathTo(state: number): Taken[] {
    const path: number[] = []
    for (let one = state; one !== NOWHERE; one = this.states.parentOf(one)) path.unshift(one)
    const from = new Int32Array(this.tables.length)
    const to = new Int32Array(this.tables.length)
    return path.slice(1).map((one, index) => {
      this.states.read(path[index] as number, from)
      this.states.read(one, to)
      return this.actionBetween(from, to)
    })
  }

  private actionBetween(from: Int32Array, to: Int32Array): Taken {
    const at = from.findIndex((local, place) => local !== to[place])
    const table = this.tables[at] as NodeTable
    const [local, wanted] = [from[at] as number, to[at] as number]
    for (const id of this.deliveryAt(from).ids) {
      if (table.deliver(local, id) === wanted) return { at, action: { kind: 'deliver', id } }
    }
    const move = table.movesOf(local).find((one) => one.to === wanted)
    if (move === undefined) throw new Error('no action leads from a state to its successor')
    return { at, action: move.action }
  }
}
