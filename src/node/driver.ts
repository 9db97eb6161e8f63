/** Owns the driving of consensus: inputs in order, effects carried out, their answers fed back. */
import { sleep } from '../base/sleep.js'
import {
  type AbstentionCause,
  type ConsensusMessage,
  type ConsensusState,
  certificateKey,
  consensusMessage,
  type DurableRecord,
  type Effect,
  heightOf,
  type Input,
  isBulk,
  keyAt,
  ownKeyAt,
  peerOf,
  type RecoveredPayloads,
  type Report,
  recoverState,
  type SignRequest,
  SYNC_RANGE_BYTES,
  signRequestOf,
  step,
  syncResponseBytes,
  type ViewPlace,
  verifyAll,
  viewPlaceOf,
} from '../consensus/index.js'
import type { CryptoService } from '../crypto/index.js'
import { committedBlock, type Evidence, keyString, type QuorumCertificate, type ValidatorKey } from '../model/index.js'
import type { Transport } from '../network/index.js'
import type { BlockContent, BlockWork } from './block-work.js'
import { appendAtPoints, sendAtPoints, stageAtPoints } from './consensus-points.js'
import type { ConsensusSigner } from './consensus-signer.js'
import { contextAfter } from './context.js'
import { FatalError, type FatalPlace } from './fatal.js'
import type { LedgerPort, Tip } from './ledger/protocol.js'
import type { PeerFaultKind } from './peer-conduct.js'
import { aggregate } from './signatures.js'
import { ConsensusTimers } from './timers.js'

/** Until a block is asked for again where none could be built, in ms: a fraction of what a block takes. */
export const REBUILD_MS = 25

/** The durable vote log. */
export interface ConsensusLog {
  append(records: readonly DurableRecord[]): Promise<void>
  prune(committedHeight: number): void
  endAbstaining(): Promise<void>
  /** Appends a large payload to the staging segment. */
  stage(height: number, payloadHash: Uint8Array, body: Uint8Array): Promise<void>
}

export interface DriverModules {
  /** Consensus keys that we hold the secret of, by preference; the one in the roster acts. */
  readonly ownKeys: readonly ValidatorKey[]
  readonly chainHash: Uint8Array
  readonly ledger: LedgerPort
  readonly crypto: CryptoService
  /** Signs with our keys. */
  readonly signer: ConsensusSigner
  readonly work: BlockWork
  readonly log: ConsensusLog
  readonly transport: Pick<Transport, 'send' | 'broadcast'>
  readonly hasWork: () => { readonly pending: boolean; readonly full: boolean }
  readonly wallMs: () => number
  readonly onCommit: (tip: Tip, content: readonly BlockContent[], before: Tip) => void
  readonly onReport: (report: Report) => void
  /** A peer did what no correct one does, or our answer to it could not be made: its link ends, the node goes on. */
  readonly onPeerFault: (peer: ValidatorKey, kind: PeerFaultKind, error?: unknown) => void
  /** Whether a message of this kind is within the budget of the peer. */
  readonly admits: (peer: ValidatorKey, kind: ConsensusMessage['kind']) => boolean
  /** Whether an answer of so many bytes is within the budget of the peer that asked. */
  readonly admitsReply: (peer: ValidatorKey, bytes: number) => boolean
  /** So many bytes of such an answer are not sent. */
  readonly savedReply: (peer: ValidatorKey, bytes: number) => void
  /** Two messages of one member contradict each other; signatures are still to be verified. `from`: whose fault bad ones are. */
  readonly onEquivocation: (evidence: Evidence, from?: ValidatorKey) => void
  readonly onReoffer: () => void
  /** The certified roots cannot be reproduced: the node must not go on. */
  readonly onHalt: (height: number, detail: string) => void
  /** The state machine, the vote log, the ledger or the crypto threads failed: the process must end. */
  readonly onFatal: (error: FatalError) => void
}

/** One validator's or observer's consensus, live. */
export class ConsensusDriver {
  readonly state: ConsensusState
  tip: Tip
  /** Height of the last block that each peer spoke as having, by the key of its link: a claim, for people to look at. */
  readonly peerHeights = new Map<ValidatorKey, number>()
  private readonly inbox: Input[] = []
  private running = false
  private closed = false
  private readonly timers: ConsensusTimers
  private told: ViewPlace | undefined
  /** What is being read for peers: one job of each kind per peer. */
  private readonly serving = new Set<string>()

