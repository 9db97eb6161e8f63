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
  /** True if a peer votes, or is registered to vote. */
  readonly isMember: (peer: ValidatorKey) => boolean
  /** True if a response of this size is within the budget of the requesting peer. */
  readonly allowsReply: (peer: ValidatorKey, bytes: number) => boolean
  /** Return this many unsent bytes of a response to the budget. */
  readonly savedReply: (peer: ValidatorKey, bytes: number) => void
}

/**
 * Maximum number of concurrent ledger reads for all observers; further requests are dropped, and sent again by the
 * observer.
 */
const OBSERVER_READS_MAX = 4

/** Messages and responses to peers. */
export class PeerAnswers {
  /** Running reads for peers: one job of each kind per peer. */
  private readonly serving = new Set<string>()
  /** Number of running reads for observers. */
  private observerReads = 0

  /** `fail`: called if the ledger cannot be read; ends the process. */
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
    // Finding them requires a walk over the whole payload.
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

  /** Run work for a peer; if it fails because of the peer's data, only the link of that peer ends. */
  private toPeer(to: ValidatorKey, work: () => void): void {
    try {
      work()
    } catch (error) {
      this.modules.onPeerFault(this.peerOf(to), 'answer', error)
    }
  }

  /**
   * Check the budget before a response is built: requests are cheap for a peer, but responses are as long as payloads.
   */
  private mayReply(to: ValidatorKey, bytes: number): boolean {
    return bytes === 0 || this.modules.allowsReply(this.peerOf(to), bytes)
  }

  /** Read from the ledger for a peer, one job of each kind at a time; a correct peer does not request more. */
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

  /**
   * Blocks for a peer, within its response budget, which is checked before they are read: a read costs as much as a
   * response.
   */
  private async blocksFor(to: ValidatorKey, from: number, count: number): Promise<readonly Uint8Array[] | undefined> {
    if (!this.mayReply(to, SYNC_RANGE_BYTES)) return undefined
    const { blocks } = await this.modules.ledger.blocks({ from, count, maxBytes: SYNC_RANGE_BYTES })
    const bytes = blocks.reduce((sum, { length }) => sum + length, 0)
    this.modules.savedReply(this.peerOf(to), Math.max(0, SYNC_RANGE_BYTES - bytes))
    // A single block may be longer than a range.
    return this.mayReply(to, Math.max(0, bytes - SYNC_RANGE_BYTES)) ? blocks : undefined
  }
}

/** Link channel of a message. */
const channelOf = (message: ConsensusMessage): 'consensus' | 'payload' => (isBulk(message) ? 'payload' : 'consensus')

function decodeBlock(bytes: Uint8Array) {
  const decoded = committedBlock.decode(bytes)
  if (!decoded.ok) throw new Error(`a stored block does not decode: ${decoded.fault.message}`)
  return decoded.value
}
