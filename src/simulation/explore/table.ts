/** Owns the table of one node: state and action to the next state, filled on demand by the real state machine. */
import {
  type ConsensusMessage,
  type ConsensusState,
  emptyRecord,
  hashKey,
  type Input,
  newState,
  recoverState,
} from '../../consensus/index.js'
import { answerTo } from './answers.js'
import { Canonical } from './canonical.js'
import { copyOf } from './copy.js'
import { causeOf, NOW_MS } from './ground.js'
import { JobText } from './job-text.js'
import type { LocalState } from './local-state.js'
import type { Content, Messages, Sent } from './messages.js'
import { Runner } from './runner.js'
import { Watch } from './watch.js'

/** Action of a node other than the receipt of a message. */
export type OwnAction =
  | { readonly kind: 'timer' }
  /** The oldest append becomes durable. */
  | { readonly kind: 'sync' }
  /** Crash and restart; of the records that are not synced, `kept` survive. */
  | { readonly kind: 'crash'; readonly kept: number }
  /** One result of late work arrives. */
  | { readonly kind: 'answer'; readonly at: number; readonly work: string }
  /** The node sends its status. */
  | { readonly kind: 'status' }
  /** A request for blocks is overdue. */
  | { readonly kind: 'overdue' }
  /** The node stops, loses records, and comes back abstaining. */
  | { readonly kind: 'lose' }

/** State of a node that survives a restart. */
type Kept = Pick<LocalState, 'machine' | 'ground' | 'life' | 'sent' | 'disk' | 'signer' | 'mark' | 'hasLost'>

/** Action of a node and its state afterwards. */
export interface OwnMove {
  readonly action: OwnAction
  readonly to: number
}

const MESSAGES_PER_ROW = 64
const UNKNOWN = -1

/** All states of one node found by the exploration. */
export class NodeTable {
  readonly states: LocalState[] = []
  readonly texts: string[] = []
  /** Number of the set of messages that a state sent. */
  readonly sentSets: number[] = []
  /** Next state by message; -1 if not computed. */
  readonly rows: Int32Array[] = []
  readonly runner: Runner
  readonly canonical: Canonical
  private readonly moves: (readonly OwnMove[] | undefined)[] = []
  private readonly byText = new Map<string, number>()
  private readonly bySent = new Map<string, number>()
  private readonly jobs: JobText
  /** Called with a state that is about to be merged into a known one. */
  onMerge: ((known: number, merged: LocalState) => void) | undefined

  constructor(
    readonly number: number,
    readonly messages: Messages,
  ) {
    this.runner = new Runner(number, messages, new Watch(number, messages))
    this.jobs = new JobText(messages)
    this.canonical = new Canonical(messages, this.jobs)
  }

  private get setting() {
    return this.messages.setting
  }
  private get key(): string {
    return this.peerOf(this.number)
  }

  initial(): number {
    const { setting } = this
    const ground = setting.options.behind === this.number ? setting.below : setting.start
    const machine = newState(this.key, ground.context, NOW_MS)
    const nothing = { life: 0, sent: [], disk: [], signer: emptyRecord(0), mark: undefined, hasLost: false }
    return this.keep(this.started({ machine, ground, ...nothing }))
  }

  private started(kept: Kept): LocalState {
    const fresh: LocalState = { ...kept, unsynced: [], late: [], timer: undefined, committed: '' }
    return this.runner.run(fresh, [{ type: 'work', pending: true, full: true }, { type: 'started' }])
  }

  state(id: number): LocalState {
    const state = this.states[id]
    if (state === undefined) throw new Error(`node ${this.number} has no state ${id}`)
    return state
  }

  copy(id: number): LocalState {
    const state = this.state(id)
    return { ...state, machine: copyOf(state.machine) }
  }

  /** Number of a state: a known state with the same text, or a new one. */
  keep(local: LocalState): number {
    this.canonical.dropOld(local)
    const text = this.canonical.textOf(local)
    const known = this.byText.get(text)
    if (known !== undefined) {
      this.onMerge?.(known, local)
      return known
    }
    const id = this.states.length
    this.byText.set(text, id)
    this.states.push(local)
    this.texts.push(text)
    this.sentSets.push(this.sentSet(local))
    this.rows.push(new Int32Array(MESSAGES_PER_ROW).fill(UNKNOWN))
    return id
  }

  /** Number of the visible part of a state: its messages, and its height if current statuses are delivered. */
  private sentSet({ sent, ground }: LocalState): number {
    const height = this.setting.options.loser === undefined ? '' : `${ground.context.height}:`
    const text = `${height}${sent.join(',')}`
    const known = this.bySent.get(text)
    if (known !== undefined) return known
    const id = this.bySent.size
    this.bySent.set(text, id)
    return id
  }

