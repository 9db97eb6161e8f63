/** Owns the first frames of every link: identification, authorisation, and a refusal with its reason. */
import { randomBytes } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import type { TLSSocket } from 'node:tls'
import { definedFields } from '../base/defined-fields.js'
import { formatPublicKey } from '../crypto/index.js'
import { keyBytes, LedgerError, type NetworkKey, type Peer, type ValidatorKey } from '../model/index.js'
import {
  compareHellos,
  compareValidatorKey,
  decodeHello,
  encodeHello,
  type Hello,
  type LocalHello,
  type Refusal,
  refusal,
  refusalFor,
  refusalOf,
  turned,
  WIRE_VERSION,
} from './handshake.js'
import { HANDSHAKE_TIMEOUT_MS, PEER_LOG_INTERVAL_MS, UNREGISTERED_LOG_INTERVAL_MS } from './limits.js'
import type { Link } from './link.js'
import type { LinkLogger } from './logger.js'
import { authenticate } from './tls.js'

/** Text of a validator key. */
export const peerText = (key: ValidatorKey): string => formatPublicKey({ algorithm: 'bls', bytes: keyBytes(key) })
const networkText = (key: NetworkKey): string => formatPublicKey({ algorithm: 'ed25519', bytes: keyBytes(key) })

/**
 * Message prefix before the key of a peer that answers at the address of another peer: a standby and its validator have
 * exchanged roles.
 */
export const STANDBY_ACTIVE = 'a validator and its standby share this address: the node there acts as peer'

/**
 * True if a node that answers with the key of another peer may be its standby, which is an observer while on standby
 * and the validator while active. Two peers of the same role are never one validator; their addresses are wrong.
 */
const areOneValidator = (dialed: Peer, answering: Peer): boolean =>
  dialed.networkKey !== answering.networkKey && dialed.role !== answering.role

export interface IntroducerOptions {
  /** This node's network key. */
  readonly ownKey: NetworkKey
  readonly hello: () => LocalHello
  /** Peer registered with a network key, which may be this node. */
  readonly find: (key: NetworkKey) => Peer | undefined
  /** Called when the other side has proven its identity and runs the same network. */
  readonly onReady: (link: Link, peer: Peer, hello: Hello) => void
  /** Reason why links to a registered peer are refused for a while, or undefined. */
  readonly banOf: (peer: Peer) => string | undefined
  readonly logger: LinkLogger
}

interface Pending {
  readonly peer: Peer
  readonly ours: Hello
  readonly timer: NodeJS.Timeout
}

/** Moves links from TLS to an accepted Hello. */
export class Introducer {
  private readonly pending = new Map<Link, Pending>()
  /** Last refusal logged per known peer, so that redials and varying reasons do not fill the log. */
  private readonly logged = new Map<ValidatorKey, { readonly atMs: number; readonly reason: string | undefined }>()
  private unregisteredLoggedMs = Number.NEGATIVE_INFINITY

  constructor(private readonly options: IntroducerOptions) {}

  /**
   * Handle a TLS connection: compare the proven key with the registered keys, and send our Hello or refuse.
   *
   * @param dialed the peer that we dialed; undefined for an incoming link
   * @returns the peer of the link, if there is one
   */
  meet(link: Link, socket: TLSSocket, dialed: Peer | undefined): Peer | undefined {
    const seen = authenticate(socket)
    const peer = seen.ok ? this.options.find(seen.key) : undefined
    const why = this.objection(seen.ok ? seen.key : undefined, seen.ok ? '' : seen.why, peer, dialed)
    if (why !== undefined || peer === undefined) {
      this.refuse(link, why ?? refusalFor('unknown peer'), dialed ?? peer)
      return dialed ?? peer
    }
    const ours: Hello = { ...this.options.hello(), wireVersion: WIRE_VERSION, nonce: randomBytes(32) }
    const late = new LedgerError('unreachable', `${link.remote} sent no Hello within ${HANDSHAKE_TIMEOUT_MS} ms`)
    this.pending.set(link, { peer, ours, timer: setTimeout(() => link.destroy(late), HANDSHAKE_TIMEOUT_MS) })
    link.sendControl('hello', encodeHello(ours))
    return peer
  }

