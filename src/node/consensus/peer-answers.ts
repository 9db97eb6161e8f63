/** Owns outgoing consensus messages, and responses to requests within the budget of the requesting peer. */
import {
  type ConsensusMessage,
  consensusMessage,
  type Effect,
  type EffectOf,
  isBulk,
  peerOf,
  SYNC_RANGE_BYTES,
  syncResponseBytes,
} from '../../consensus/index.js'
import { committedBlock, type ValidatorKey } from '../../model/index.js'
import type { Transport } from '../../network/index.js'
import type { LedgerPort, Tip } from '../ledger/protocol.js'
import type { PeerFaultKind } from '../peers/conduct.js'
import type { BlockWork } from './block-work.js'
import { sendAtPoints } from './fail-points.js'

export interface PeerAnswerModules {
  readonly ledger: LedgerPort
  readonly work: Pick<BlockWork, 'recordsFor'>
  readonly transport: Pick<Transport, 'send' | 'broadcast'>
  /** Called if a peer violated the protocol, or the response to it failed: its link ends, the node continues. */
  readonly onPeerFault: (peer: ValidatorKey, kind: PeerFaultKind, error?: unknown) => void
  /** True if a peer votes, or is registered to. */
  readonly isMember: (peer: ValidatorKey) => boolean
  /** True if an answer of so many bytes is within the budget of the peer that asked. */
  readonly allowsReply: (peer: ValidatorKey, bytes: number) => boolean
  /** So many bytes of such an answer are not sent. */
  readonly savedReply: (peer: ValidatorKey, bytes: number) => void
}

/** Reads of the ledger that are under way for all observers together: those beyond are dropped, and asked for again. */
const OBSERVER_READS_MAX = 4

/** Messages and answers to peers. */
export class PeerAnswers {
  /** Running reads for peers: one job of each kind per peer. */
  private readonly serving = new Set<string>()
  /** How many of them are for observers. */
  private observerReads = 0

  /** `fail`: the ledger cannot be read, which ends the process. */
  constructor(
    private readonly modules: PeerAnswerModules,
    private readonly tip: () => Tip,
    private readonly fail: (error: unknown) => void,
  ) {}

  /** Send a message; a response with payload bytes is dropped if the peer exceeds its budget. */
  send(to: ValidatorKey, message: ConsensusMessage, replyBytes = 0): void {
    if (!this.mayReply(to, replyBytes)) return
    this.toPeer(to, () => {
      const body = consensusMessage.encode(message)
      sendAtPoints(message, () => this.modules.transport.send(this.peerOf(to), channelOf(message), body))
    })
  }

  broadcast(message: ConsensusMessage, urgent: boolean): void {
    sendAtPoints(message, () =>
      this.modules.transport.broadcast(channelOf(message), consensusMessage.encode(message), urgent),
    )
  }

  serveRecords(effect: EffectOf<'serveRecords'>): void {
    const { to, height, blockHash, body } = effect
    // The whole payload is walked for them.
    if (!this.mayReply(to, body.length)) return
    this.toPeer(to, () => {
      const records = this.modules.work.recordsFor(effect)
      this.send(to, { kind: 'recordResponse', value: { height, blockHash, records } })
    })
  }

  serveCertificate({ type, to, height }: EffectOf<'serveCertificate'>): void {
    this.serve(type, to, async () => {
      const { certified } = await this.modules.ledger.certificate({ height })
      if (certified !== undefined) this.send(to, { kind: 'certificate', value: certified })
    })
  }

  serveBlocks({ type, to, from, count }: EffectOf<'serveBlocks'>): void {
    this.serve(type, to, async () => {
      const blocks = await this.blocksFor(to, from, count)
      if (blocks === undefined) return
      this.toPeer(to, () => {
        const body = syncResponseBytes(blocks)
        const message = { kind: 'syncResponse', value: { blocks: [] } } as const
        sendAtPoints(message, () => this.modules.transport.send(this.peerOf(to), 'payload', body))
      })
    })
  }

  servePayload({ type, to, height, blockHash }: EffectOf<'servePayload'>): void {
    this.serve(type, to, async () => {
      const [bytes] = (await this.blocksFor(to, height, 1)) ?? []
      if (bytes === undefined) return
      const { header, body } = decodeBlock(bytes)
      this.send(to, { kind: 'payloadResponse', value: { height, blockHash, header, body } })
    })
  }

  private peerOf(key: ValidatorKey): ValidatorKey {
    return peerOf(this.tip(), key)
  }

  /** What answers a peer: where it cannot be made, from whatever that peer sent, only its link ends. */
  private toPeer(to: ValidatorKey, work: () => void): void {
    try {
      work()
    } catch (error) {
      this.modules.onPeerFault(this.peerOf(to), 'answer', error)
    }
  }

  /** Asked before an answer is made: requests cost a peer nothing, and their answers are as long as payloads. */
  private mayReply(to: ValidatorKey, bytes: number): boolean {
    return bytes === 0 || this.modules.allowsReply(this.peerOf(to), bytes)
  }

  /** Reads from the ledger for a peer, one job of a kind at a time: an honest one asks for no more. */
  private serve(kind: Effect['type'], to: ValidatorKey, work: () => Promise<void>): void {
    const job = `${kind}:${to}`
    const ofObservers = this.modules.isMember(this.peerOf(to)) ? 0 : 1
    if (this.serving.has(job) || (ofObservers > 0 && this.observerReads >= OBSERVER_READS_MAX)) return
    this.serving.add(job)
    this.observerReads += ofObservers
    work()
      .finally(() => {
        this.serving.delete(job)
        this.observerReads -= ofObservers
      })
      .catch(this.fail)
  }

  /** Blocks for a peer, within its budget of answers, which is asked before they are read: a read costs as much as an answer. */
  private async blocksFor(to: ValidatorKey, from: number, count: number): Promise<readonly Uint8Array[] | undefined> {
    if (!this.mayReply(to, SYNC_RANGE_BYTES)) return undefined
    const { blocks } = await this.modules.ledger.blocks({ from, count, maxBytes: SYNC_RANGE_BYTES })
    const bytes = blocks.reduce((sum, { length }) => sum + length, 0)
    this.modules.savedReply(this.peerOf(to), Math.max(0, SYNC_RANGE_BYTES - bytes))
    // One block alone may be longer than a range.
    return this.mayReply(to, Math.max(0, bytes - SYNC_RANGE_BYTES)) ? blocks : undefined
  }
}

/** Channel of a link that a message takes. */
const channelOf = (message: ConsensusMessage): 'consensus' | 'payload' => (isBulk(message) ? 'payload' : 'consensus')

function decodeBlock(bytes: Uint8Array) {
  const decoded = committedBlock.decode(bytes)
  if (!decoded.ok) throw new Error(`a stored block does not decode: ${decoded.fault.message}`)
  return decoded.value
}
