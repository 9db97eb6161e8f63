/** Owns the listening socket of the links, and its connections until they are closed. */
import type { Socket } from 'node:net'
import { createServer, type Server, type TLSSocket } from 'node:tls'
import { LedgerError } from '../model/index.js'
import { formatAddress, listenError, parseAddress } from './address.js'
import type { LinkIdentity } from './certificate.js'
import type { LinkLogger } from './logger.js'
import { serverOptions } from './tls.js'

/** Listen address, and the log of failed connections. */
export interface ListenerOptions {
  /** `host:port`; port 0 selects a free port. */
  readonly listen: string
  readonly logger: LinkLogger
}

export class Listener {
  private readonly sockets = new Set<Socket>()

  private constructor(
    private readonly server: Server,
    private readonly listen: string,
  ) {
    server.on('connection', (socket: Socket) => {
      this.sockets.add(socket)
      socket.once('close', () => this.sockets.delete(socket))
    })
  }

  /**
   * Start listening; `onSocket` receives every connection after its TLS handshake, with its remote address.
   *
   * @throws LedgerError `address_in_use`; `config_invalid` if the listen address is not a `host:port`
   */
  static async open(
    { listen, logger }: ListenerOptions,
    identity: LinkIdentity,
    onSocket: (socket: TLSSocket, remote: string) => void,
  ): Promise<Listener> {
    const place = parseAddress(listen)
    if (place === undefined) throw new LedgerError('config_invalid', `${JSON.stringify(listen)} is not host:port`)
    const server = createServer(serverOptions(identity), (socket) => onSocket(socket, remoteOf(socket)))
    const listener = new Listener(server, listen)
    server.on('tlsClientError', (error, socket) => {
      logger.debug({ remote: remoteOf(socket), reason: error.message }, 'TLS handshake of an incoming link failed')
      socket.destroy()
    })
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error) => reject(listenError(error, listen)))
      server.listen(place, resolve)
    })
    server.removeAllListeners('error')
    server.on('error', (error) => logger.warn({ reason: error.message }, 'peer listener failed'))
    return listener
  }

  /** Listen address with the assigned port. */
  get address(): string {
    const bound = this.server.address()
    if (bound === null || typeof bound === 'string') return this.listen
    return formatAddress({ host: bound.address, port: bound.port })
  }

  /** Maximum number of connections; further ones are refused. */
  set connectionsMax(count: number) {
    this.server.maxConnections = count
  }

  /** Stop accepting connections; resolves when the last one has ended. */
  close(): Promise<void> {
    return new Promise((resolve) => this.server.close(() => resolve()))
  }

  /** End every connection. */
  destroy(): void {
    for (const socket of this.sockets) socket.destroy()
  }
}

const remoteOf = (socket: Socket): string =>
  formatAddress({ host: socket.remoteAddress ?? 'unknown', port: socket.remotePort ?? 0 })
