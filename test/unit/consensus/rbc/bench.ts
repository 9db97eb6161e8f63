/** Owns one member of a small network, driven by hand: what it sends and asks for is looked at, its timers are fired. */
import {
  type AbstentionCause,
  type ConsensusMessage,
  type ConsensusState,
  DEFAULT_PAYLOAD_LIMITS,
  digestsOf,
  domainOf,
  type Effect,
  type EffectOf,
  type ExecutionResult,
  hashKey,
  headerTemplate,
  type Input,
  type Job,
  type PayloadLimits,
  type PlacedRecord,
  proposalSignBytes,
  type RbcChunk,
  type RbcInit,
  recoverState,
  step,
  type Timeout,
  timeoutSignBytes,
  voteSignBytes,
} from '../../../../src/consensus/index.js'
import {
  type BlockHeader,
  type CertifiedHeader,
  DEFAULT_CONSENSUS_PARAMETERS,
  hashOfHeader,
  type Phase,
  type PhaseTimes,
  payloadHash,
  type TimeoutCertificate,
  type ValidatorKey,
} from '../../../../src/model/index.js'
import { Chain } from '../../../../src/simulation/chain.js'
import type { ChainRules } from '../../../../src/simulation/chain-rules.js'
import { MemberMessages } from '../../../../src/simulation/member-messages.js'
import { FAKE_SIGNATURES, fakeAggregate, fakeKey, fakeSign, fakeVerify } from '../../../../src/simulation/signatures.js'

export const KEYS = [0, 1, 2, 3].map((index) => fakeKey(index))

/** Limits under which a payload of some bytes has several chunks. */
export const SMALL: PayloadLimits = { ...DEFAULT_PAYLOAD_LIMITS, directBytes: 0, compactBytes: 0, chunkBytes: 4 }

export interface Block {
  readonly header: BlockHeader
  readonly hash: Buffer
  readonly body: Buffer
}

const same = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0

/** A message that left: to one peer, or broadcast. */
export interface Sent<K extends ConsensusMessage['kind']> {
  readonly to: ValidatorKey | undefined
  readonly value: Extract<ConsensusMessage, { readonly kind: K }>['value']
}

export interface BenchOptions {
  readonly limits?: PayloadLimits
  readonly dataAvailability?: boolean
  /** Place of the node in the proposer order of height 2; 0 is the proposer of view 0. */
  readonly place?: number
  /** Validators; the sizes 5, 6, 8 and 9 have stand-bys. */
  readonly members?: number
  readonly abstaining?: AbstentionCause
  /** Vote collectors; 0: everybody. */
  readonly collectorsK?: number
  readonly phases?: PhaseTimes
  /** Signature checks wait for the test, like everything else. */
  readonly verifiesByHand?: boolean
}

export class Bench {
  readonly chain: Chain
  readonly state: ConsensusState
  readonly self: ValidatorKey
  /** Members in proposer order. */
  readonly order: readonly ValidatorKey[]
  nowMs = 0
  /** Effects since the last look, votes and answers of the driver left out. */
  private effects: Effect[] = []

  constructor(private readonly options: BenchOptions = {}) {
    const { dataAvailability = false, limits = SMALL, place = 1, members = 4, abstaining } = options
    const { collectorsK = 0, phases } = this.options
    const parameters = { ...DEFAULT_CONSENSUS_PARAMETERS, dataAvailability, collectorsK, phases }
    const rules: ChainRules = {
      universe: Array.from({ length: members }, (_, index) => fakeKey(index)),
      keys: new Map(),
      members,
      membersMin: members,
      lanes: false,
      withholders: new Set<string>(),
      epochLength: undefined,
      parameters,
      signatures: FAKE_SIGNATURES,
    }
    this.chain = new Chain(rules)
    const context = this.chain.nextContext()
    this.order = context.order
    this.self = context.order[place] ?? ''
    this.state = recoverState(this.self, context, [], 0, abstaining, { limits, staged: new Map() })
  }

  /** Messages of the members of the present height. */
  private get members(): MemberMessages {
    return new MemberMessages(this.state.context, FAKE_SIGNATURES)
  }

  get proposer(): ValidatorKey {
    return this.order[0] ?? ''
  }
  /** The members that are neither this node nor the proposer of view 0. */
  get others(): ValidatorKey[] {
    return this.order.filter((key) => key !== this.self && key !== this.proposer)
  }

  /** A block of the proposer of a view, another one for another nonce. */
  block(nonce = 1, view = 0): Block {
    const template = headerTemplate(this.state.context, view, this.order[view % this.order.length] ?? '')
    const { header, body } = this.chain.build(template, {
      transactions: [1],
      nonce,
      change: undefined,
      lanes: [],
      laneChange: undefined,
    })
    return { header, hash: hashOfHeader(header), body: Buffer.from(body) }
  }

