/** Owns one node of a performance run: the real state machine between queues for its threads, its disk and its links. */
import {
  BlockCost,
  type ConsensusMessage,
  type ConsensusState,
  carryOut,
  type DurableRecord,
  type Effect,
  type EffectHandler,
  type EffectOf,
  type Input,
  isBulk,
  newState,
  type PayloadLimits,
  type Report,
  StatusRounds,
  type step,
  viewPassed,
  viewPlaceOf,
} from '../../consensus/index.js'
import type { CommittedBlock, QuorumCertificate, ValidatorKey } from '../../model/index.js'
import type { VirtualClock } from '../clock.js'
import type { Random } from '../prng.js'
import { fakeAggregate, fakeSign } from '../signatures.js'
import type { Content, ScaleChain } from './chain.js'
import type { Packet } from './network.js'
import { Outbox } from './outbox.js'
import { TransactionPool } from './pool.js'
import { Server } from './server.js'
import type { MessageSizes, WorkTimes } from './work.js'

/** Message between nodes. */
export type Traffic =
  | { readonly kind: 'consensus'; readonly message: ConsensusMessage }
  | { readonly kind: 'records'; readonly transactions: readonly number[] }
  /** Hashes of transactions queued here; no peer lacks any, because the model loses nothing. */
  | { readonly kind: 'offer' }

/** Environment of a node. */
export interface Surroundings {
  readonly clock: VirtualClock
  readonly chain: ScaleChain
  readonly times: WorkTimes
  readonly sizes: MessageSizes
  readonly limits: PayloadLimits
  readonly step: typeof step
  /** Transactions of a full block, and bytes of each. */
  readonly blockTransactions: number
  readonly transactionBytes: number
  send(from: number, to: number, packet: Packet<Traffic>): void
  /** Called when a node has made a block durable. */
  committed(node: ScaleNode, content: Content, certificate: QuorumCertificate): void
  reported(node: ScaleNode, report: Report): void
  /** Called when a proposer requests a block from its ledger. */
  building(node: ScaleNode, height: number): void
}

/** Priorities of the crypto thread: own signatures, checks for peers, signatures of transactions (src/crypto/worker.ts). */
const OWN = 0
const CHECKS = 1
const TRANSACTIONS = 2
/** Signatures of transactions in one slice, after which more urgent work is served (src/crypto/worker.ts). */
const SLICE_ITEMS = 24
/** Bytes of a gossip message besides its records, and of the length before each of them. */
const GOSSIP_HEAD_BYTES = 2
const LENGTH_BYTES = 2
/** Maximum hashes in an offer (src/node/peers/gossip.ts), and bytes of each. */
const OFFERED_MAX = 1_024
const HASH_BYTES = 32
/** Sequential syncs of a commit: first lane files and merge log, then the header record. */
const COMMIT_SYNCS = 2

export class ScaleNode {
  /** Servers for the threads and the disk of the node. */
  readonly main: Server
  readonly crypto: Server
  readonly ledger: Server
  readonly disk: Server
  readonly key: ValidatorKey
  private readonly state: ConsensusState
  private readonly pool = new TransactionPool()
  private readonly outbox: Outbox<Traffic>
  private readonly timers = new Map<string, number>()
  private readonly certificates = new Map<number, QuorumCertificate>()
  private readonly statusRounds: StatusRounds
  private readonly cost = new BlockCost(() => this.main.busyMs + this.crypto.busyMs + this.ledger.busyMs)
  private readonly peers: readonly number[]
  private readonly indexOf: ReadonlyMap<ValidatorKey, number>
  private announced: number[] = []
  private reportedWork = { pending: false, full: false }

