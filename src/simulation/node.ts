/**
 * Owns one simulated node: the real state machine, its timers and its disk, and the message rewriting of a faulty
 * member.
 */
import {
  type AbstentionCause,
  type ConsensusMessage,
  type ConsensusState,
  carryOut,
  domainOf,
  type EffectHandler,
  type EffectOf,
  type ExecutionResult,
  heightOf,
  type Input,
  keyAt,
  ownKeyAt,
  peerOf,
  recoverState,
  StatusRounds,
  signRequestOf,
  step,
  validateEvidence,
  viewPassed,
  viewPlaceOf,
} from '../consensus/index.js'
import type { BlockHeader, CertifiedHeader, Evidence, ValidatorKey } from '../model/index.js'
import type { Insider } from './byzantine/index.js'
import { Chain } from './chain.js'
import { SimulatedDisk } from './disk.js'
import { rebuilt, recordsAt, sharesOf } from './payloads.js'
import type { Random } from './prng.js'
import { Producer } from './producer.js'
import { CertificateMemory, type NodeRole, type Surroundings } from './role.js'
import { aggregateSignatures } from './signatures.js'
import type { SimulatedSigner } from './signer.js'

/** Maximum execution time of a normal block, and of a slow one, in virtual ms. */
const EXECUTION_MS = 5
const SLOW_EXECUTION_MS = 600

/** Node that crashes and restarts with the content of its disk. */
export class SimulatedNode {
  chain: Chain
  private readonly disk: SimulatedDisk
  private machine: ConsensusState | undefined
  /** Number of the current life; events of an earlier life are ignored. */
  private life = 0
  private dead = false
  /** Cause of the abstention after a loss of the vote log; kept over restarts. */
  private abstaining: AbstentionCause | undefined
  /** True if its key is marked; the mark survives a loss of the data directory. */
  private hasVoted = false
  private full = false
  private readonly timers = new Map<string, number>()
  private readonly memory: CertificateMemory
  private readonly producer: Producer
  private readonly statusRounds: StatusRounds

  /** Handlers of effects; most of them respond with an input, later. */
  private readonly effects: EffectHandler = {
    send: ({ to, message }) => {
      this.checkSent(message)
      this.send(to, message)
    },
    broadcast: ({ message }) => {
      this.checkSent(message)
      this.broadcast(message)
    },
    persist: (effect) => this.persist(effect),
    stage: (effect) => this.stage(effect),
    rebuild: (effect) => this.answer(1, rebuilt(effect, this.producer.known)),
    sign: (effect) => this.sign(effect),
    verify: ({ job, checks }) =>
      this.answer(2, { type: 'verified', job, ok: checks.every(this.world.rules.signatures.verify) }),
    aggregate: (effect) =>
      this.answer(2, {
        type: 'aggregated',
        job: effect.job,
        ...aggregateSignatures(this.world.rules.signatures, effect),
      }),
    build: (effect) => this.later(this.executionMs(), () => this.build(effect)),
    execute: (effect) => this.later(this.executionMs(), () => this.execute(effect)),
    commit: ({ certified, body }) => this.later(0.5 + this.random.next() * 3, () => this.commit(certified, body)),
    serveRecords: (effect) => {
      const { to, height, blockHash } = effect
      this.send(to, { kind: 'recordResponse', value: { height, blockHash, records: recordsAt(effect) } })
    },
    serveCertificate: (effect) => this.serve(effect),
    serveBlocks: (effect) => this.serve(effect),
    servePayload: (effect) => this.serve(effect),
    arm: (effect) => this.arm(effect),
    disarm: ({ name }) => void this.timers.set(name, (this.timers.get(name) ?? 0) + 1),
    reoffer: () => {
      for (const one of this.world.submitted) this.producer.known.add(one)
    },
    endAbstention: () =>
      this.later(0.2 + this.random.next() * 3, () => {
        this.abstaining = undefined
        this.input({ type: 'abstentionEnded' })
      }),
    reportEquivocation: ({ evidence }) => this.submitEvidence(evidence),
    report: ({ report }) => {
      this.world.checker.observe(report)
      if (this.role.kind !== 'faulty') this.world.checker.foundFault(this.id, report, this.world.faultyKeys)
    },
    halt: ({ height, detail }) => {
      throw new Error(`node ${this.id} halted at height ${height}: ${detail}`)
    },
  }

