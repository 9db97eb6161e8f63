/** Owns the running of one node: the real state machine, and the node's own work after an input. */
import {
  type ConsensusMessage,
  type ConsensusState,
  carryOut,
  type EffectHandler,
  type EffectOf,
  type Input,
  step,
} from '../../consensus/index.js'
import { aggregateSignatures } from '../signatures.js'
import { answerTo, type LateWork } from './answers.js'
import { NOW_MS } from './ground.js'
import type { LocalState } from './local-state.js'
import type { Messages } from './messages.js'
import type { Watch } from './watch.js'

/** Maximum inputs caused by one input of the world at a node; more mean that its work never ends. */
const INPUTS_MAX = 400

/** Runs a node from an input until no work remains. */
export class Runner {
  private local!: LocalState
  private queue: Input[] = []
  /** Number of calls of `step`. */
  steps = 0

  /** Effect handlers; payloads are small, so that none is sent as hashes or staged. */
  private readonly effects: EffectHandler = {
    send: ({ to, message }) => this.deliver(message, this.messages.setting.peers.indexOf(to)),
    broadcast: ({ message }) => this.deliver(message, undefined),
    persist: (effect) => this.persist(effect),
    sign: (effect) => this.orLater(effect),
    verify: (effect) => this.orLater(effect),
    execute: (effect) => this.orLater(effect),
    aggregate: (effect) => this.aggregate(effect),
    build: (effect) => this.build(effect),
    commit: (effect) => this.commit(effect),
    serveCertificate: (effect) => this.serveCertificate(effect),
    serveBlocks: (effect) => this.serveBlocks(effect),
    servePayload: () => {},
    serveRecords: () => {},
    rebuild: () => this.watch.halted('a payload by hashes'),
    stage: () => this.watch.halted('a large payload'),
    arm: ({ name, view }) => {
      if (name === 'view') this.local.timer = view
    },
    disarm: ({ name }) => {
      if (name === 'view') this.local.timer = undefined
    },
    reoffer: () => {},
    endAbstention: () => {
      this.local.mark = undefined
      this.queue.push({ type: 'abstentionEnded' })
    },
    reportEquivocation: ({ evidence }) => this.watch.accused(evidence),
    report: ({ report }) => this.watch.reported(report),
    halt: ({ detail }) => this.watch.halted(detail),
  }

  constructor(
    readonly number: number,
    private readonly messages: Messages,
    private readonly watch: Watch,
  ) {}

  private get options() {
    return this.messages.setting.options
  }

  /** Process inputs on a state without other references. Throws `Broken` if an invariant is violated. */
  run(local: LocalState, inputs: readonly Input[]): LocalState {
    this.local = local
    this.queue = [...inputs]
    const { machine } = local
    const before = this.watch.marksOf(machine)
    let count = 0
    for (let input = this.queue.shift(); input !== undefined; input = this.queue.shift()) {
      count += 1
      this.watch.ends(count <= INPUTS_MAX)
      this.clearTimes(machine)
      this.steps += 1
      for (const effect of this.watch.guarded(() => step(machine, { ...input, nowMs: NOW_MS })))
        carryOut(this.effects, effect)
    }
    this.watch.advanced(before, machine)
    return local
  }

  /** Clear the times that rate-limiting rules use, since all inputs have the same time. */
  private clearTimes({ lastStatusAtMs, requests, sync }: ConsensusState): void {
    lastStatusAtMs.clear()
    requests.clear()
    const never = Number.NEGATIVE_INFINITY
    for (const peer of sync.peers.values()) {
      peer.askedAtMs = never
      peer.hintedAtMs = never
      peer.restsUntilMs = never
      peer.barredUntilMs = never
      peer.failures = 0
    }
  }

  private deliver(message: ConsensusMessage, to: number | undefined): void {
    const { kind } = message
    const { statuses, mode } = this.options
    if ((kind === 'status' || kind === 'syncRequest' || kind === 'syncResponse') && !statuses) return
    // A quorum of votes or timeouts is a certificate, and a proposal has its body.
    if (mode === 'reduced' && (kind === 'certificate' || kind === 'timeoutCertificate')) return
    if (kind === 'payloadResponse') return
    const isAddressed = kind === 'syncRequest' || kind === 'syncResponse'
    const id = this.messages.intern(message, this.number, isAddressed ? to : undefined)
    const { local } = this
    if (id < 0 || local.sent.includes(id)) return
    this.watch.sent(local, message)
    local.sent = [...local.sent, id].sort((a, b) => a - b)
  }

  private persist({ job, records }: EffectOf<'persist'>): void {
    const { local } = this
    this.watch.persisted(local, records)
    if (this.options.split) {
      local.unsynced = [...local.unsynced, { job, records }]
      return
    }
    local.disk = [...local.disk, ...records]
    this.queue.push({ type: 'persisted', job })
  }

  private orLater(work: LateWork): void {
    const { local } = this
    if (this.options.late) local.late = [...local.late, work]
    else this.queue.push(answerTo(this.messages.setting, local, work))
  }

  private aggregate(effect: EffectOf<'aggregate'>): void {
    const { signatures } = this.messages.setting.rules
    this.queue.push({ type: 'aggregated', job: effect.job, ...aggregateSignatures(signatures, effect) })
  }

  private build({ job, view }: EffectOf<'build'>): void {
    const { local, options } = this
    // A node that lost a block builds another one.
    const variant = (options.crashes > 0 ? local.life : 0) + Number(local.hasLost)
    const { header, body } = this.messages.setting.block(local.ground, view, variant)
    this.queue.push({ type: 'built', job, block: { header, body } })
  }

  private commit({ certified }: EffectOf<'commit'>): void {
    const { local } = this
    const { setting } = this.messages
    this.watch.committed(local, certified)
    const next = setting.groundAbove(certified.certificate)
    local.committed = setting.nameOf(certified.certificate.blockHash)
    if (next === undefined) return
    local.ground = next
    local.committed = ''
    local.disk = local.disk.filter((record) => record.value.height > certified.header.height)
    this.queue.push({ type: 'work', pending: true, full: true })
    this.queue.push({ type: 'committed', next: next.context, self: local.machine.self })
  }

  private serveCertificate({ height }: EffectOf<'serveCertificate'>): void {
    const block = this.local.ground.chain.block(height)
    if (block?.certificate === undefined) return
    const { certificate, header } = block
    this.deliver({ kind: 'certificate', value: { certificate, header } }, undefined)
  }

  private serveBlocks({ to, from, count }: EffectOf<'serveBlocks'>): void {
    const blocks = this.local.ground.chain.blocks.slice(from - 2, from - 2 + count)
    this.deliver({ kind: 'syncResponse', value: { blocks } }, this.messages.setting.peers.indexOf(to))
  }
}
