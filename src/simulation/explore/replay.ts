/**
 * Owns the replay of a trace in the simulator, with its chain, disk and checker and the real state machine, without
 * tables and merged states.
 */

import { errorMessage } from '../../base/thrown.js'
import {
  type AbstentionCause,
  type ConsensusMessage,
  type ConsensusState,
  carryOut,
  consensusMessage,
  type DurableRecord,
  domainOf,
  type EffectHandler,
  type EffectOf,
  emptyRecord,
  type Input,
  newState,
  recoverState,
  step,
  validateEvidence,
} from '../../consensus/index.js'
import type { CertifiedHeader } from '../../model/index.js'
import { Chain } from '../chain.js'
import { InvariantChecker } from '../checker.js'
import { SimulatedDisk } from '../disk.js'
import { randomOf } from '../prng.js'
import { aggregateSignatures } from '../signatures.js'
import { type Asking, answerTo, type LateWork } from './answers.js'
import { causeOf, type Ground, NOW_MS, Setting } from './ground.js'
import { JobText } from './job-text.js'
import { Messages } from './messages.js'
import { Network } from './network.js'
import { type Trace, type TraceStep, worldOf } from './trace.js'
import { signedByMembers } from './watch.js'

/** Result of a replay. */
export interface Replay {
  /** Violated invariant; undefined if the trace violates none. */
  readonly violation: string | undefined
  /** Number of actions before the violation. */
  readonly steps: number
  readonly commits: number
}

/** Data shared by all nodes of a replay. */
interface Stage {
  nowMs: number
  readonly setting: Setting
  readonly messages: Messages
  readonly checker: InvariantChecker
  /** Numbers of all messages that correct nodes sent. */
  readonly sent: Set<number>
}

/** Time between two actions, in ms, long enough that every request is overdue and every time limit has passed. */
const ACTION_MS = 5_000

/** Node of a replay, driven only by the trace. */
class ReplayedNode implements Asking {
  private readonly disk = new SimulatedDisk(randomOf(0, 'replay'))
  private readonly jobs: JobText
  private readonly queue: Input[] = []
  ground: Ground
  machine: ConsensusState
  private unsynced: EffectOf<'persist'>[] = []
  private late: LateWork[] = []
  private timer: number | undefined
  private life = 0
  private mark: AbstentionCause | undefined
  private hasLost = false
  private hasSigned = false
  signer = emptyRecord(0)

  private readonly effects: EffectHandler = {
    send: ({ message }) => this.sent(message),
    broadcast: ({ message }) => this.sent(message),
    persist: (effect) => {
      this.unsynced.push(effect)
      if (!this.options.split) this.sync()
    },
    sign: (effect) => this.orLater(effect),
    verify: (effect) => this.orLater(effect),
    execute: (effect) => this.orLater(effect),
    aggregate: (effect) => {
      this.queue.push({ type: 'aggregated', job: effect.job, ...aggregateSignatures(this.by, effect) })
    },
    build: ({ job, view }) => {
      const variant = (this.options.crashes > 0 ? this.life : 0) + Number(this.hasLost)
      const { header, body } = this.stage.setting.block(this.ground, view, variant)
      this.queue.push({ type: 'built', job, block: { header, body } })
    },
    commit: ({ certified, body }) => this.commit(certified, body),
    serveCertificate: () => {},
    serveBlocks: () => {},
    servePayload: () => {},
    serveRecords: () => {},
    rebuild: () => {},
    stage: () => {},
    arm: ({ name, view }) => {
      if (name === 'view') this.timer = view
    },
    disarm: ({ name }) => {
      if (name === 'view') this.timer = undefined
    },
    reoffer: () => {},
    endAbstention: () => {
      this.mark = undefined
      this.queue.push({ type: 'abstentionEnded' })
    },
    reportEquivocation: ({ evidence }) => {
      const { committee } = this.machine.context
      const fault = validateEvidence(evidence, committee, domainOf(this.machine.context))
      if (!('fault' in fault) && fault.checks.every(this.by.verify)) this.stage.checker.proven(fault, this.faultyKeys)
    },
    report: ({ report }) => {
      this.stage.checker.observe(report)
      this.stage.checker.foundFault(this.number, report, this.faultyKeys)
    },
    halt: ({ height, detail }) => {
      throw new Error(`node ${this.number} halted at height ${height}: ${detail}`)
    },
  }

  constructor(
    readonly number: number,
    private readonly stage: Stage,
  ) {
    const { setting, messages } = stage
    this.jobs = new JobText(messages)
    this.ground = setting.options.behind === number ? setting.below : setting.start
    this.machine = newState(this.key, this.ground.context, stage.nowMs)
    this.started()
  }

  private get options() {
    return this.stage.setting.options
  }
  private get key(): string {
    return this.stage.setting.peers[this.number] ?? ''
  }
  private get by() {
    return this.stage.setting.rules.signatures
  }
  private get faultyKeys(): ReadonlySet<string> {
    const { peers, faulty } = this.stage.setting
    return new Set(peers.filter((_, at) => at === faulty))
  }

  private started(): void {
    this.run({ type: 'work', pending: true, full: true }, { type: 'started' })
  }