  /** Handlers of effects; most of them respond with an input when their time has passed. */
  private readonly effects: EffectHandler = {
    send: ({ to, message }) => this.send(to, message),
    broadcast: ({ message, urgent }) => this.broadcast(this.packetOf(message), urgent),
    persist: ({ job, records }) => {
      const bytes = records.reduce((sum, record) => sum + durableBytes(record), 0)
      this.disk.work(this.world.times.sync(bytes), () => this.input({ type: 'persisted', job }))
    },
    stage: ({ job, body }) =>
      this.disk.work(this.world.times.sync(body.length), () => this.input({ type: 'staged', job })),
    rebuild: (effect) => this.rebuild(effect),
    sign: ({ job, messages }) => {
      const signatures = messages.map((one) => fakeSign(this.key, one))
      const ms = this.world.times.sign(messages.length)
      this.crypto.work(ms, () => this.input({ type: 'signed', job, signatures }), OWN)
    },
    verify: ({ job, checks }) =>
      this.crypto.work(this.world.times.verify(checks), () => this.input({ type: 'verified', job, ok: true }), CHECKS),
    aggregate: ({ job, signatures, verify }) => {
      const aggregate = fakeAggregate(signatures)
      const ms = this.world.times.aggregate(signatures.length, verify !== undefined)
      this.crypto.work(ms, () => this.input({ type: 'aggregated', job, aggregate, bad: [] }), OWN)
    },
    build: (effect) => this.build(effect),
    execute: (effect) => this.execute(effect),
    commit: (effect) => this.commit(effect),
    serveRecords: (effect) => this.serve(effect),
    serveCertificate: (effect) => this.serve(effect),
    serveBlocks: (effect) => this.serve(effect),
    servePayload: (effect) => this.serve(effect),
    arm: (effect) => this.arm(effect),
    disarm: ({ name }) => void this.timers.set(name, (this.timers.get(name) ?? 0) + 1),
    reoffer: () => {
      const bytes = GOSSIP_HEAD_BYTES + HASH_BYTES * Math.min(this.pool.size, OFFERED_MAX)
      this.broadcast({ channel: 'gossip', bytes, content: { kind: 'offer' } })
    },
    endAbstention: refuse,
    reportEquivocation: refuse,
    report: ({ report }) => this.world.reported(this, report),
    halt: refuse,
  }

  constructor(
    readonly id: number,
    private readonly world: Surroundings,
    private readonly random: Random,
  ) {
    const { clock, chain, limits } = world
    this.main = new Server(clock)
    this.crypto = new Server(clock, TRANSACTIONS + 1)
    this.ledger = new Server(clock)
    this.disk = new Server(clock)
    this.key = chain.keys[id] as ValidatorKey
    this.indexOf = new Map(chain.keys.map((key, index) => [key, index]))
    this.peers = [...chain.keys.keys()].filter((index) => index !== id)
    this.state = newState(this.key, chain.contextOf(2, undefined), clock.nowMs, undefined, limits)
    this.statusRounds = new StatusRounds((below) => random.below(below))
    this.outbox = new Outbox({
      nodes: chain.keys.length,
      clock,
      main: this.main,
      costs: world.times.costs,
      send: (to, packet) => world.send(id, to, packet),
    })
  }

  start(): void {
    this.input({ type: 'started' })
    for (const peer of this.peers) this.input({ type: 'peerUp', peer: this.keyOf(peer) })
    this.gossipStatus()
  }

  /** Submit a transaction of a client to this node: it is admitted, then announced to all peers. */
  submit(transaction: number): void {
    const { times, transactionBytes } = this.world
    this.main.work(times.admit(), () => {
      this.verifyTransactions(1, () => {
        this.pool.add(transaction)
        this.announce(transaction)
        this.notifyWork()
      })
    })
    this.keepBytes(transactionBytes)
  }

  receive(from: number, { content, bytes }: Packet<Traffic>): void {
    const { times } = this.world
    if (content.kind === 'consensus') {
      const { message } = content
      return this.input({ type: 'message', from: this.keyOf(from), message }, times.receive(message))
    }
    const records = content.kind === 'records' ? content.transactions : []
    this.main.work(times.gossip(bytes, records.length), () => {
      if (records.length === 0) return
      this.verifyTransactions(records.length, () => {
        for (const one of records) this.pool.add(one)
        this.notifyWork()
      })
    })
  }

  private keyOf(peer: number): ValidatorKey {
    return this.world.chain.keys[peer] as ValidatorKey
  }