  constructor(
    private readonly modules: DriverModules,
    tip: Tip,
    records: Iterable<DurableRecord>,
    abstaining: AbstentionCause | undefined,
    payloads: RecoveredPayloads,
  ) {
    this.tip = tip
    const context = contextAfter(tip, modules.chainHash)
    const self = ownKeyAt(tip, modules.ownKeys)
    this.state = recoverState(self, context, records, performance.now(), abstaining, payloads)
    this.timers = new ConsensusTimers((name, height, view) => this.input({ type: 'timer', name, height, view }))
  }

  /** Takes up what the durable records say. */
  start(): void {
    this.notifyWork()
    this.input({ type: 'started' })
  }

  /** Feeds one input; runs until nothing is left to do. */
  input(input: Input): void {
    if (this.closed) return
    this.inbox.push(input)
    if (this.running) return
    this.running = true
    try {
      for (let next = this.inbox.shift(); next !== undefined; next = this.inbox.shift()) {
        const effects = step(this.state, { ...next, nowMs: performance.now() })
        this.tellView()
        for (const effect of effects) this.perform(effect)
      }
    } catch (error) {
      // A broken invariant, or an effect of our own that cannot be begun: stop before anything more is signed. What
      // answers a peer fails as a value (`toPeer`) and never comes here.
      this.fail('consensus', error)
    } finally {
      this.running = false
    }
  }

  /** Says which view consensus is in, and which block its height may come to: other executions may end. */
  private tellView(): void {
    const { told } = this
    const place = viewPlaceOf(this.state)
    if (told?.height === place.height && told.view === place.view && told.kept === place.kept) return
    this.told = place
    this.modules.work.enterView(place)
  }

  /** Says whether there is work; the machine arms its timer and proposes by it. */
  notifyWork(): void {
    const { pending, full } = this.modules.hasWork()
    const { work } = this.state
    if (work.pending !== pending || work.full !== full) this.input({ type: 'work', pending, full })
  }

  /** A message of a peer; the link names it. */
  receive(peer: ValidatorKey, body: Uint8Array): void {
    const decoded = consensusMessage.decode(body)
    if (!decoded.ok) return this.modules.onPeerFault(peer, 'malformed')
    if (!this.modules.admits(peer, decoded.value.kind)) return
    const height = heightOf(decoded.value)
    // Links are those of registered peers, so the map stays as small as their list.
    if (height !== undefined) this.peerHeights.set(peer, Math.max(0, height - 1))
    const from = keyAt(this.tip, peer, height ?? 0)
    this.input({ type: 'message', from, message: decoded.value })
  }

  /** A link came up or went down, or a peer is chosen to gossip with. */
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

  /** Waits for an answer and feeds it back; a failure of our own I/O ends the process. */
  private answer(place: FatalPlace, work: Promise<Input | undefined>): void {
    work.then(
      (input) => {
        if (input !== undefined) this.input(input)
      },
      (error: unknown) => this.fail(place, error),
    )
  }

  /** What answers a peer: where it cannot be made, from whatever that peer sent, only its link ends. */
  private toPeer(to: ValidatorKey, work: () => void): void {
    try {
      work()
    } catch (error) {
      this.modules.onPeerFault(peerOf(this.tip, to), 'answer', error)
    }
  }

  private send(to: ValidatorKey, message: ConsensusMessage): void {
    this.toPeer(to, () => {
      const body = consensusMessage.encode(message)
      sendAtPoints(message, () => this.modules.transport.send(peerOf(this.tip, to), channelOf(message), body))
    })
  }

  /** Asked before an answer is made: requests cost a peer nothing, and their answers are as long as payloads. */
  private mayReply(to: ValidatorKey, bytes: number): boolean {
    return bytes === 0 || this.modules.admitsReply(peerOf(this.tip, to), bytes)
  }