  private run(...inputs: Input[]): void {
    this.queue.push(...inputs)
    for (let input = this.queue.shift(); input !== undefined; input = this.queue.shift()) {
      const effects = step(this.machine, { ...input, nowMs: this.stage.nowMs })
      this.stage.checker.stepped(this.number, this.machine, this.faultyKeys)
      signedByMembers(this.number, this.machine)
      for (const effect of effects) carryOut(this.effects, effect)
    }
  }

  /** Take one action of a trace. */
  take({ action }: TraceStep): void {
    switch (action.kind) {
      case 'deliver':
        for (const { from, message } of action.value.messages) {
          const decoded = consensusMessage.decode(message)
          if (!decoded.ok) throw new Error(`a message of the trace does not decode: ${decoded.fault.message}`)
          this.run({ type: 'message', from: this.stage.setting.peers[from] ?? '', message: decoded.value })
        }
        return
      case 'timer': {
        const view = this.timer ?? 0
        this.timer = undefined
        return this.run({ type: 'timer', name: 'view', height: this.machine.context.height, view })
      }
      case 'sync':
        this.sync()
        return this.run()
      case 'answer': {
        const at = this.late.findIndex((work) => this.jobs.late(this.machine, work) === action.value.work)
        const [work] = at < 0 ? [] : this.late.splice(at, 1)
        return work === undefined ? undefined : this.run(answerTo(this.stage.setting, this, work))
      }
      case 'status':
        return this.run({ type: 'gossip', peer: this.stage.setting.peers[0] ?? '' })
      case 'overdue':
        return this.run({ type: 'timer', name: 'sync', height: this.machine.context.height, view: 0 })
      case 'crash':
        return this.restart(action.value.kept)
      case 'lose':
        return this.lose()
    }
  }

  private sent(message: ConsensusMessage): void {
    const { checker, messages, sent } = this.stage
    this.hasSigned ||= message.kind === 'proposal' || message.kind === 'vote' || message.kind === 'timeout'
    checker.sent(this.number, this.disk, message)
    sent.add(messages.intern(message, this.number))
  }

  /** Make all records durable and check the invariants. */
  syncAll(): void {
    while (this.unsynced.length > 0) {
      this.sync()
      this.run()
    }
  }

  private sync(): void {
    const [first, ...others] = this.unsynced
    if (first === undefined) return
    this.unsynced = others
    this.keep(first.records)
    this.queue.push({ type: 'persisted', job: first.job })
  }

  private keep(records: readonly DurableRecord[]): void {
    const check = (): void => this.stage.checker.persisted(this.number, this.key, true, records)
    this.disk.append(records, check, (ended) => ended())
  }

  private restart(kept: number): void {
    const survivors = this.unsynced.flatMap(({ records }) => records).slice(0, kept)
    if (survivors.length > 0) this.keep(survivors)
    this.life += 1
    this.restarted()
  }

  private lose(): void {
    this.disk.wipe()
    this.hasLost = true
    this.ground = this.stage.setting.afterLoss(this.ground)
    this.mark = causeOf(this.ground, this.hasSigned)
    this.restarted()
  }

  private restarted(): void {
    this.unsynced = []
    this.late = []
    this.timer = undefined
    this.stage.checker.restarted(this.number)
    this.machine = recoverState(this.key, this.ground.context, this.disk.read(), this.stage.nowMs, this.mark)
    this.started()
  }

  private orLater(work: LateWork): void {
    if (this.options.late) this.late.push(work)
    else this.queue.push(answerTo(this.stage.setting, this, work))
  }

  private commit(certified: CertifiedHeader, body: Uint8Array): void {
    const { setting, checker } = this.stage
    const { header, certificate } = certified
    const chain = new Chain(setting.rules)
    for (const block of this.ground.chain.blocks) chain.append(block)
    checker.committed(certified, chain.append({ header, certificate, body }), this.stage.nowMs, body)
    const next = setting.groundAbove(certificate)
    if (next === undefined) return
    this.ground = next
    nameBlocks(setting, next)
    this.disk.prune(header.height)
    this.queue.push({ type: 'work', pending: true, full: true })
    this.queue.push({ type: 'committed', next: this.ground.context, self: this.key })
  }
}

/** Name the blocks that a faulty proposer may propose at a height, before votes refer to them. */
function nameBlocks(setting: Setting, ground: Ground): void {
  if (setting.faulty < 0) return
  for (let view = 0; view <= setting.options.views; view++) {
    for (const variant of [0, 1]) setting.block(ground, view, variant)
  }
}

/** Replay a trace; an exception of the state machine is a violation, too. */
export function replay(trace: Trace): Replay {
  const setting = new Setting(worldOf(trace))
  nameBlocks(setting, setting.start)
  const stage: Stage = {
    nowMs: NOW_MS,
    setting,
    messages: new Messages(setting),
    checker: new InvariantChecker(),
    sent: new Set(),
  }
  let steps = 0
  const end = (violation: string | undefined): Replay => ({ violation, steps, commits: stage.checker.commits })
  try {
    const nodes = new Map(setting.correct.map((number) => [number, new ReplayedNode(number, stage)]))
    for (const one of trace.steps) {
      stage.nowMs += ACTION_MS
      nodes.get(one.node)?.take(one)
      steps += 1
    }
    for (const node of nodes.values()) node.syncAll()
    return end(new Network(stage.messages).deliveryOf([...stage.sent].filter((id) => id >= 0)).broken)
  } catch (error) {
    return end(errorMessage(error))
  }
}