  /** Write an acknowledged transaction to the queue log; many share a sync, so only the bytes count. */
  private keepBytes(bytes: number): void {
    this.disk.work(this.world.times.sync(bytes, 0), () => {})
  }

  private gossipStatus(): void {
    this.world.clock.after(900 + this.random.below(200), () => {
      const peer = this.statusRounds.next(this.peers.map((one) => this.keyOf(one)))
      if (peer !== undefined) this.input({ type: 'gossip', peer })
      this.gossipStatus()
    })
  }

  /** Run the state machine when the main thread is free; its effects begin when the time of the input has passed. */
  private input(input: Input, beforeMs = 0): void {
    const { clock, times, step } = this.world
    let effects: readonly Effect[] = []
    this.main.submit({
      begin: () => {
        effects = step(this.state, { ...input, nowMs: clock.nowMs + beforeMs })
        if (this.state.viewStartedAtMs !== undefined) this.cost.begin(this.state.context.height)
        return beforeMs + times.step(effects)
      },
      end: () => {
        for (const effect of effects) carryOut(this.effects, effect)
      },
    })
  }

  private notifyWork(): void {
    const reportedWork = { pending: this.pool.size > 0, full: this.pool.size >= this.world.blockTransactions }
    if (reportedWork.pending === this.reportedWork.pending && reportedWork.full === this.reportedWork.full) return
    this.reportedWork = reportedWork
    this.input({ type: 'work', ...reportedWork })
  }

  private verifyTransactions(count: number, then: () => void): void {
    const slices = Math.ceil(count / SLICE_ITEMS)
    if (slices === 0) return then()
    for (let slice = 1; slice <= slices; slice++) {
      const items = slice < slices ? SLICE_ITEMS : count - (slices - 1) * SLICE_ITEMS
      this.crypto.work(this.world.times.transactions(items), slice < slices ? () => {} : then, TRANSACTIONS)
    }
  }

  /** Announce a transaction; transactions admitted in one turn of the main thread are sent in one message. */
  private announce(transaction: number): void {
    this.announced.push(transaction)
    if (this.announced.length > 1) return
    const { times, transactionBytes } = this.world
    let transactions: number[] = []
    let bytes = 0
    this.main.submit({
      begin: () => {
        transactions = this.announced
        this.announced = []
        bytes = GOSSIP_HEAD_BYTES + transactions.length * (transactionBytes + LENGTH_BYTES)
        return times.encode(bytes)
      },
      end: () => this.broadcast({ channel: 'gossip', bytes, content: { kind: 'records', transactions } }),
    })
  }

  private broadcast(packet: Packet<Traffic>, urgent = true): void {
    for (const peer of this.peers) this.outbox.push(peer, packet, urgent)
  }

  private packetOf(message: ConsensusMessage): Packet<Traffic> {
    return {
      channel: isBulk(message) ? 'payload' : 'consensus',
      bytes: this.world.sizes.of(message),
      content: { kind: 'consensus', message },
    }
  }

  private send(to: ValidatorKey, message: ConsensusMessage): void {
    this.outbox.push(this.indexOf.get(to) as number, this.packetOf(message))
  }

  private arm({ name, height, view, delayMs, jitter }: EffectOf<'arm'>): void {
    const id = (this.timers.get(name) ?? 0) + 1
    this.timers.set(name, id)
    this.world.clock.after(delayMs * (1 + jitter * this.random.next()), () => {
      if (this.timers.get(name) === id) this.input({ type: 'timer', name, height, view })
    })
  }

  private build({ job, template, allowEmpty }: EffectOf<'build'>): void {
    const { chain, times, clock } = this.world
    const { height } = template
    const drawn = chain.draw(this.pool.waiting, template.originView)
    if (drawn.length === 0 && !allowEmpty) return this.input({ type: 'built', job, block: undefined })
    this.world.building(this, height)
    const parentCertificate = this.certificates.get(height - 1)
    const nowMs = clock.nowMs
    this.ledger.work(times.execute(drawn.length), () => {
      const block = chain.build(template, parentCertificate, drawn, nowMs)
      this.input({ type: 'built', job, block })
    })
  }