  /** State after a message. */
  deliver(id: number, message: number): number {
    const known = this.rows[id]?.[message]
    if (known !== undefined && known !== UNKNOWN) return known
    const to = this.delivered(id, this.messages.at(message))
    this.setRow(id, message, to)
    return to
  }

  private setRow(id: number, message: number, to: number): void {
    let row = this.rows[id] as Int32Array
    if (message >= row.length) {
      const grown = new Int32Array(Math.max(row.length * 2, message + 1)).fill(UNKNOWN)
      grown.set(row)
      this.rows[id] = grown
      row = grown
    }
    row[message] = to
  }

  private delivered(id: number, sent: Sent): number {
    if (this.ignores(id, sent)) return id
    if (sent.row === undefined) return this.keep(this.runner.run(this.copy(id), [this.inputOf(sent)]))
    const local = this.copy(id)
    this.deliverRow(local, sent.row)
    // A state that differs only in collected messages is no new state in the reduced mode.
    return this.isSameButCollected(this.texts[id] ?? '', this.canonical.textOf(local)) ? id : this.keep(local)
  }

  /** Deliver a row on one copy; the states between its messages are not states of the world. */
  private deliverRow(local: LocalState, row: readonly number[]): void {
    for (const id of row) {
      const sent = this.messages.at(id)
      if (sent.from !== this.number) this.runner.run(local, [this.inputOf(sent)])
    }
    this.canonical.dropOld(local)
  }

  /** Run a message on a state that is not in the table. */
  runMessage(local: LocalState, sent: Sent): LocalState {
    if (sent.row === undefined) this.runner.run(local, [this.inputOf(sent)])
    else this.deliverRow(local, sent.row)
    this.canonical.dropOld(local)
    return local
  }

  private isSameButCollected(before: string, after: string): boolean {
    const strip = (text: string): string => text.replace(/\|(?:ti|vo|fv)[^|]*/g, '')
    return strip(before) === strip(after)
  }

  /**
   * True for messages without effect: own messages, messages to others, and in the reduced mode messages that no rule
   * uses.
   */
  ignores(id: number, { from, to, content, row, message, height }: Sent): boolean {
    if (to !== undefined && to !== this.number) return true
    const { machine } = this.state(id)
    if (row === undefined && from === this.number && content.kind !== 'other') return true
    if (this.waits(machine, message)) return true
    return this.setting.options.mode === 'reduced' && this.isUseless(id, { from, content, row, message, height })
  }

  /**
   * Reduced mode: true for messages that no rule uses now. They stay in the network, so that messages of a later height
   * arrive at that height.
   */
  private isUseless(id: number, sent: Pick<Sent, 'from' | 'content' | 'row' | 'message' | 'height'>): boolean {
    const { content, height } = sent
    const { decided, abstention, context, index } = this.state(id).machine
    if (sent.message?.kind === 'status') return !isAwaited(abstention, context.peerOf(this.peerOf(sent.from)))
    if (height !== context.height) return true
    // The links of a node that lost records are new: earlier messages do not reach it, and current statuses are
    // delivered separately.
    const isFollowing = abstention !== undefined && index === undefined
    if (isFollowing && (sent.row !== undefined || REPORTING.has(content.kind))) return true
    if (decided !== undefined && (content.kind !== 'payload' || this.setting.isLast(height))) return true
    return content.kind === 'payload' && !this.wants(id, content.block)
  }

  private peerOf(number: number): string {
    return this.setting.peers[number] ?? ''
  }

  /** True while a message is being verified, or waits for the next height; further copies would only repeat this. */
  private waits({ jobs, buffered }: ConsensusState, message: ConsensusMessage | undefined): boolean {
    if (buffered.some((held) => held.message === message)) return true
    if (!this.setting.options.late) return false
    for (const job of jobs.values()) if (job.next === 'messageVerified' && job.message === message) return true
    return false
  }

  /** True for the payload of the block that is decided, or certified or proposed in the view. */
  private wants(id: number, hash: string): boolean {
    const { candidates, highPrepare, decided, current, view } = this.state(id).machine
    const candidate = candidates.get(hash)
    if (candidate === undefined || candidate.body !== undefined) return false
    if (decided !== undefined) return hashKey(decided.certificate.blockHash) === hash
    if (highPrepare?.certificate.view === view && hashKey(highPrepare.certificate.blockHash) === hash) return true
    return current?.view === view && current.hash === hash
  }

