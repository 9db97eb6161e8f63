/** Owns the connections in their handshake: bounded in total and per address, so that they cannot keep out a node. */
import type { Socket } from 'node:net'
import { HANDSHAKES_MAX, HANDSHAKES_PER_ADDRESS_MAX } from './limits.js'

const placeOf = ({ remoteAddress = '', remotePort = 0 }: Socket): string => `${remoteAddress} ${remotePort}`

/** Closes a random connection above the bound; a genuine handshake is likely to complete first. */
export class Handshakes {
  /** By address, then by address and port. */
  private readonly byAddress = new Map<string, Map<string, Socket>>()
  private size = 0

  constructor(private readonly random: () => number = Math.random) {}

  /** Add a connection at the start of its handshake. */
  add(socket: Socket): void {
    const { remoteAddress = '' } = socket
    if ((this.byAddress.get(remoteAddress)?.size ?? 0) >= HANDSHAKES_PER_ADDRESS_MAX) this.endOneOf(remoteAddress)
    else if (this.size >= HANDSHAKES_MAX) this.endOneOf(this.busiest())
    const own = this.byAddress.get(remoteAddress) ?? new Map<string, Socket>()
    const place = placeOf(socket)
    this.byAddress.set(remoteAddress, own.set(place, socket))
    this.size += 1
    socket.once('close', () => this.remove(remoteAddress, place))
  }

  /** Remove a connection after its handshake. */
  done(socket: Socket): void {
    this.remove(socket.remoteAddress ?? '', placeOf(socket))
  }

  private remove(address: string, place: string): void {
    const own = this.byAddress.get(address)
    if (own?.delete(place) !== true) return
    this.size -= 1
    if (own.size === 0) this.byAddress.delete(address)
  }

  private endOneOf(address: string): void {
    const places = [...(this.byAddress.get(address) ?? [])]
    const [place, socket] = places[Math.floor(this.random() * places.length)] ?? []
    if (place === undefined) return
    this.remove(address, place)
    socket?.destroy()
  }

  private busiest(): string {
    let [busiest, most] = ['', 0]
    for (const [address, { size }] of this.byAddress) if (size > most) [busiest, most] = [address, size]
    return busiest
  }
}
