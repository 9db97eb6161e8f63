/** Owns validity of entries in a block at its time, equal for building and voting. */
import { blockLimits, loadFault } from '../../consensus/index.js'
import {
  type Abi,
  type ExecutableEntry,
  routeOfPayload,
  staticCost,
  type TransactionLimits,
  transactionFault,
} from '../../executor/index.js'
import { type LaneSlot, orderFault, type RouteState } from '../../lanes/index.js'
import { keyString } from '../../model/index.js'

/** Code of an entry whose lane is not its route; the builder routes it again. */
export const MISROUTED = 'misrouted'

/** Code of an entry before which the block must end; this entry and the following ones stay queued. */
export const BLOCK_ENDS = 'block_ends'

/** Entry that the block cannot contain. */
export interface InvalidEntry {
  readonly index: number
  readonly code: string
  readonly message: string
}

/** Inputs of validity besides the entries. */
export interface ValidityContext {
  readonly abi: Abi
  readonly chain: string
  readonly limits: TransactionLimits
  readonly timeMs: number
  /** True if a block within the replay window has this transaction. */
  readonly isCommitted: (id: Uint8Array) => boolean
  /** Lanes of the height, from the state after its parent; undefined while lanes are off. */
  readonly lanes: { readonly route: RouteState; readonly slots: readonly LaneSlot[] } | undefined
}

/** Properties of a block that are subject to its limits. */
export interface LimitedBlock {
  readonly entries: readonly ExecutableEntry[]
  readonly evidence: number
  /** Size of the body, in bytes. */
  readonly bytes: number
}

/** Invalid entries of the block: unacceptable at its time, committed before, repeated, or routed elsewhere. */
export function invalidEntries(ctx: ValidityContext, entries: readonly ExecutableEntry[]): InvalidEntry[] {
  const invalid: InvalidEntry[] = []
  const seen = new Set<string>()
  for (const [index, entry] of entries.entries()) {
    const fault = entryFault(ctx, entry, seen)
    if (fault !== undefined) invalid.push({ index, ...fault })
  }
  return invalid
}

function entryFault(ctx: ValidityContext, entry: ExecutableEntry, seen: Set<string>) {
  const fault = transactionFault(ctx, entry.signedBytes.length, entry.signed)
  if (fault !== undefined) return fault
  const id = keyString(entry.id)
  if (seen.has(id) || ctx.isCommitted(entry.id)) {
    return { code: 'already_committed', message: 'the transaction is already in a block' }
  }
  seen.add(id)
  const route = routeOfPayload(ctx.abi, entry.signed.payload.value, ctx.lanes?.route)
  if (route.kind === 'refused') return { code: MISROUTED, message: route.value.fault }
  const { lane, dataspace } = route.value
  if (lane !== entry.lane || dataspace !== entry.dataspace) {
    return { code: MISROUTED, message: `routed to lane ${lane}, but the block has it in lane ${entry.lane}` }
  }
  return undefined
}

/** Entry before which a faulty block must end; with fewer entries it is valid. */
export function endOf(ctx: ValidityContext, originView: number, block: LimitedBlock, fault: string): InvalidEntry {
  let good = 0
  let bad = block.entries.length
  while (bad - good > 1) {
    const middle = (good + bad) >>> 1
    const left = block.entries.slice(middle).reduce((sum, { signedBytes }) => sum + signedBytes.length, 0)
    const start = { ...block, entries: block.entries.slice(0, middle), bytes: block.bytes - left }
    if (blockFault(ctx, originView, start) === undefined) good = middle
    else bad = middle
  }
  return { index: good, code: BLOCK_ENDS, message: fault }
}

/**
 * Fault of a whole block in its view, or undefined: its total size and, while lanes are on, the order and capacity of
 * lanes.
 */
export function blockFault(ctx: ValidityContext, originView: number, block: LimitedBlock): string | undefined {
  const { abi, limits, lanes } = ctx
  const costs = block.entries.map(({ lane, signed, signedBytes }) => ({
    lane,
    ...staticCost(abi, signed, signedBytes.length),
  }))
  const load = {
    transactions: costs.length,
    teu: costs.reduce((sum, one) => sum + one.teu, 0),
    work: costs.reduce((sum, one) => sum + one.work, 0),
    proofWork: costs.reduce((sum, one) => sum + one.proofWork, 0),
    bytes: block.bytes,
    evidence: block.evidence,
  }
  return loadFault(blockLimits(limits, originView), load) ?? (lanes && orderFault(lanes.slots, costs))
}
