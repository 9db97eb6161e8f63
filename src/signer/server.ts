/** Owns the listening side of a signer: authorisation, order and responses of requests. */
import { chmod, lstat, unlink } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import { createServer as createTlsServer, type TLSSocket } from 'node:tls'
import { formatPublicKey } from '../crypto/index.js'
import { keyBytes, type NetworkKey } from '../model/index.js'
import {
  authenticate,
  formatAddress,
  type LinkLogger,
  linkIdentity,
  listenError,
  serverOptions,
} from '../network/index.js'
import { Handshakes } from './handshakes.js'
import type { Lease } from './lease.js'
import type { LeaseLog } from './lease-log.js'
import { CONNECTIONS_MAX, HANDSHAKE_TIMEOUT_MS, HELLO_TIMEOUT_MS, IDLE_TIMEOUT_MS, WAITING_MAX } from './limits.js'
import { type ListenPlace, placeText } from './place.js'
import type { Signer, SignOutcome } from './signer.js'
import {
  FrameReader,
  frameOf,
  type NodeMessage,
  nodeMessage,
  SIGNER_WIRE_VERSION,
  type SignerMessage,
  signerMessage,
} from './wire.js'

export interface SignerServerOptions {
  readonly place: ListenPlace
  readonly signer: Signer
  readonly chainHash: Uint8Array
  readonly lease: Lease
  readonly leaseLog: LeaseLog
  readonly leaseMs: number
  readonly logger: LinkLogger
  /** Called if the record cannot be trusted any more: the process must end. */
  readonly onFatal: (error: unknown) => void
}

const nodeText = (key: NetworkKey): string => formatPublicKey({ algorithm: 'ed25519', bytes: keyBytes(key) })

/** Listening side of a signer. */
export class SignerServer {
  /** Open connections of nodes. */
  private readonly sockets = new Set<Socket>()
  private readonly handshakes = new Handshakes()

  private constructor(
    private readonly options: SignerServerOptions,
    private readonly server: Server,
  ) {}

  /** Start listening. Throws `address_in_use`. */
  static async open(options: SignerServerOptions): Promise<SignerServer> {
    const { place } = options
    let self: SignerServer | undefined
    const server =
      place.kind === 'socket'
        ? createServer((socket) => self?.admit(socket, undefined))
        : createTlsServer(
            { ...serverOptions(linkIdentity(place.seed)), handshakeTimeout: HANDSHAKE_TIMEOUT_MS },
            (socket) => self?.admitProven(socket, place.nodes),
          )
    if (place.kind === 'tls') server.on('connection', (socket) => self?.handshakes.add(socket))
    self = new SignerServer(options, server)
    if (place.kind === 'socket') await removeLeftSocket(place.path)
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error) => reject(listenError(error, placeText(place))))
      server.listen(place.kind === 'socket' ? { path: place.path } : { ...place.address }, resolve)
    })
    server.removeAllListeners('error')
    server.on('error', (error) => options.logger.warn({ reason: error.message }, 'the listener failed'))
    server.on('tlsClientError', (error: Error) => options.logger.debug({ reason: error.message }, 'TLS failed'))
    if (place.kind === 'socket') await chmod(place.path, 0o600)
    return self
  }

  /** Listen address, with the assigned port. */
  get address(): string {
    const bound = this.server.address()
    return bound === null || typeof bound === 'string'
      ? String(bound)
      : formatAddress({ host: bound.address, port: bound.port })
  }

  /** End every connection, and accept no more. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()))
    for (const socket of this.sockets) socket.destroy()
    await closed
  }

  private admitProven(socket: TLSSocket, nodes: readonly NetworkKey[]): void {
    this.handshakes.done(socket)
    const seen = authenticate(socket)
    if (seen.ok && nodes.includes(seen.key)) return this.admit(socket, seen.key)
    const why = seen.ok ? `${nodeText(seen.key)} is not listed in \`nodes\`` : seen.why
    this.options.logger.warn({ remote: socket.remoteAddress, why }, 'connection refused')
    socket.on('error', () => {})
    socket.destroy()
  }

  private admit(socket: Socket, proven: NetworkKey | undefined): void {
    if (this.sockets.size >= CONNECTIONS_MAX) {
      this.options.logger.warn({ connections: CONNECTIONS_MAX }, 'connection refused: too many connections')
      socket.on('error', () => {})
      socket.destroy()
      return
    }
    this.sockets.add(socket)
    const connection = new Connection(this.options, socket, proven)
    socket.once('close', () => {
      this.sockets.delete(socket)
      connection.closed()
    })
  }
}

/**
 * Remove the socket of a signer that has ended, as the lock of its record proves. Any other file is kept, and listening
 * fails.
 */