  constructor(
    readonly role: NodeRole,
    private readonly world: Surroundings<SimulatedNode>,
    private readonly random: Random,
  ) {
    this.chain = new Chain(world.rules)
    this.abstaining = world.firstStart && role.signer === undefined ? 'firstStart' : undefined
    this.disk = new SimulatedDisk(random)
    this.memory = new CertificateMemory(role.behaviour)
    this.producer = new Producer(world, random)
    this.statusRounds = new StatusRounds((below) => random.below(below))
  }

  get id(): number {
    return this.role.id
  }
  /** Key that identifies the node on the network. */
  get peer(): ValidatorKey {
    return this.role.peer
  }
  /** Key of the node at the current height. */
  get key(): ValidatorKey {
    return ownKeyAt(this.chain.schedules, this.role.keys)
  }
  private get others(): ValidatorKey[] {
    return this.world.rules.universe.filter((peer) => peer !== this.peer)
  }
  get isUp(): boolean {
    return this.machine !== undefined
  }
  /** Consensus state; undefined while the node is down. */
  get state(): ConsensusState | undefined {
    return this.machine
  }

  /** Start from the durable records. */
  start(): void {
    if (this.dead) return
    this.life += 1
    this.timers.clear()
    for (const one of this.world.submitted) this.producer.known.add(one)
    this.world.checker.restarted(this.id)
    const records = this.disk.read()
    const { nowMs } = this.world.clock
    this.machine = recoverState(this.key, this.chain.nextContext(), records, nowMs, this.abstaining, {
      limits: this.world.payloads,
      staged: this.disk.readStaged(),
    })
    this.input({ type: 'work', pending: this.hasWork(), full: false })
    this.input({ type: 'started' })
    for (const peer of this.others) this.input({ type: 'peerUp', peer: keyAt(this.chain.schedules, peer, 0) })
    this.gossip()
  }

  /**
   * Stop the node and remove its vote log, or its whole data directory. The mark beside its key distinguishes the loss
   * from a first start: it returns abstaining if it has signed before.
   */
  wipe(loss: 'voteLog' | 'dataDirectory'): void {
    this.crash()
    this.disk.wipe()
    if (loss === 'dataDirectory') this.chain = new Chain(this.world.rules)
    // Its signer has the lost record.
    if (this.role.signer !== undefined) return
    this.abstaining = this.hasVoted || this.chain.height > 1 ? 'amnesia' : 'firstStart'
  }

  /** Fill the disk, or free it again. */
  setDiskFull(full: boolean): void {
    this.full = full
  }

  /** Stop at once; a random prefix of the unsynced data survives. */
  crash(): void {
    this.life += 1
    this.machine = undefined
    this.disk.crash()
  }

  /** Add a transaction to the queue of this node. */
  receiveTransaction(transaction: number): void {
    this.producer.known.add(transaction)
    this.input({ type: 'work', pending: this.hasWork(), full: false })
  }

  /** Receive a message of a peer. */
  receive(peer: ValidatorKey, message: ConsensusMessage): void {
    this.memory.note(message, this.chain.height + 1)
    const from = keyAt(this.chain.schedules, peer, heightOf(message) ?? 0)
    this.input({ type: 'message', from, message })
  }

  private hasWork(): boolean {
    return this.producer.hasWork(this.chain)
  }

  private gossip(): void {
    this.later(900 + this.random.below(200), () => {
      const peer = this.statusRounds.next(this.others)
      if (peer !== undefined) this.input({ type: 'gossip', peer: keyAt(this.chain.schedules, peer, 0) })
      this.gossip()
    })
  }

  private later(delayMs: number, run: () => void): void {
    const { life } = this
    this.world.clock.after(delayMs, () => {
      if (this.life === life) run()
    })
  }

