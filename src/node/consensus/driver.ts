/** Owns the driver of consensus: it feeds inputs in order, runs effects, and feeds their results back. */
import { sleep } from '../../base/sleep.js'
import {
  type AbstentionCause,
  BlockCost,
  type ConsensusMessage,
  type ConsensusState,
  carryOut,
  certificateKey,
  consensusMessage,
  type DurableRecord,
  type Effect,
  type EffectHandler,
  type EffectOf,
  heightOf,
  type Input,
  keyAt,
  ownKeyAt,
  peerOf,
  type RecoveredPayloads,
  type Report,
  recoverState,
  type SignRequest,
  signRequestOf,
  step,
  type ViewPlace,
  verifyAll,
  viewPlaceOf,
} from '../../consensus/index.js'
import type { CryptoService } from '../../crypto/index.js'
import { type Evidence, keyString, type QuorumCertificate, type ValidatorKey } from '../../model/index.js'
import type { Tip } from '../ledger/protocol.js'
import { FatalError, type FatalPlace } from '../process/fatal.js'
import type { BlockContent, BlockWork } from './block-work.js'
import { contextAfter } from './context.js'
import { appendAtPoints, stageAtPoints } from './fail-points.js'
import { type PeerAnswerModules, PeerAnswers } from './peer-answers.js'
import { aggregate } from './signatures.js'
import type { ConsensusSigner } from './signer.js'
import { ConsensusTimers } from './timers.js'

/** Delay before the retry of a block that could not be built, in ms: a fraction of a block interval. */
export const REBUILD_MS = 25

/** Processor time of this process so far, over all threads, in ms. */
function processorMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

/** Durable vote log. */
export interface ConsensusLog {
  append(records: readonly DurableRecord[]): Promise<void>
  prune(committedHeight: number): void
  endAbstaining(): Promise<void>
  /** Append a large payload to the staging segment. */
  stage(height: number, payloadHash: Uint8Array, body: Uint8Array): Promise<void>
}

export interface DriverModules extends PeerAnswerModules {
  /** Consensus keys whose secrets this node holds, by preference; the key in the roster is used. */
  readonly ownKeys: readonly ValidatorKey[]
  readonly chainHash: Uint8Array
  /** Head of the chain, which the driver advances on each commit. */
  readonly head: { tip: Tip }
  readonly crypto: CryptoService
  /** Signer for the node's consensus keys. */
  readonly signer: ConsensusSigner
  readonly work: BlockWork
  readonly log: ConsensusLog
  readonly hasWork: () => { readonly pending: boolean; readonly full: boolean }
  readonly wallMs: () => number
  readonly onCommit: (tip: Tip, content: readonly BlockContent[], before: Tip) => void
  readonly onReport: (report: Report) => void
  /** True if a message of this kind is within the budget of the peer. */
  readonly allows: (peer: ValidatorKey, kind: ConsensusMessage['kind']) => boolean
  /**
   * Called for two contradicting messages of one member; signatures are not verified yet. `from`: peer at fault if they
   * are invalid.
   */
  readonly onEquivocation: (evidence: Evidence, from?: ValidatorKey) => void
  readonly onReoffer: () => void
  /** Called if the certified roots cannot be reproduced: the node must not continue. */
  readonly onHalt: (height: number, detail: string) => void
  /** Called if the state machine, the vote log, the ledger or the crypto threads failed: the process must end. */
  readonly onFatal: (error: FatalError) => void
}

/** Consensus of one validator or observer. */
export class ConsensusDriver {
  readonly state: ConsensusState
  /** Height of the last block that each peer claimed to have, by the key of its link; for display only. */
  readonly peerHeights = new Map<ValidatorKey, number>()
  private readonly inbox: Input[] = []
  private running = false
  private closed = false
  private readonly timers: ConsensusTimers
  private reportedView: ViewPlace | undefined
  private readonly peers: PeerAnswers
  private readonly cost = new BlockCost(processorMs)