  /** Reads from the ledger for a peer, one job of a kind at a time: an honest one asks for no more. */
  private serve(kind: Effect['type'], to: ValidatorKey, work: () => Promise<void>): void {
    const job = `${kind}:${to}`
    if (this.serving.has(job)) return
    this.serving.add(job)
    this.answer(
      'ledger',
      work().then(
        () => void this.serving.delete(job),
        (error: unknown) => {
          this.serving.delete(job)
          throw error
        },
      ),
    )
  }

  private perform(effect: Effect): void {
    const { crypto, log, transport } = this.modules
    switch (effect.type) {
      case 'send':
        if (this.mayReply(effect.to, effect.replyBytes ?? 0)) this.send(effect.to, effect.message)
        return
      case 'broadcast':
        return sendAtPoints(effect.message, () =>
          transport.broadcast(channelOf(effect.message), consensusMessage.encode(effect.message), effect.urgent),
        )
      case 'persist':
        return this.answer(
          'vote_log',
          appendAtPoints((records) => log.append(records), effect.records).then(() => ({
            type: 'persisted',
            token: effect.token,
          })),
        )
      case 'stage':
        return this.answer('staging_log', this.stage(effect))
      case 'rebuild':
        return this.input(this.rebuild(effect))
      case 'serveRecords':
        // The whole payload is walked for them.
        if (!this.mayReply(effect.to, effect.body.length)) return
        return this.toPeer(effect.to, () => {
          const { to, height, blockHash } = effect
          const records = this.modules.work.recordsFor(effect)
          this.send(to, { kind: 'recordResponse', value: { height, blockHash, records } })
        })
      case 'sign': {
        const { self, context, index } = this.state
        const request = (): SignRequest => signRequestOf(context, index ?? 0, effect.view, effect.intent)
        return this.answer('crypto', this.modules.signer.sign(self, effect, request))
      }
      case 'verify':
        return this.answer(
          'crypto',
          verifyAll(crypto, effect.checks).then((ok) => ({ type: 'verified', job: effect.job, ok })),
        )
      case 'aggregate':
        return this.answer(
          'crypto',
          aggregate(crypto, effect).then((result) => ({ type: 'aggregated', job: effect.job, ...result })),
        )
      case 'build':
        return this.answer('ledger', this.build(effect))
      case 'execute':
        return this.answer('ledger', this.execute(effect))
      case 'commit':
        return this.answer('ledger', this.commit(effect))
      case 'serveCertificate':
        return this.serve(effect.type, effect.to, () => this.serveCertificate(effect.to, effect.height))
      case 'serveBlocks':
        return this.serve(effect.type, effect.to, () => this.serveRange(effect))
      case 'servePayload':
        return this.serve(effect.type, effect.to, () => this.servePayload(effect))
      case 'arm':
        return this.timers.arm(effect)
      case 'disarm':
        return this.timers.disarm(effect.name)
      case 'reoffer':
        return this.modules.onReoffer()
      case 'endAbstention':
        return this.answer(
          'vote_log',
          log.endAbstaining().then(() => ({ type: 'abstentionEnded' })),
        )
      case 'reportEquivocation':
        return this.modules.onEquivocation(effect.evidence, effect.from && peerOf(this.tip, effect.from))
      case 'report':
        return this.modules.onReport(effect.report)
      case 'halt':
        return this.modules.onHalt(effect.height, effect.detail)
    }
  }

  /** A compact form that cannot be composed is one that makes no sense: the whole payload is asked for. */
  private rebuild(effect: Extract<Effect, { type: 'rebuild' }>): Input {
    try {
      return this.modules.work.rebuild(effect)
    } catch {
      const { height, blockHash } = effect
      return { type: 'rebuilt', height, blockHash, body: undefined, missing: [] }
    }
  }

  private async stage(effect: Extract<Effect, { type: 'stage' }>): Promise<Input> {
    const { height, payloadHash, body } = effect
    await stageAtPoints(() => this.modules.log.stage(height, payloadHash, body))
    return { type: 'staged', height, payloadHash }
  }

  private async build(effect: Extract<Effect, { type: 'build' }>): Promise<Input> {
    const { height } = effect.template
    const block = await this.modules.work.build(effect, this.state.context.parentCertificate, this.tip)
    if (block === undefined) {
      // Without it the machine would ask again at once for a block that cannot be.
      this.notifyWork()
      // Where something waits all the same, it asks again: whatever is to change that needs its turn of the event loop.
      await sleep(REBUILD_MS)
    }
    return { type: 'built', height, view: effect.view, block }
  }

