/** Owns one simulated node: the real state machine with a disk that can lose what was not synced. */
import {
  type ConsensusMessage,
  type ConsensusState,
  committeeOf,
  type DurableRecord,
  type Effect,
  type HeightContext,
  type Input,
  keyListHash,
  proposerOrder,
  type Report,
  recoverState,
  selectCommittee,
  step,
} from '../consensus/index.js'
import { hash } from '../crypto/index.js'
import {
  type BlockHeader,
  type CertifiedHeader,
  type CommittedBlock,
  certificateHash,
  DEFAULT_CONSENSUS_PARAMETERS,
  hashOfHeader,
  payloadHash,
  type ValidatorKey,
  ZERO_HASH,
} from '../model/index.js'
import type { VirtualClock } from './clock.js'
import type { Random } from './prng.js'
import { fakeAggregate, fakeSign, fakeVerify } from './signatures.js'

const CHAIN = 'simulation'
const SEED = hash('sim-genesis')
const CHAIN_HASH = hash('sim-chain')
const GENESIS_HASH = hash('sim-genesis-block')

/** What surrounds a node: time, links, and the judge that watches it. */
export interface Surroundings {
  readonly clock: VirtualClock
  hasWork(node: SimulatedNode): boolean
  send(from: ValidatorKey, to: ValidatorKey, message: ConsensusMessage): void
  committed(by: ValidatorKey, certified: CertifiedHeader): void
  checkRecords(by: ValidatorKey, records: readonly DurableRecord[]): void
  observe(by: ValidatorKey, report: Report): void
}

/** A node that crashes and comes back with what its disk kept. */
export class SimulatedNode {
  readonly blocks: CommittedBlock[] = []
  private durable: DurableRecord[] = []
  private unsynced: DurableRecord[] = []
  private state: ConsensusState | undefined
  /** Events of an earlier life find another number here. */
  private life = 0
  private readonly timers = new Map<string, number>()

  constructor(
    readonly key: ValidatorKey,
    private readonly roster: readonly ValidatorKey[],
    private readonly world: Surroundings,
    private readonly random: Random,
  ) {}

  get height(): number {
    return this.blocks.length + 1
  }
  get isUp(): boolean {
    return this.state !== undefined
  }
  get view(): number {
    return this.state?.view ?? -1
  }

  /** Starts from the durable records. */
  start(): void {
    this.life += 1
    this.timers.clear()
    this.state = recoverState(this.key, this.contextOf(this.height + 1), this.durable, this.world.clock.nowMs)
    this.input({ type: 'work', pending: this.world.hasWork(this), full: false })
    this.input({ type: 'started' })
    for (const other of this.roster) if (other !== this.key) this.input({ type: 'peerUp', peer: other })
    this.gossip()
  }

  /** Stops at once; of the unsynced records a random prefix survives. */
  crash(): void {
    this.life += 1
    this.state = undefined
    this.durable.push(...this.unsynced.slice(0, this.random.below(this.unsynced.length + 1)))
    this.unsynced = []
  }

  receive(from: ValidatorKey, message: ConsensusMessage): void {
    this.input({ type: 'message', from, message })
  }