  /** Execute a block, after verifying the signatures that were not yet verified for the queue. */
  private execute({ job, header, blockHash, certified }: EffectOf<'execute'>): void {
    const { chain, times } = this.world
    const transactions = chain.contentOf(blockHash)?.transactions ?? []
    const fresh = certified ? 0 : transactions.filter((one) => !this.pool.has(one)).length
    this.verifyTransactions(fresh, () => {
      this.ledger.work(times.execute(transactions.length), () => {
        const isPassed = !certified && viewPassed(viewPlaceOf(this.state), header, blockHash)
        const result = isPassed ? ({ ok: false, reason: 'viewPassed' } as const) : ({ ok: true } as const)
        this.input({ type: 'executed', job, result, timely: true })
      })
    })
  }

  private commit({ certified, body }: EffectOf<'commit'>): void {
    const { chain, times } = this.world
    const { certificate, header } = certified
    this.ledger.work(times.commit(), () => {
      this.disk.work(times.sync(body.length, COMMIT_SYNCS), () => {
        const content = chain.commit(certificate.blockHash)
        this.certificates.set(header.height, certificate)
        for (const one of content.transactions) this.pool.commit(one)
        this.world.committed(this, content, certificate)
        this.notifyWork()
        const next = chain.contextOf(header.height + 1, certificate)
        this.input({ type: 'committed', next, self: this.key, costMs: this.cost.end(header.height) })
      })
    })
  }

  private rebuild({ job, blockHash, compact, payloadBytes, records }: EffectOf<'rebuild'>): void {
    const { chain, times } = this.world
    const content = chain.contentOf(blockHash)
    const sent = new Set(records.map(({ place }) => place))
    const missing = (content?.transactions ?? []).flatMap((one, place) =>
      sent.has(place) || this.pool.has(one) ? [] : [place],
    )
    const body = missing.length === 0 ? content?.body : undefined
    this.input({ type: 'rebuilt', job, body, missing }, times.rebuild(compact.length, payloadBytes))
  }

  private serve(effect: EffectOf<'serveRecords' | 'serveCertificate' | 'serveBlocks' | 'servePayload'>): void {
    const { chain } = this.world
    if (effect.type === 'serveBlocks') {
      const heights = Array.from({ length: effect.count }, (_, step) => effect.from + step)
      const blocks = heights.flatMap((height) => this.blockAt(height) ?? [])
      return this.send(effect.to, { kind: 'syncResponse', value: { blocks } })
    }
    const { to, height } = effect
    if (effect.type === 'serveRecords') {
      const { blockHash, places } = effect
      const transactions = chain.contentOf(blockHash)?.transactions ?? []
      const records = places.flatMap((place) => {
        const one = transactions[place]
        return one === undefined ? [] : [{ place, bytes: chain.recordBytes(one) }]
      })
      return this.send(to, { kind: 'recordResponse', value: { height, blockHash, records } })
    }
    const block = this.blockAt(height)
    if (block === undefined) return
    const { header, certificate, body } = block
    if (effect.type === 'serveCertificate') {
      return this.send(to, { kind: 'certificate', value: { header, certificate } })
    }
    this.send(to, { kind: 'payloadResponse', value: { height, blockHash: effect.blockHash, header, body } })
  }

  /** Block committed by this node at a height. */
  private blockAt(height: number): (CommittedBlock & { readonly certificate: QuorumCertificate }) | undefined {
    const certificate = this.certificates.get(height)
    const content = this.world.chain.blockAt(height)
    if (certificate === undefined || content === undefined) return undefined
    return { header: content.header, body: content.body, certificate }
  }
}

const refuse = ({ type }: Effect): never => {
  throw new Error(`a run of honest nodes cannot have ${type}`)
}

/** Bytes of a durable record without a payload: a header, a certificate, a signature. */
const RECORD_BYTES = 1_024

/** Bytes of a durable record including its payload. */
function durableBytes({ kind, value }: DurableRecord): number {
  const body = kind === 'prepared' ? value.body : kind === 'proposed' ? value.proposal.body : undefined
  return RECORD_BYTES + (body?.length ?? 0)
}