  /** Implementation of each effect; most return an input. */
  private readonly effects: EffectHandler = {
    send: (effect) => this.peers.send(effect.to, effect.message, effect.replyBytes),
    broadcast: ({ message, urgent }) => this.peers.broadcast(message, urgent),
    persist: ({ job, records }) =>
      this.answer(
        'vote_log',
        appendAtPoints((batch) => this.modules.log.append(batch), records).then(() => ({ type: 'persisted', job })),
      ),
    stage: (effect) => this.answer('staging_log', this.stage(effect)),
    rebuild: (effect) => this.input(this.rebuild(effect)),
    sign: (effect) => {
      const { self, context, index } = this.state
      const request = (): SignRequest => signRequestOf(context, index ?? 0, effect.view, effect.intent)
      this.answer('crypto', this.modules.signer.sign(self, effect, request))
    },
    verify: ({ job, checks }) =>
      this.answer(
        'crypto',
        verifyAll(this.modules.crypto, checks).then((ok) => ({ type: 'verified', job, ok })),
      ),
    aggregate: (effect) =>
      this.answer(
        'crypto',
        aggregate(this.modules.crypto, effect).then((sum) => ({ type: 'aggregated', job: effect.job, ...sum })),
      ),
    build: (effect) => this.answer('ledger', this.build(effect)),
    execute: (effect) => this.answer('ledger', this.execute(effect)),
    commit: (effect) => this.answer('ledger', this.commit(effect)),
    serveRecords: (effect) => this.peers.serveRecords(effect),
    serveCertificate: (effect) => this.peers.serveCertificate(effect),
    serveBlocks: (effect) => this.peers.serveBlocks(effect),
    servePayload: (effect) => this.peers.servePayload(effect),
    arm: (effect) => this.timers.arm(effect),
    disarm: ({ name }) => this.timers.disarm(name),
    reoffer: () => this.modules.onReoffer(),
    endAbstention: () =>
      this.answer(
        'vote_log',
        this.modules.log.endAbstaining().then(() => ({ type: 'abstentionEnded' })),
      ),
    reportEquivocation: ({ evidence, from }) => this.modules.onEquivocation(evidence, from && peerOf(this.tip, from)),
    report: ({ report }) => this.modules.onReport(report),
    halt: ({ height, detail }) => this.modules.onHalt(height, detail),
  }

  constructor(
    private readonly modules: DriverModules,
    records: Iterable<DurableRecord>,
    abstaining: AbstentionCause | undefined,
    payloads: RecoveredPayloads,
  ) {
    const { tip } = modules.head
    const context = contextAfter(tip, modules.chainHash)
    const self = ownKeyAt(tip, modules.ownKeys)
    this.state = recoverState(self, context, records, performance.now(), abstaining, payloads)
    this.peers = new PeerAnswers(
      modules,
      () => this.tip,
      (error) => this.fail('ledger', error),
    )
    this.timers = new ConsensusTimers((name, height, view) => this.input({ type: 'timer', name, height, view }))
  }

  /** Last committed block. */
  get tip(): Tip {
    return this.modules.head.tip
  }

  /** Resume from the durable records. */
  start(): void {
    this.notifyWork()
    this.input({ type: 'started' })
  }

  /** Feed one input, and run until no work remains. */
  input(input: Input): void {
    if (this.closed) return
    this.inbox.push(input)
    if (this.running) return
    this.running = true
    try {
      for (let next = this.inbox.shift(); next !== undefined; next = this.inbox.shift()) {
        const effects = step(this.state, { ...next, nowMs: performance.now() })
        if (this.state.viewStartedAtMs !== undefined) this.cost.begin(this.state.context.height)
        this.reportView()
        for (const effect of effects) this.perform(effect)
      }
    } catch (error) {
      // A broken invariant, or an effect that cannot begin: stop before signing anything else. Responses to peers fail
      // as values (`toPeer`) and never reach this.
      this.fail('consensus', error)
    } finally {
      this.running = false
    }
  }

  /** Report the current view, and the block that its height may decide, so that other executions can end. */
  private reportView(): void {
    const { reportedView } = this
    const place = viewPlaceOf(this.state)
    if (reportedView?.height === place.height && reportedView.view === place.view && reportedView.kept === place.kept)
      return
    this.reportedView = place
    this.modules.work.enterView(place)
  }

  /** Report whether work is pending; the state machine then starts its timer and proposes. */
  notifyWork(): void {
    const { pending, full } = this.modules.hasWork()
    const { work } = this.state
    if (work.pending !== pending || work.full !== full) this.input({ type: 'work', pending, full })
  }