  private gossip(): void {
    this.later(900 + this.random.below(200), () => {
      const others = this.roster.filter((key) => key !== this.key)
      if (others.length > 0) this.input({ type: 'gossip', peer: this.random.pick(others) })
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
    if (this.state === undefined) return
    for (const effect of step(this.state, { ...input, nowMs: this.world.clock.nowMs })) this.perform(effect)
  }

  private perform(effect: Effect): void {
    switch (effect.type) {
      case 'send':
        return this.world.send(this.key, effect.to, effect.message)
      case 'broadcast':
        for (const other of this.roster) if (other !== this.key) this.world.send(this.key, other, effect.message)
        return
      case 'persist':
        this.unsynced.push(...effect.records)
        return this.later(0.2 + this.random.next() * 3, () => {
          // One sync makes everything appended before it durable.
          this.durable.push(...this.unsynced)
          this.unsynced = []
          this.world.checkRecords(this.key, effect.records)
          this.input({ type: 'persisted', token: effect.token })
        })
      case 'sign':
        return this.later(this.random.next() * 2, () =>
          this.input({
            type: 'signed',
            job: effect.job,
            signatures: effect.messages.map((one) => fakeSign(this.key, one)),
          }),
        )
      case 'verify':
        return this.later(this.random.next() * 2, () =>
          this.input({ type: 'verified', job: effect.job, ok: effect.checks.every(fakeVerify) }),
        )
      case 'aggregate':
        return this.later(this.random.next() * 2, () =>
          this.input({ type: 'aggregated', job: effect.job, ...aggregate(effect) }),
        )
      case 'build':
        return this.later(1 + this.random.next() * 5, () => this.build(effect))
      case 'execute':
        return this.later(1 + this.random.next() * 5, () =>
          this.input({
            type: 'executed',
            height: effect.header.height,
            blockHash: effect.blockHash,
            verdict: { ok: true },
            timely: true,
          }),
        )
      case 'commit':
        return this.later(0.5 + this.random.next() * 3, () => this.commit(effect.certified, effect.body))
      case 'serveCertificate': {
        const block = this.blocks[effect.height - 2]
        if (block?.certificate === undefined) return
        return this.world.send(this.key, effect.to, {
          kind: 'certificate',
          value: { certificate: block.certificate, header: block.header },
        })
      }
      case 'serveBlocks': {
        const blocks = this.blocks.slice(effect.from - 2, effect.from - 2 + effect.count)
        return this.world.send(this.key, effect.to, { kind: 'syncResponse', value: { blocks } })
      }
      case 'servePayload': {
        const block = this.blocks[effect.height - 2]
        if (block === undefined) return
        return this.world.send(this.key, effect.to, {
          kind: 'payloadResponse',
          value: { height: effect.height, blockHash: effect.blockHash, header: block.header, body: block.body },
        })
      }
      case 'arm': {
        const id = (this.timers.get(effect.name) ?? 0) + 1
        this.timers.set(effect.name, id)
        const delayMs = effect.delayMs * (1 + effect.jitter * this.random.next())
        return this.later(delayMs, () => {
          if (this.timers.get(effect.name) !== id) return
          this.input({ type: 'timer', name: effect.name, height: effect.height, view: effect.view })
        })
      }
      case 'disarm':
        this.timers.set(effect.name, (this.timers.get(effect.name) ?? 0) + 1)
        return
      case 'halt':
        throw new Error(`node halted at height ${effect.height}: ${effect.detail}`)
      case 'report':
        return this.world.observe(this.key, effect.report)
      case 'reoffer':
        return
    }
  }

  private build(effect: Extract<Effect, { type: 'build' }>): void {
    const { template } = effect
    const body = Buffer.from(`${template.height}:${template.originView}:${this.random.below(1 << 30)}`)
    const { parentTimeMs, ...fields } = template
    const parent = this.blocks[template.height - 3]
    const header: BlockHeader = {
      ...fields,
      timeMs: parentTimeMs + 1,
      transactionCount: 0,
      transactionsRoot: ZERO_HASH,
      payloadHash: payloadHash(body),
      payloadBytes: body.length,
      resultsRoot: ZERO_HASH,
      stateRoot: hash('sim-state', body),
      evidenceRoot: ZERO_HASH,
      laneCommitmentRoot: ZERO_HASH,
      parentCertificateHash: parent?.certificate === undefined ? ZERO_HASH : certificateHash(parent.certificate),
    }
    this.input({ type: 'built', height: template.height, view: effect.view, block: { header, body } })
  }

  private commit(certified: CertifiedHeader, body: Uint8Array): void {
    this.blocks.push({ header: certified.header, certificate: certified.certificate, body })
    this.world.committed(this.key, certified)
    this.durable = this.durable.filter((record) => record.value.height > certified.header.height)
    this.input({ type: 'work', pending: this.world.hasWork(this), full: false })
    this.input({ type: 'committed', next: this.contextOf(this.height + 1) })
  }

  private contextOf(height: number): HeightContext {
    const parent = this.blocks[height - 3]
    const committee = selectCommittee(this.roster, CHAIN_HASH, SEED, height)
    return {
      height,
      chain: CHAIN,
      chainHash: CHAIN_HASH,
      epoch: 0,
      parentHash: parent === undefined ? GENESIS_HASH : hashOfHeader(parent.header),
      parentTimeMs: parent?.header.timeMs ?? 1,
      parentCertificate: parent?.certificate,
      rosterHash: keyListHash(this.roster),
      committee: committeeOf(height, committee.keys),
      order: proposerOrder(committee, []),
      nextCommittee: selectCommittee(this.roster, CHAIN_HASH, SEED, height + 1),
      parameters: DEFAULT_CONSENSUS_PARAMETERS,
    }
  }
}

function aggregate(effect: Extract<Effect, { type: 'aggregate' }>): { aggregate: Buffer | undefined; bad: number[] } {
  const { verify, signatures } = effect
  if (verify === undefined) return { aggregate: fakeAggregate(signatures), bad: [] }
  const bad = signatures.flatMap((signature, at) =>
    fakeVerify({ kind: 'same', keys: [verify.keys[at] ?? ''], message: verify.message, signature }) ? [] : [at],
  )
  return bad.length > 0 ? { aggregate: undefined, bad } : { aggregate: fakeAggregate(signatures), bad }
}