  private async execute(effect: Extract<Effect, { type: 'execute' }>): Promise<Input> {
    const { context, verifiedCertificates } = this.state
    const result = await this.modules.work.execute(effect, {
      parent: context.parent,
      limits: this.tip.limits,
      isVerified: (hash) => {
        const key = keyString(hash)
        // The certificate that this node committed the parent with was verified then.
        return verifiedCertificates.has(key) || isOfKey(context.parentCertificate, key)
      },
    })
    // What took too long in it waits now, so that there may be nothing to do.
    this.notifyWork()
    const { height, timeMs } = effect.header
    const timely = timeMs - this.modules.wallMs() <= this.tip.limits.maxClockDriftMs
    return { type: 'executed', height, blockHash: effect.blockHash, result, timely }
  }

  private async commit(effect: Extract<Effect, { type: 'commit' }>): Promise<Input | undefined> {
    const { tip, content } = await this.modules.work.commit(effect.certified, effect.body)
    // The block is on the disk; who is told of commits, and the logs, are closed.
    if (this.closed) return undefined
    const before = this.tip
    this.tip = tip
    this.modules.log.prune(tip.height)
    this.modules.onCommit(tip, content, before)
    this.notifyWork()
    const self = ownKeyAt(tip, this.modules.ownKeys)
    return { type: 'committed', next: contextAfter(tip, this.modules.chainHash), self }
  }

  private async serveCertificate(to: ValidatorKey, height: number): Promise<void> {
    const { certified } = await this.modules.ledger.certificate({ height })
    if (certified !== undefined) this.send(to, { kind: 'certificate', value: certified })
  }

  /** Blocks for a peer, within its budget of answers, which is asked before they are read: a read costs as much as an answer. */
  private async blocksFor(to: ValidatorKey, from: number, count: number): Promise<readonly Uint8Array[] | undefined> {
    if (!this.mayReply(to, SYNC_RANGE_BYTES)) return undefined
    const { blocks } = await this.modules.ledger.blocks({ from, count, maxBytes: SYNC_RANGE_BYTES })
    const bytes = blocks.reduce((sum, { length }) => sum + length, 0)
    this.modules.savedReply(peerOf(this.tip, to), Math.max(0, SYNC_RANGE_BYTES - bytes))
    // One block alone may be longer than a range.
    return this.mayReply(to, Math.max(0, bytes - SYNC_RANGE_BYTES)) ? blocks : undefined
  }

  private async serveRange(effect: Extract<Effect, { type: 'serveBlocks' }>): Promise<void> {
    const blocks = await this.blocksFor(effect.to, effect.from, effect.count)
    if (blocks === undefined) return
    this.toPeer(effect.to, () => {
      const body = syncResponseBytes(blocks)
      const message = { kind: 'syncResponse', value: { blocks: [] } } as const
      sendAtPoints(message, () => this.modules.transport.send(peerOf(this.tip, effect.to), 'payload', body))
    })
  }

  private async servePayload(effect: Extract<Effect, { type: 'servePayload' }>): Promise<void> {
    const [bytes] = (await this.blocksFor(effect.to, effect.height, 1)) ?? []
    const block = bytes && decodeBlock(bytes)
    if (block === undefined) return
    const { height, blockHash } = effect
    this.send(effect.to, {
      kind: 'payloadResponse',
      value: { height, blockHash, header: block.header, body: block.body },
    })
  }
}

/** Channel of a link that a message takes. */
const channelOf = (message: ConsensusMessage): 'consensus' | 'payload' => (isBulk(message) ? 'payload' : 'consensus')

const isOfKey = (certificate: QuorumCertificate | undefined, key: string): boolean =>
  certificate !== undefined && certificateKey(certificate) === key

function decodeBlock(bytes: Uint8Array) {
  const decoded = committedBlock.decode(bytes)
  if (!decoded.ok) throw new Error(`a stored block does not decode: ${decoded.fault.message}`)
  return decoded.value
}
