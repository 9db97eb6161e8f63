/**
 * Owns an independent check of lanes: order and totals of every committed block, computed from blocks without the code
 * of the ledger.
 */
import { sameBytes } from '../base/bytes.js'
import { hash, merkleRoot } from '../crypto/index.js'
import { laneCommitment } from '../lanes/index.js'
import type { BlockHeader } from '../model/index.js'
import type { LaneEntry } from './lanes.js'

/** Checker of the committed blocks of one network. */
export class LaneChecker {
  private readonly served = new Map<number, { readonly height: number; readonly place: number }>()
  private height = 1
  /** Number of blocks with transactions of more than one lane. */
  mixed = 0

  /** Fault of the lanes of a committed block, or undefined; each height is checked once. */
  faultOf({ height, laneCommitmentRoot }: BlockHeader, entries: readonly LaneEntry[]): string | undefined {
    if (height <= this.height) return undefined
    this.height = height
    const order = entries.map((one) => one.lane)
    const wanted = this.turnsOf(order)
    if (order.join() !== wanted.join()) return `height ${height}: lanes ${order.join()} for turns ${wanted.join()}`
    if (!sameBytes(laneCommitmentRoot, rootOf(height, entries))) return `height ${height}: wrong lane totals`
    for (const [place, lane] of order.entries()) this.served.set(lane, { height, place })
    if (new Set(order).size > 1) this.mixed += 1
    return undefined
  }

  /** Reorder the same lanes to one transaction per turn, the least recently served lane first. */
  private turnsOf(order: readonly number[]): number[] {
    const never = { height: 0, place: 0 }
    const turns = [...new Set(order)].sort((a, b) => {
      const [left, right] = [this.served.get(a) ?? never, this.served.get(b) ?? never]
      return left.height - right.height || left.place - right.place || a - b
    })
    const left = new Map(turns.map((lane) => [lane, order.filter((one) => one === lane).length]))
    const wanted: number[] = []
    while (wanted.length < order.length) {
      for (const lane of turns) {
        const rest = left.get(lane) ?? 0
        if (rest === 0) continue
        wanted.push(lane)
        left.set(lane, rest - 1)
      }
    }
    return wanted
  }
}

/** The root over the totals of the lanes, computed independently. */
function rootOf(height: number, entries: readonly LaneEntry[]): Buffer {
  const lanes = [...new Set(entries.map((one) => one.lane))].sort((a, b) => a - b)
  const leaves = lanes.map((lane) => {
    const own = entries.filter((one) => one.lane === lane)
    const records = own.map(({ transaction }) => {
      const bytes = Buffer.alloc(4)
      bytes.writeUInt32BE(transaction)
      return bytes
    })
    const totals = {
      height,
      lane,
      dataspace: 0n,
      txCount: own.length,
      bytes: 4 * own.length,
      chunks: 1,
      teu: own.reduce((sum, { transaction }) => sum + 10 + ((transaction * 37) % 61), 0),
      txRoot: merkleRoot(records.map((bytes) => hash('sim-record', bytes))),
      chunkRoot: merkleRoot([hash('lane-chunk', Buffer.concat(records))]),
      settlementHash: Buffer.alloc(32),
    }
    return hash('lane-leaf', laneCommitment.encode(totals))
  })
  const count = Buffer.alloc(4)
  count.writeUInt32BE(leaves.length)
  return hash('lane-root', count, merkleRoot(leaves))
}
