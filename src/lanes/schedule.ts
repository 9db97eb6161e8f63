/** Owns lane scheduling in a block: service order, capacity per lane, and the check of a payload against both (docs/design/lanes.md 6). */
import type { StateReader, StateWriter } from '../state/index.js'
import type { Lane, LaneService } from './catalogue.js'
import { laneServices, lanesAt } from './tables.js'

/** Lane as seen by block building. */
export interface LaneSlot {
  readonly lane: number
  /** Static execution units per block; 0 for no separate limit. */
  readonly teuCapacity: number
}

/** Key of the only row of a table. */
const SINGLETON_KEY = ''
const NEVER: LaneService = { height: 0, place: 0 }

/** Lanes in the order of their turns: least recently served first, then by id. */
export function serviceOrder<T extends { readonly id: number }>(
  lanes: readonly T[],
  services: ReadonlyMap<number, LaneService>,
): T[] {
  const serviceOf = ({ id }: T): LaneService => services.get(id) ?? NEVER
  return [...lanes].sort((a, b) => {
    const [left, right] = [serviceOf(a), serviceOf(b)]
    return left.height - right.height || left.place - right.place || a.id - b.id
  })
}

/** Active lanes of a height in the order of their turns, as the parent state fixes it. */
export const lanesInServiceOrder = (state: StateReader, height: number): Lane[] =>
  serviceOrder(
    lanesAt(state, height).filter((lane) => lane.state === 'active'),
    state.get(laneServices, SINGLETON_KEY) ?? new Map(),
  )

/** Record the last service of each lane in this block. */
export function recordService(state: StateWriter, height: number, lanes: readonly number[]): void {
  if (lanes.length === 0) return
  const services = new Map(state.get(laneServices, SINGLETON_KEY) ?? [])
  for (const [place, lane] of lanes.entries()) services.set(lane, { height, place })
  state.set(laneServices, SINGLETON_KEY, services)
}

/** True if a lane that used `used` units with `count` transactions can include another transaction of `teu` units. */
export const fitsLane = (slot: LaneSlot, count: number, used: number, teu: number): boolean =>
  count === 0 || slot.teuCapacity === 0 || used + teu <= slot.teuCapacity

/**
 * Fault of a payload that is not the round-robin of its lane sequences, or undefined. A block includes one transaction
 * of each lane in turn; only the first transaction of a lane may exceed its capacity.
 */
export function orderFault(
  slots: readonly LaneSlot[],
  entries: readonly { readonly lane: number; readonly teu: number }[],
): string | undefined {
  const left = new Map<number, number>()
  for (const { lane } of entries) left.set(lane, (left.get(lane) ?? 0) + 1)
  const used = new Map(slots.map((slot) => [slot.lane, { count: 0, teu: 0 }]))
  let at = 0
  while (at < entries.length) {
    const before = at
    for (const slot of slots) {
      const rest = left.get(slot.lane) ?? 0
      if (rest === 0) continue
      const entry = entries[at]
      if (entry?.lane !== slot.lane)
        return `transaction ${at} belongs to lane ${entry?.lane}, but the block serves lane ${slot.lane} there`
      const taken = used.get(slot.lane) as { count: number; teu: number }
      if (!fitsLane(slot, taken.count, taken.teu, entry.teu)) {
        return `lane ${slot.lane} exceeds its ${slot.teuCapacity} execution units`
      }
      taken.count += 1
      taken.teu += entry.teu
      left.set(slot.lane, rest - 1)
      at += 1
    }
    if (at === before) return `transaction ${at} belongs to lane ${entries[at]?.lane}, which is not active`
  }
  return undefined
}