async function removeLeftSocket(path: string): Promise<void> {
  const left = await lstat(path).catch(() => undefined)
  if (left?.isSocket() === true) await unlink(path)
}

/** Connection of one node. */
class Connection {
  private readonly reader = new FrameReader(nodeMessage)
  private node: NetworkKey | undefined
  private waiting = 0
  /** Pending response; messages are answered in order. */
  private turn: Promise<unknown> = Promise.resolve()
  private readonly patience: NodeJS.Timeout

  constructor(
    private readonly options: SignerServerOptions,
    private readonly socket: Socket,
    private readonly proven: NetworkKey | undefined,
  ) {
    this.patience = setTimeout(() => this.end('sends nothing'), HELLO_TIMEOUT_MS)
    socket.setNoDelay(true)
    socket.setTimeout(IDLE_TIMEOUT_MS, () => this.end('is silent'))
    socket.on('error', () => {})
    socket.on('data', (chunk: Buffer) => this.read(chunk))
  }

  closed(): void {
    clearTimeout(this.patience)
    if (this.node !== undefined) this.options.logger.info({ node: nodeText(this.node) }, 'node detached')
  }

  private end(why: string): void {
    this.options.logger.warn({ why: `the other side ${why}` }, 'connection closed')
    this.socket.destroy()
  }

  private read(chunk: Buffer): void {
    const messages = this.reader.read(chunk)
    if (messages === undefined) return this.end('does not use this protocol')
    for (const message of messages) {
      this.waiting += 1
      if (this.waiting > WAITING_MAX) return this.end('sends more requests than it waits for')
      this.turn = this.turn.then(
        () => this.answer(message).finally(() => (this.waiting -= 1)),
        // The failure was reported where it occurred.
        () => undefined,
      )
      this.turn.catch((error: unknown) => this.options.onFatal(error))
    }
  }

  private send(message: SignerMessage): void {
    if (!this.socket.destroyed) this.socket.write(frameOf(signerMessage, message))
  }

  private async answer(message: NodeMessage): Promise<void> {
    const { signer } = this.options
    if (message.kind === 'hello') return this.sendWelcome(message.value)
    const { node } = this
    if (node === undefined) return this.end('did not introduce itself')
    if (message.kind === 'lease') return this.giveLease(node, message.value.fence)
    const { id, fence, key } = message.value
    const outcome: SignOutcome = !this.options.lease.isHeldBy(node, fence)
      ? { ok: false, code: 'lease_lost', recorded: [] }
      : message.kind === 'sign'
        ? await signer.sign(key, message.value.request)
        : await signer.reveal(key, message.value.epoch)
    if (outcome.ok) {
      return this.send({ kind: 'signed', value: { id, signatures: outcome.signatures.map((one) => Buffer.from(one)) } })
    }
    const { code, recorded } = outcome
    this.options.logger.warn({ node: nodeText(node), code }, 'signing is refused')
    this.send({ kind: 'refused', value: { id, code, recorded } })
  }

  private sendWelcome({ version, node }: { readonly version: number; readonly node: NetworkKey }): void {
    const { chainHash, signer, leaseMs, logger } = this.options
    if (version !== SIGNER_WIRE_VERSION || this.node !== undefined) return this.end('uses another protocol version')
    if (this.proven !== undefined && this.proven !== node) return this.end('names another key than its own')
    clearTimeout(this.patience)
    this.node = node
    logger.info({ node: nodeText(node) }, 'node attached')
    this.send({
      kind: 'welcome',
      value: { version: SIGNER_WIRE_VERSION, chainHash: Buffer.from(chainHash), keys: signer.keys, leaseMs },
    })
  }

  private async giveLease(node: NetworkKey, fence: number | undefined): Promise<void> {
    const { lease, leaseLog, logger } = this.options
    const answer = lease.take(node, fence, performance.now())
    if (answer.kind === 'held') return this.send({ kind: 'held', value: { forMs: answer.forMs } })
    if (answer.kind === 'granted') {
      await leaseLog.append({ fence: answer.fence, node })
      logger.info({ node: nodeText(node), fence: answer.fence }, 'this node acts for the validator')
    }
    this.send({ kind: 'leased', value: { fence: answer.fence } })
  }
}