  /** Handle a Hello of the other side. */
  onHello(link: Link, body: Buffer): void {
    const pending = this.pending.get(link)
    this.drop(link)
    if (pending === undefined) return this.refuse(link, refusalFor('a second Hello on one link'), undefined)
    const { peer, ours } = pending
    const read = decodeHello(body)
    if (!read.ok) {
      const version = { what: 'wire version', ours: String(WIRE_VERSION), theirs: String(read.wireVersion ?? 'none') }
      const other = read.wireVersion !== WIRE_VERSION
      return this.refuse(link, other ? refusalOf([version]) : refusalFor(read.why), peer)
    }
    const differences = [
      ...compareHellos(ours, read.hello),
      ...compareValidatorKey(ours.validatorKey, peer.key, read.hello.validatorKey),
    ]
    if (differences.length > 0) return this.refuse(link, refusalOf(differences), peer)
    const lastLog = this.logged.get(peer.key)
    if (lastLog !== undefined) this.logged.set(peer.key, { ...lastLog, reason: undefined })
    this.options.onReady(link, peer, read.hello)
  }

  /** Send the reason to the other side, and close. */
  refuse(link: Link, why: Refusal, peer: Peer | undefined): void {
    this.drop(link)
    this.log(link, why, peer, 'peer refused')
    link.sendControl('refusal', refusal.encode(why))
    link.close(this.fault(`${link.remote} is refused: ${why.message}`, 'this node', why, peer))
  }

  /** Handle a refusal by the other side. */
  onRefusal(link: Link, body: Buffer, peer: Peer | undefined): void {
    this.drop(link)
    const decoded = refusal.decode(body)
    const why = decoded.ok ? turned(decoded.value) : refusalFor('no reason given')
    this.log(link, why, peer, 'peer refuses this node')
    // Data of the other side is logged at debug level only; `lastError` shows it to operators who request it.
    this.options.logger.debug({ remote: link.remote, reason: why.message }, 'reason of the refusal')
    link.close(this.fault(`${link.remote} refuses this node: ${why.message}`, 'the peer', why, peer))
  }

  /** Remove a link that ended, or whose peer was accepted or refused. */
  drop(link: Link): void {
    clearTimeout(this.pending.get(link)?.timer)
    this.pending.delete(link)
  }

  private objection(
    key: NetworkKey | undefined,
    why: string,
    peer: Peer | undefined,
    dialed: Peer | undefined,
  ): Refusal | undefined {
    if (key === undefined) return refusalFor(why)
    if (key === this.options.ownKey) {
      return refusalFor(
        'both sides use one network key: a second process runs with it, or the address leads back to the same node',
      )
    }
    if (dialed !== undefined && peer !== undefined && areOneValidator(dialed, peer)) {
      return refusalFor(`${STANDBY_ACTIVE} ${peerText(peer.key)}`)
    }
    if (dialed !== undefined && key !== dialed.networkKey) {
      return refusalOf([{ what: 'network key', ours: networkText(dialed.networkKey), theirs: networkText(key) }])
    }
    if (peer === undefined) return refusalFor(`network key ${networkText(key)} is not registered`)
    const ban = this.options.banOf(peer)
    if (ban !== undefined) return refusalFor(ban)
    if (peer.key !== this.options.hello().validatorKey) return undefined
    return refusalFor(
      `network key ${networkText(key)} is registered with the validator key of this node: two processes claim one validator`,
    )
  }

  private fault(message: string, by: string, why: Refusal, peer: Peer | undefined): LedgerError {
    const details = { by, peer: peer === undefined ? undefined : peerText(peer.key), differences: why.differences }
    return new LedgerError('peer_refused', message, { details })
  }

  private log(
    link: Link,
    why: Refusal,
    peer: Peer | undefined,
    message: 'peer refused' | 'peer refuses this node',
  ): void {
    const { logger } = this.options
    const reason = definedFields({ reason: message === 'peer refused' ? why.message : undefined })
    const nowMs = performance.now()
    if (peer === undefined) {
      const quiet = nowMs - this.unregisteredLoggedMs < UNREGISTERED_LOG_INTERVAL_MS
      if (!quiet) this.unregisteredLoggedMs = nowMs
      logger[quiet ? 'debug' : 'warn']({ remote: link.remote, ...reason }, message)
      return
    }
    const lastLog = this.logged.get(peer.key)
    const quiet =
      lastLog !== undefined && (lastLog.reason === why.message || nowMs - lastLog.atMs < PEER_LOG_INTERVAL_MS)
    if (!quiet) this.logged.set(peer.key, { atMs: nowMs, reason: why.message })
    logger[quiet ? 'debug' : 'warn']({ peer: peerText(peer.key), remote: link.remote, ...reason }, message)
  }
}