  private input(input: Input): void {
    const { machine } = this
    if (machine === undefined) return
    try {
      const effects = step(machine, { ...input, nowMs: this.world.clock.nowMs })
      if (this.role.kind !== 'faulty') this.world.checker.stepped(this.id, machine, this.world.faultyKeys)
      for (const effect of effects) carryOut(this.effects, effect)
    } catch (error) {
      // A faulty member may break its own state, which is not a violation.
      if (this.role.kind !== 'faulty') throw error
      this.crash()
      this.dead = true
    }
  }

  private send(to: ValidatorKey, message: ConsensusMessage): void {
    const { behaviour } = this.role
    const peer = peerOf(this.chain.schedules, to)
    if (behaviour?.outgoing === undefined) return this.world.send(this, peer, message)
    this.memory.note(message, this.chain.height + 1)
    for (const one of behaviour.outgoing(this.insider(), to, message)) this.world.send(this, peer, one)
  }

  private broadcast(message: ConsensusMessage): void {
    for (const peer of this.others) this.send(keyAt(this.chain.schedules, peer, 0), message)
  }

  private answer(withinMs: number, input: Input): void {
    this.later(this.random.next() * withinMs, () => this.input(input))
  }

  private checkSent(message: ConsensusMessage): void {
    if (this.role.kind !== 'faulty') this.world.checker.sent(this.id, this.disk, message)
  }

  private sign(effect: EffectOf<'sign'>): void {
    const key = this.machine?.self ?? this.key
    if (this.role.signer !== undefined) return this.askSigner(this.role.signer, key, effect)
    const signatures = effect.messages.map((one) => this.world.rules.signatures.sign(key, one))
    this.answer(2, { type: 'signed', job: effect.job, signatures })
  }

  private askSigner(signer: SimulatedSigner, key: ValidatorKey, effect: EffectOf<'sign'>): void {
    const { context, index } = this.machine ?? {}
    if (context === undefined || index === undefined) throw new Error('a node outside the roster cannot sign')
    const { life } = this
    signer.ask(key, signRequestOf(context, index, effect.view, effect.intent), (answer) => {
      if (this.life === life) this.answer(2, { ...answer, job: effect.job })
    })
  }

  private persist(effect: EffectOf<'persist'>): void {
    if (effect.records.some(({ kind }) => kind !== 'entered' && kind !== 'decided')) this.hasVoted = true
    const done = (): void => {
      if (this.role.kind !== 'faulty') {
        if (this.role.signer !== undefined) this.world.checker.claimed(this.peer, effect.records)
        else this.world.checker.persisted(this.id, this.peer, this.role.kind === 'honest', effect.records)
      }
      this.input({ type: 'persisted', job: effect.job })
    }
    this.disk.append(effect.records, done, (ended) => this.sync(ended))
  }

  private stage({ job, height, payloadHash, body }: EffectOf<'stage'>): void {
    const done = (): void => this.input({ type: 'staged', job })
    this.disk.stage(height, payloadHash, body, done, (ended) => this.sync(ended))
  }

  private sync(ended: () => void): void {
    if (this.full) return this.later(this.random.next() * 2, () => this.world.diskFull(this))
    const slow = this.role.slowDisk && !this.world.isHealed()
    this.later(slow ? 10 + this.random.next() * 400 : 0.2 + this.random.next() * 3, ended)
  }

  /** Check that evidence of a correct node against another member is valid. */
  private submitEvidence(evidence: Evidence): void {
    const context = this.machine?.context
    if (this.role.kind === 'faulty' || context === undefined || context.height !== evidence.height) return
    const fault = validateEvidence(evidence, context.committee, domainOf(context))
    if (!('fault' in fault) && fault.checks.every(this.world.rules.signatures.verify))
      this.world.checker.proven(fault, this.world.faultyKeys)
  }

  private arm(effect: EffectOf<'arm'>): void {
    const id = (this.timers.get(effect.name) ?? 0) + 1
    this.timers.set(effect.name, id)
    this.later(effect.delayMs * (1 + effect.jitter * this.random.next()), () => {
      if (this.timers.get(effect.name) !== id) return
      this.input({ type: 'timer', name: effect.name, height: effect.height, view: effect.view })
    })
  }