  /** Receive a message of the peer of a link. */
  receive(peer: ValidatorKey, body: Uint8Array): void {
    const decoded = consensusMessage.decode(body)
    if (!decoded.ok) return this.modules.onPeerFault(peer, 'malformed')
    if (!this.modules.allows(peer, decoded.value.kind)) return
    const height = heightOf(decoded.value)
    // Links exist only to registered peers, which bounds the map.
    if (height !== undefined) this.peerHeights.set(peer, Math.max(0, height - 1))
    const from = keyAt(this.tip, peer, height ?? 0)
    this.input({ type: 'message', from, message: decoded.value })
  }

  /** Report a link that came up or went down, or a peer selected for gossip. */
  notifyPeer(type: 'peerUp' | 'peerDown' | 'gossip', peer: ValidatorKey): void {
    this.input({ type, peer: keyAt(this.tip, peer, 0) })
  }

  close(): void {
    this.closed = true
    this.timers.close()
  }

  private fail(place: FatalPlace, error: unknown): void {
    if (this.closed) return
    this.close()
    this.modules.onFatal(new FatalError(place, error))
  }

  /** Wait for a result and feed it back; a failure of the node's own I/O ends the process. */
  private answer(place: FatalPlace, work: Promise<Input | undefined>): void {
    work.then(
      (input) => {
        if (input !== undefined) this.input(input)
      },
      (error: unknown) => this.fail(place, error),
    )
  }

  private perform(effect: Effect): void {
    carryOut(this.effects, effect)
  }

  /** Rebuild a payload from its compact form; the whole payload is requested if the form is invalid. */
  private rebuild(effect: EffectOf<'rebuild'>): Input {
    try {
      return { type: 'rebuilt', job: effect.job, ...this.modules.work.rebuild(effect) }
    } catch {
      return { type: 'rebuilt', job: effect.job, body: undefined, missing: [] }
    }
  }

  private async stage(effect: EffectOf<'stage'>): Promise<Input> {
    const { job, height, payloadHash, body } = effect
    await stageAtPoints(() => this.modules.log.stage(height, payloadHash, body))
    return { type: 'staged', job }
  }

  private async build(effect: EffectOf<'build'>): Promise<Input> {
    const block = await this.modules.work.build(effect, this.state.context.parentCertificate, this.tip)
    if (block === undefined) {
      // Without this the machine would immediately ask again for a block that cannot be built.
      this.notifyWork()
      // If transactions wait nevertheless, the machine asks again: a change needs its turn of the event loop.
      await sleep(REBUILD_MS)
    }
    return { type: 'built', job: effect.job, block }
  }

  private async execute(effect: EffectOf<'execute'>): Promise<Input> {
    const { context, verifiedCertificates } = this.state
    const result = await this.modules.work.execute(effect, {
      parent: context.parent,
      limits: this.tip.limits,
      isVerified: (hash) => {
        const key = keyString(hash)
        // The certificate that this node committed the parent with was verified at that time.
        return verifiedCertificates.has(key) || isOfKey(context.parentCertificate, key)
      },
    })
    // The transactions that took too long wait now, so no work may remain.
    this.notifyWork()
    const { timeMs } = effect.header
    const timely = timeMs - this.modules.wallMs() <= this.tip.limits.maxClockDriftMs
    return { type: 'executed', job: effect.job, result, timely }
  }

  private async commit(effect: EffectOf<'commit'>): Promise<Input | undefined> {
    const { tip, content } = await this.modules.work.commit(effect.certified, effect.body)
    // The block is on disk; the commit listeners and the logs are closed.
    if (this.closed) return undefined
    const before = this.tip
    this.modules.head.tip = tip
    this.modules.log.prune(tip.height)
    this.modules.onCommit(tip, content, before)
    this.notifyWork()
    const self = ownKeyAt(tip, this.modules.ownKeys)
    const next = contextAfter(tip, this.modules.chainHash)
    return { type: 'committed', next, self, costMs: this.cost.end(tip.height) }
  }
}

const isOfKey = (certificate: QuorumCertificate | undefined, key: string): boolean =>
  certificate !== undefined && certificateKey(certificate) === key