  init(block: Block, changes: Partial<RbcInit> = {}): ConsensusMessage {
    const { limits = SMALL } = this.options
    return {
      kind: 'rbcInit',
      value: {
        height: 2,
        view: 0,
        payloadHash: block.header.payloadHash,
        blockHash: block.hash,
        payloadBytes: block.body.length,
        digests: digestsOf(block.body, limits),
        shares: [],
        ...changes,
      },
    }
  }

  chunk(block: Block, index: number, changes: Partial<RbcChunk> = {}): ConsensusMessage {
    const bytes = block.body.subarray(index * 4, (index + 1) * 4)
    return {
      kind: 'rbcChunk',
      value: { height: 2, view: 0, payloadHash: block.header.payloadHash, index, bytes, ...changes },
    }
  }

  signal(kind: 'rbcReady' | 'rbcDeliver', block: Block): ConsensusMessage {
    return { kind, value: { height: 2, view: 0, payloadHash: block.header.payloadHash } }
  }

  proposal(
    block: Block,
    carried: {
      readonly body?: Uint8Array
      readonly compact?: Uint8Array
      readonly digests?: readonly Uint8Array[]
    } = {},
  ): ConsensusMessage {
    const signature = fakeSign(this.proposer, proposalSignBytes(domainOf(this.state.context), 0, block.hash))
    return {
      kind: 'proposal',
      value: {
        height: 2,
        view: 0,
        header: block.header,
        justification: { kind: 'genesis', value: undefined },
        body: carried.body,
        compact: carried.compact,
        digests: carried.digests ?? [],
        signature,
      },
    }
  }

  certified(block: Block, phase: Phase, signers: readonly number[] = [0, 1, 2], view = 0): CertifiedHeader {
    return this.members.certified(phase, view, block, signers)
  }

  /** A proposal of a view above 0, under the timeout certificate of the view before. */
  proposalOf(view: number, block: Block, certificate: TimeoutCertificate): ConsensusMessage {
    const proposer = this.order[view % this.order.length] ?? ''
    const signature = fakeSign(proposer, proposalSignBytes(domainOf(this.state.context), view, block.hash))
    const justification = { kind: 'timeout' as const, value: certificate }
    const carried = { body: undefined, compact: undefined, digests: [] }
    return { kind: 'proposal', value: { height: 2, view, header: block.header, justification, ...carried, signature } }
  }

  /** A timeout as a member signs it. */
  timeout(from: ValidatorKey, view: number, highPrepare?: CertifiedHeader, height = 2): Timeout {
    const index = this.state.context.committee.indexOf.get(from) ?? -1
    const named = highPrepare === undefined ? 0 : highPrepare.certificate.view + 1
    const message = timeoutSignBytes({ ...domainOf(this.state.context), height }, view, named, 'noProposal')
    return { height, view, highPrepare, reason: 'noProposal', index, signature: fakeSign(from, message) }
  }

  /** A timeout certificate of the first three members, each of which had the same prepare certificate, or none. */
  timeoutCertificate(view: number, highPrepare?: CertifiedHeader): TimeoutCertificate {
    const timeouts = [0, 1, 2].map((position) => this.members.timeout(position, view, highPrepare))
    return this.members.timeoutCertificate(view, timeouts, highPrepare)
  }

  receive(from: ValidatorKey, message: ConsensusMessage): void {
    this.input({ type: 'message', from, message })
  }

  /** Signatures are added up, records and payloads reach the disk, until nothing of that is left to do. */
  settle(): void {
    for (;;) {
      const [aggregates, writes, payloads] = [this.take('aggregate'), this.take('persist'), this.take('stage')]
      if (aggregates.length + writes.length + payloads.length === 0) return
      for (const { job } of payloads) this.input({ type: 'staged', job })
      for (const { job, signatures } of aggregates) {
        this.input({ type: 'aggregated', job, aggregate: fakeAggregate(signatures), bad: [] })
      }
      for (const { job } of writes) this.input({ type: 'persisted', job })
    }
  }

  /** Feeds an input; signatures are made and verified at once, everything else waits for the test. */
  input(input: Input): void {
    for (const effect of step(this.state, { ...input, nowMs: this.nowMs })) {
      this.effects.push(effect)
      if (effect.type === 'verify' && this.options.verifiesByHand !== true)
        this.input({ type: 'verified', job: effect.job, ok: effect.checks.every(fakeVerify) })
      else if (effect.type === 'sign') {
        const signatures = effect.messages.map((message) => fakeSign(this.self, message))
        this.input({ type: 'signed', job: effect.job, signatures })
      }
    }
  }