  /**
   * Number of the peer that delivers a message. A node is not its own peer; any other node may forward what it sent.
   */
  senderOf({ from }: Sent): number {
    return from < 0 || from === this.number ? (this.number + 1) % this.setting.peers.length : from
  }

  private inputOf(sent: Sent): Input {
    if (sent.message === undefined) throw new Error('a row has no message of its own')
    return { type: 'message', from: this.peerOf(this.senderOf(sent)), message: sent.message }
  }

  /** All own actions of a state that change it. */
  movesOf(id: number): readonly OwnMove[] {
    const known = this.moves[id]
    if (known !== undefined) return known
    const moves: OwnMove[] = []
    for (const action of this.actionsOf(this.state(id))) {
      const to = this.keep(this.act(this.copy(id), action))
      if (to !== id) moves.push({ action, to })
    }
    this.moves[id] = moves
    return moves
  }

  /** Own actions of a state whose results were computed. */
  knownMovesOf(id: number): readonly OwnMove[] {
    return this.moves[id] ?? []
  }

  /** Own actions that are possible in a state. */
  actionsOf(local: LocalState): OwnAction[] {
    const { options } = this.setting
    const actions: OwnAction[] = []
    const { timer, machine } = local
    if (timer !== undefined && timer < options.views && machine.view < options.views) actions.push({ kind: 'timer' })
    if (local.unsynced.length > 0) actions.push({ kind: 'sync' })
    for (const [at, work] of local.late.entries()) {
      actions.push({ kind: 'answer', at, work: this.jobs.late(machine, work) })
    }
    if (options.statuses) actions.push({ kind: 'status' })
    if (machine.sync.timerArmed) actions.push({ kind: 'overdue' })
    if (local.life < options.crashes) {
      const records = local.unsynced.reduce((sum, one) => sum + one.records.length, 0)
      for (let kept = 0; kept <= records; kept++) actions.push({ kind: 'crash', kept })
    }
    if (options.loser === this.number && !local.hasLost) actions.push({ kind: 'lose' })
    return actions
  }

  /** Run an action on a state that is not in the table. */
  act(local: LocalState, action: OwnAction): LocalState {
    const { runner } = this
    switch (action.kind) {
      case 'timer': {
        const view = local.timer ?? 0
        local.timer = undefined
        return runner.run(local, [{ type: 'timer', name: 'view', height: local.ground.context.height, view }])
      }
      case 'sync': {
        const [first, ...others] = local.unsynced
        if (first === undefined) return local
        local.unsynced = others
        local.disk = [...local.disk, ...first.records]
        return runner.run(local, [{ type: 'persisted', job: first.job }])
      }
      case 'answer': {
        const work = local.late[action.at]
        if (work === undefined) return local
        local.late = local.late.filter((_, at) => at !== action.at)
        return runner.run(local, [answerTo(this.setting, local, work)])
      }
      case 'status': {
        const peer = this.peerOf((this.number + 1) % this.setting.peers.length)
        return runner.run(local, [{ type: 'gossip', peer }])
      }
      case 'overdue': {
        const { sync, context, view } = local.machine
        for (const [key, peer] of sync.peers) {
          if (peer.asked !== undefined)
            sync.peers.set(key, { ...peer, asked: { ...peer.asked, sentAtMs: Number.NEGATIVE_INFINITY } })
        }
        return runner.run(local, [{ type: 'timer', name: 'sync', height: context.height, view }])
      }
      case 'crash':
        return this.restarted(local, action.kept)
      case 'lose':
        return this.wiped(local)
    }
  }

  private restarted(local: LocalState, kept: number): LocalState {
    const { ground, life, sent, signer, mark, hasLost } = local
    const disk = [...local.disk, ...local.unsynced.flatMap((one) => one.records).slice(0, kept)]
    const machine = recoverState(this.key, ground.context, disk, NOW_MS, mark)
    return this.started({ machine, ground, life: life + 1, sent, disk, signer, mark, hasLost })
  }

  private wiped({ ground: reached, life, sent, signer }: LocalState): LocalState {
    const ground = this.setting.afterLoss(reached)
    const mark = causeOf(ground, sent.length > 0)
    const machine = recoverState(this.key, ground.context, [], NOW_MS, mark)
    return this.started({ machine, ground, life, sent, disk: [], signer, mark, hasLost: true })
  }
}

/** Messages by which a peer reports its height, beside its statuses. */
const REPORTING: ReadonlySet<Content['kind']> = new Set(['proposal', 'vote', 'timeout'])

/** True if an abstaining node counts the next report of a peer. */
const isAwaited = (abstention: ConsensusState['abstention'], peer: string): boolean =>
  abstention !== undefined && abstention.resumeAt === undefined && !abstention.shown.has(peer)
