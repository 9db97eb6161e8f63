/**
 * Owns the modelled network: an uplink and a downlink per node, a limit per link, and latency with jitter. No messages
 * are lost.
 */
import type { VirtualClock } from '../clock.js'
import type { Random } from '../prng.js'
import { Server } from './server.js'

/** Channels in order of priority, as in links (src/network/wire.ts). */
export const CHANNELS = ['consensus', 'payload', 'gossip'] as const
export type Channel = (typeof CHANNELS)[number]

/** Maximum bytes of a message part; longer messages are sent in parts (src/network/limits.ts). */
export const PART_MAX_BYTES = 256 * 1024
/** Bytes before the body of a frame (src/network/wire.ts). */
export const FRAME_HEAD_BYTES = 6
/**
 * Bytes of a TLS 1.3 record besides its content (head 5, type 1, tag 16), of the TCP and IP heads of a packet with
 * options, and of the payload of a packet.
 */
const TLS_RECORD_BYTES = 22
const PACKET_HEAD_BYTES = 52
const PACKET_BYTES = 1_448

/** Bytes of a message part on the wire. */
export function wireBytes(bodyBytes: number): number {
  const stream = bodyBytes + FRAME_HEAD_BYTES + TLS_RECORD_BYTES
  return stream + Math.ceil(stream / PACKET_BYTES) * PACKET_HEAD_BYTES
}

/** Bandwidths in Mbit per second. */
export interface Bandwidth {
  readonly uplinkMbit: number
  readonly downlinkMbit: number
  /** Bandwidth of one connection, as limited by its window and the shared path. */
  readonly linkMbit: number
}

/** Message in transit. */
export interface Packet<T> {
  readonly channel: Channel
  /** Bytes of its body. */
  readonly bytes: number
  readonly content: T
}

/** Messages of one node on a channel. */
export interface Sent {
  messages: number
  /** Bytes on the wire. */
  bytes: number
}

const sentNothing = (): Record<Channel, Sent> => ({
  consensus: { messages: 0, bytes: 0 },
  payload: { messages: 0, bytes: 0 },
  gossip: { messages: 0, bytes: 0 },
})

const msOf = (bytes: number, mbit: number): number => (bytes * 8) / (mbit * 1_000)

/** Uplink and downlink of one node. */
interface Port {
  readonly uplink: Server
  readonly sent: Record<Channel, Sent>
  downFreeAtMs: number
}

/** One direction between two nodes; bytes arrive in order. */
interface Wire {
  freeAtMs: number
  lastArrivalMs: number
}

export class Network<T> {
  private readonly ports: readonly Port[]
  private readonly wires: readonly Wire[]

  constructor(
    private readonly modules: {
      readonly nodes: number
      readonly clock: VirtualClock
      readonly bandwidth: Bandwidth
      readonly random: Random
      /** Latency of the first bit of a message, in ms, including jitter. */
      readonly oneWayMs: (from: number, to: number, random: Random) => number
      readonly deliver: (from: number, to: number, packet: Packet<T>) => void
    },
  ) {
    const { nodes, clock } = modules
    this.ports = Array.from({ length: nodes }, () => ({
      uplink: new Server(clock, CHANNELS.length),
      sent: sentNothing(),
      downFreeAtMs: 0,
    }))
    this.wires = Array.from({ length: nodes * nodes }, () => ({ freeAtMs: 0, lastArrivalMs: 0 }))
  }

  /** Messages passed to the uplink of a node so far. */
  sentBy(node: number): Readonly<Record<Channel, Readonly<Sent>>> {
    return (this.ports[node] as Port).sent
  }

  /** Time for which the uplink of a node was in use, in ms. */
  uplinkBusyMs(node: number): number {
    return (this.ports[node] as Port).uplink.busyMs
  }

  /** Queue a message at the uplink, after messages of its channel or of more urgent channels. */
  send(from: number, to: number, packet: Packet<T>): void {
    const port = this.ports[from] as Port
    const sent = port.sent[packet.channel]
    sent.messages += 1
    for (let left = packet.bytes; ; left -= PART_MAX_BYTES) {
      const bytes = wireBytes(Math.min(left, PART_MAX_BYTES))
      sent.bytes += bytes
      const isLast = left <= PART_MAX_BYTES
      this.sendPart(from, to, packet, bytes, isLast)
      if (isLast) return
    }
  }

  private sendPart(from: number, to: number, packet: Packet<T>, bytes: number, isLast: boolean): void {
    const { clock, bandwidth, random, oneWayMs } = this.modules
    const { uplink } = this.ports[from] as Port
    const wire = this.wires[from * this.ports.length + to] as Wire
    uplink.submit(
      {
        begin: () => {
          const uplinkMs = msOf(bytes, bandwidth.uplinkMbit)
          // Uplink and link carry the same bits at the same time: the slower one determines when the last has left.
          const linkFreeMs = Math.max(clock.nowMs, wire.freeAtMs) + msOf(bytes, bandwidth.linkMbit)
          wire.freeAtMs = Math.max(clock.nowMs + uplinkMs, linkFreeMs)
          wire.lastArrivalMs = Math.max(wire.lastArrivalMs, wire.freeAtMs + oneWayMs(from, to, random))
          clock.after(wire.lastArrivalMs - clock.nowMs, () => this.arrive(from, to, packet, bytes, isLast))
          return uplinkMs
        },
      },
      CHANNELS.indexOf(packet.channel),
    )
  }

  private arrive(from: number, to: number, packet: Packet<T>, bytes: number, isLast: boolean): void {
    const { clock, bandwidth, deliver } = this.modules
    const port = this.ports[to] as Port
    port.downFreeAtMs = Math.max(clock.nowMs, port.downFreeAtMs + msOf(bytes, bandwidth.downlinkMbit))
    if (!isLast) return
    const delayMs = port.downFreeAtMs - clock.nowMs
    if (delayMs === 0) deliver(from, to, packet)
    else clock.after(delayMs, () => deliver(from, to, packet))
  }
}