  private build({ job, template, view, allowEmpty }: EffectOf<'build'>): void {
    const { height } = template
    const isOver = height !== this.chain.height + 1 || this.hasPassed(template)
    const entries = isOver ? [] : this.producer.draw(this.chain, height, view)
    if (isOver || (entries.length === 0 && !allowEmpty)) return this.input({ type: 'built', job, block: undefined })
    const honest = this.producer.build(this.chain, template, entries)
    const block = this.role.behaviour?.build?.(this.insider(), honest) ?? honest
    // A block replaced by a faulty member has no compact form of its own.
    const compact = block === honest ? honest.body : undefined
    this.input({ type: 'built', job, block: { ...block, compact, shares: sharesOf(entries) } })
  }

  /** Execution time of a block: short for most blocks, longer than their view for some. */
  private executionMs(): number {
    const { random, world } = this
    const isSlow = world.slowExecutionRate > 0 && random.chance(world.slowExecutionRate)
    return 1 + random.next() * (isSlow ? SLOW_EXECUTION_MS : EXECUTION_MS)
  }

  private isTimely(): boolean {
    const { random, world } = this
    return world.lateTimeRate === 0 || !random.chance(world.lateTimeRate)
  }

  /** True if the ledger would have stopped this execution, by the rule of the product. */
  private hasPassed(header: Pick<BlockHeader, 'height' | 'originView'>, blockHash?: Uint8Array): boolean {
    return this.machine !== undefined && viewPassed(viewPlaceOf(this.machine), header, blockHash)
  }

  private execute({ job, header, body, blockHash, certified }: EffectOf<'execute'>): void {
    const result: ExecutionResult =
      !certified && this.hasPassed(header, blockHash)
        ? { ok: false, reason: 'viewPassed' }
        : this.chain.execute(header, body, certified)
    this.input({ type: 'executed', job, result, timely: this.isTimely() })
  }

  private commit(certified: CertifiedHeader, body: Uint8Array): void {
    const { header, certificate } = certified
    const after = this.chain.append({ header, certificate, body })
    this.memory.clear()
    this.producer.committed()
    this.disk.prune(header.height)
    if (this.role.kind !== 'faulty') {
      const { verify } = this.world.rules.signatures
      this.world.checker.embeds(certified, body, this.chain.parentRecord(header.height), verify)
      this.world.checker.committed(certified, after, this.world.clock.nowMs, body)
      this.world.checker.entered(this.chain)
    }
    this.world.committed(this)
    this.input({ type: 'work', pending: this.hasWork(), full: false })
    const { blockCostMs } = this.role
    this.input({ type: 'committed', next: this.chain.nextContext(), self: this.key, costMs: blockCostMs })
  }

  private serve(effect: EffectOf<'serveCertificate' | 'serveBlocks' | 'servePayload'>): void {
    if (effect.type === 'serveBlocks') {
      const blocks = this.chain.blocks.slice(effect.from - 2, effect.from - 2 + effect.count)
      return this.send(effect.to, { kind: 'syncResponse', value: { blocks } })
    }
    const block = this.chain.block(effect.height)
    if (block?.certificate === undefined) return
    const { header, certificate, body } = block
    if (effect.type === 'serveCertificate') {
      return this.send(effect.to, { kind: 'certificate', value: { certificate, header } })
    }
    const value = { height: effect.height, blockHash: effect.blockHash, header, body }
    this.send(effect.to, { kind: 'payloadResponse', value })
  }

  private insider(): Insider {
    const context = this.machine?.context ?? this.chain.nextContext()
    return {
      key: this.key,
      random: this.random,
      context,
      certificates: this.memory.certificates,
      sign: (message) => this.world.rules.signatures.sign(this.key, message),
      freshBlock: (view, variant) => this.producer.freshBlock(this.chain, context, this.key, view, variant),
      withParent: (block, certificate) => this.chain.withParent(block, certificate),
      rearranged: (block, change) => this.producer.rearranged(this.chain, block, change),
    }
  }
}
