/**
 * Owns the outgoing messages of a modelled node; messages pending for a peer when the main thread serves it are sent in
 * one write.
 */
import type { VirtualClock } from '../clock.js'
import type { Costs } from './costs.js'
import type { Packet } from './network.js'
import type { Server } from './server.js'
import { msOf } from './work.js'

/** Time for which a non-urgent message waits for another one to share its write, in ms (src/network/limits.ts). */
export const SHARED_WRITE_MS = 10

/** Messages to one peer. */
interface Link<T> {
  waiting: Packet<T>[]
  /** True if a write is queued at the main thread. */
  scheduled: boolean
}

export class Outbox<T> {
  private readonly links: readonly Link<T>[]

  constructor(
    private readonly modules: {
      readonly nodes: number
      readonly clock: VirtualClock
      readonly main: Server
      readonly costs: Costs
      readonly send: (to: number, packet: Packet<T>) => void
    },
  ) {
    this.links = Array.from({ length: modules.nodes }, () => ({ waiting: [], scheduled: false }))
  }

  push(to: number, packet: Packet<T>, urgent = true): void {
    const link = this.links[to] as Link<T>
    link.waiting.push(packet)
    if (urgent) this.schedule(to, link)
    else this.modules.clock.after(SHARED_WRITE_MS, () => this.schedule(to, link))
  }

  private schedule(to: number, link: Link<T>): void {
    if (link.scheduled || link.waiting.length === 0) return
    link.scheduled = true
    const { main, costs, send } = this.modules
    let leaving: Packet<T>[] = []
    main.submit({
      begin: () => {
        leaving = link.waiting
        link.waiting = []
        link.scheduled = false
        const bytes = leaving.reduce((sum, one) => sum + one.bytes, 0)
        return msOf(costs.writeNs, bytes, costs.writeKibNs)
      },
      end: () => {
        for (const packet of leaving) send(to, packet)
      },
    })
  }
}