  /** Time passes, then a timer fires. */
  fire(name: 'fetch' | 'defer' | 'propose' | 'view', afterMs: number): void {
    this.nowMs += afterMs
    this.input({ type: 'timer', name, height: this.state.context.height, view: this.state.view })
  }

  /** Removes and returns the effects of a kind since the last call. */
  take<T extends Effect['type']>(type: T): EffectOf<T>[] {
    const found = this.effects.filter((effect): effect is EffectOf<T> => effect.type === type)
    this.effects = this.effects.filter((effect) => effect.type !== type)
    return found
  }

  /** Removes and returns the messages of one kind that were sent to one peer, or broadcast. */
  sent<K extends ConsensusMessage['kind']>(kind: K): Sent<K>[] {
    const taken: Effect[] = []
    const found: Sent<K>[] = []
    for (const effect of this.effects) {
      if ((effect.type !== 'send' && effect.type !== 'broadcast') || effect.message.kind !== kind) continue
      taken.push(effect)
      found.push({
        to: effect.type === 'send' ? effect.to : undefined,
        value: effect.message.value as Sent<K>['value'],
      })
    }
    this.effects = this.effects.filter((effect) => !taken.includes(effect))
    return found
  }

  /** The payload that execution was asked for, or undefined. */
  executed(block: Block): Buffer | undefined {
    const effect = this.take('execute').find((one) => same(one.blockHash, block.hash))
    return effect === undefined ? undefined : Buffer.from(effect.body)
  }

  /** Verifies the signatures that were asked for since the last look. */
  verifyAll(): void {
    for (const { job, checks } of this.take('verify')) {
      this.input({ type: 'verified', job, ok: checks.every(fakeVerify) })
    }
  }

  /** A Status of a peer without certificates. */
  status(from: ValidatorKey, height = this.state.context.height): void {
    const value = { height, view: 0, commit: undefined, highPrepare: undefined, entry: undefined }
    this.receive(from, { kind: 'status', value })
  }

  /** A vote of a member for a block, or for a hash that is none. */
  vote(from: ValidatorKey, blockHash: Uint8Array, phase: Phase = 'prepare', view = 0): void {
    const { context } = this.state
    const signature = fakeSign(from, voteSignBytes(domainOf(context), phase, view, blockHash))
    const index = context.committee.indexOf.get(from) ?? -1
    this.receive(from, { kind: 'vote', value: { phase, height: context.height, view, blockHash, index, signature } })
  }

  /** The job that continues with this rule, for this block where the job names one; -1: there is none. */
  private jobOf(next: Job['next'], { hash, header }: Block): number {
    for (const [number, job] of this.state.jobs) {
      if (job.next !== next) continue
      if ('hash' in job && job.hash !== hashKey(hash)) continue
      if (job.next !== 'staged' || same(job.payloadHash, header.payloadHash)) return number
    }
    return -1
  }

  /** Answers an execution. */
  answerExecution(block: Block, result: ExecutionResult, timely = true): void {
    this.input({ type: 'executed', job: this.jobOf('executed', block), result, timely })
  }

  /** Answers an execution: the block is reproduced. */
  approve(block: Block): void {
    this.answerExecution(block, { ok: true })
  }

  /** Answers `build`. */
  built(block: Block, compact?: Uint8Array): void {
    const { header, body } = block
    this.input({ type: 'built', job: this.jobOf('built', block), block: { header, body, compact } })
  }

  /** The payload of a block is on disk. */
  staged(block: Block): void {
    this.input({ type: 'staged', job: this.jobOf('staged', block) })
  }

  /** Answers a rebuild. */
  rebuilt(block: Block, body: Uint8Array | undefined, missing: readonly number[] = []): void {
    this.input({ type: 'rebuilt', job: this.jobOf('rebuilt', block), body, missing })
  }

  records(from: ValidatorKey, block: Block, records: readonly PlacedRecord[]): void {
    this.receive(from, { kind: 'recordResponse', value: { height: 2, blockHash: block.hash, records } })
  }

  payload(from: ValidatorKey, block: Block, body: Uint8Array | undefined): void {
    const header = body === undefined ? undefined : block.header
    this.receive(from, { kind: 'payloadResponse', value: { height: 2, blockHash: block.hash, header, body } })
  }

  get session() {
    return [...this.state.rbc.sessions.values()][0]
  }
}

export const chunksOf = (block: Block): number => Math.ceil(block.body.length / 4)
export const isPayload = (body: Uint8Array, block: Block): boolean => same(payloadHash(body), block.header.payloadHash)
