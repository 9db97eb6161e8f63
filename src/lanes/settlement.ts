/** Owns settlement receipts, and the commitment of a lane to its receipts in one block (docs/design/lanes.md 7). */
import {
  compareText,
  hash32,
  type Infer,
  list,
  type Numeric,
  numeric,
  option,
  struct,
  u32,
  unitEnum,
  varint,
  varintBig,
} from '../codec/index.js'
import { hash, merkleRoot } from '../crypto/index.js'
import {
  aboutObjects,
  add,
  assetDefinitionId,
  BLOCK_ENTRIES_MAX,
  type DataEvent,
  defineEvents,
  isEvent,
  ZERO_HASH,
} from '../model/index.js'

/** Maximum bits of an amount in a receipt; the sum over any block then fits the 512 bits of a decimal. */
export const RECEIPT_AMOUNT_BITS = 256
/** Maximum pairs of definitions in one commitment; each pair requires at least one transaction. */
const TOTALS_MAX = BLOCK_ENTRIES_MAX

/** Settled amounts: an amount in a local asset against the amount due in the unit of settlement. */
export interface SettlementFigures extends Infer<typeof settlementFigures> {}
const figuresFields = {
  localDefinition: assetDefinitionId,
  localAmount: numeric,
  unitDefinition: assetDefinitionId,
  unitDue: numeric,
  unitAfterHaircut: numeric,
  /** Amount of the haircut: amount due minus amount after the haircut. */
  unitVariance: numeric,
}
export const settlementFigures = struct('SettlementFigures', figuresFields)

/** Conversion terms of a settlement, as stated by its recorder. */
export interface SwapTerms extends Infer<typeof swapTerms> {}
export const swapTerms = struct('SwapTerms', {
  /** Tolerance in basis points. */
  epsilonBps: u32,
  twapWindowSeconds: u32,
  liquidityProfile: unitEnum('SwapLiquidity', { tier1: 0, tier2: 1, tier3: 2 }),
  twapLocalPerUnit: numeric,
  volatilityClass: unitEnum('SwapVolatility', { stable: 0, elevated: 1, dislocated: 2 }),
})

/** Settlement record of an instruction. */
export interface SettlementNote extends Infer<typeof settlementNote> {}
export const settlementNote = struct('SettlementNote', {
  /** Id of the transaction. */
  sourceId: hash32,
  figures: settlementFigures,
  swap: option(swapTerms),
  /** Header time in ms since the Unix epoch. */
  timestampMs: varint,
})

export const settlementEvents = defineEvents({
  /** Settlement receipt; blocks commit to the receipts of each lane. */
  settlementRecorded: {
    id: 404,
    record: settlementNote,
    subject: 'settlement',
    about: ({ figures }) => aboutObjects(...new Set([figures.localDefinition, figures.unitDefinition])),
  },
})

/** One settled leg. */
export interface SettlementReceipt extends Infer<typeof settlementReceipt> {}
export const settlementReceipt = struct('SettlementReceipt', {
  sourceId: hash32,
  /** Index among the receipts of the same transaction. */
  index: u32,
  ...figuresFields,
  timestampMs: varint,
})

/** Sums over the receipts of one pair of definitions. */
export type SettlementTotal = SettlementFigures
/** Settlements of a lane in one block. */
export interface LaneSettlementCommitment extends Infer<typeof laneSettlementCommitment> {}
export const laneSettlementCommitment = struct('LaneSettlementCommitment', {
  height: varint,
  lane: u32,
  dataspace: varintBig,
  receiptCount: u32,
  /** One per pair (local, unit), ascending. */
  totals: list(settlementFigures, TOTALS_MAX),
  /** Merkle root of the receipts, in block order. */
  receiptsRoot: hash32,
  /** Terms of the last receipt with terms. */
  swap: option(swapTerms),
})

/** Notes of one lane in one block, in block order, each with the index of its transaction. */
export interface LaneNotes {
  readonly lane: number
  readonly dataspace: bigint
  readonly notes: readonly { readonly entry: number; readonly note: SettlementNote }[]
}

/** Notes of a block by lane, ascending. Runs after the transactions have no lane and cannot settle. */
export function notesByLane(
  events: readonly { readonly entry: number; readonly event: DataEvent }[],
  entries: readonly { readonly lane: number; readonly dataspace: bigint }[],
): LaneNotes[] {
  const found = new Map<number, { dataspace: bigint; notes: { entry: number; note: SettlementNote }[] }>()
  for (const { entry, event } of events) {
    const at = entries[entry]
    if (at === undefined || !isEvent(event, settlementEvents.settlementRecorded)) continue
    const held = found.get(at.lane) ?? { dataspace: at.dataspace, notes: [] }
    held.notes.push({ entry, note: event.value })
    found.set(at.lane, held)
  }
  return [...found].map(([lane, held]) => ({ lane, ...held })).sort((a, b) => a.lane - b.lane)
}

/** Receipts of the notes of one lane: numbered within their transactions. */
export function receiptsOf({ notes }: LaneNotes): SettlementReceipt[] {
  let last = -1
  let index = 0
  return notes.map(({ entry, note }) => {
    index = entry === last ? index + 1 : 0
    last = entry
    const { sourceId, figures, timestampMs } = note
    return { sourceId, index, ...figures, timestampMs }
  })
}

function sum(a: Numeric, b: Numeric): Numeric {
  const total = add(a, b)
  if (total === undefined) throw new Error('the sum of the amounts of receipts exceeds its bound')
  return total
}

/** Commitment to the settlements of a lane in a block. */
export function settlementCommitment(height: number, lane: LaneNotes): LaneSettlementCommitment {
  const receipts = receiptsOf(lane)
  const totals = new Map<string, SettlementTotal>()
  for (const one of receipts) {
    const key = `${one.localDefinition} ${one.unitDefinition}`
    const before = totals.get(key)
    const { localDefinition, unitDefinition } = one
    totals.set(key, {
      localDefinition,
      localAmount: before === undefined ? one.localAmount : sum(before.localAmount, one.localAmount),
      unitDefinition,
      unitDue: before === undefined ? one.unitDue : sum(before.unitDue, one.unitDue),
      unitAfterHaircut:
        before === undefined ? one.unitAfterHaircut : sum(before.unitAfterHaircut, one.unitAfterHaircut),
      unitVariance: before === undefined ? one.unitVariance : sum(before.unitVariance, one.unitVariance),
    })
  }
  return {
    height,
    lane: lane.lane,
    dataspace: lane.dataspace,
    receiptCount: receipts.length,
    totals: [...totals].sort(([a], [b]) => compareText(a, b)).map(([, total]) => total),
    receiptsRoot: merkleRoot(receipts.map((one) => settlementReceipt.encode(one))),
    swap: lane.notes.findLast(({ note }) => note.swap !== undefined)?.note.swap,
  }
}

/** Hash of the settlement commitment of a lane, for its lane commitment. */
export const settlementHashOf = (commitment: LaneSettlementCommitment): Buffer =>
  hash('lane-settlement', laneSettlementCommitment.encode(commitment))

/** Hash of a lane without settlements. */
export const NO_SETTLEMENT: Uint8Array = ZERO_HASH

/** Fault of the figures, or undefined: amounts must be above zero and within their bits, and variance = due - after. */
export function figuresFault(figures: SettlementFigures): 'bad_amount' | 'bad_variance' | 'overflow' | undefined {
  const { localAmount, unitDue, unitAfterHaircut, unitVariance } = figures
  const amounts = [localAmount, unitDue, unitAfterHaircut, unitVariance]
  if (amounts.some((one) => one.mantissa >= 1n << BigInt(RECEIPT_AMOUNT_BITS))) return 'overflow'
  if (localAmount.mantissa <= 0n || unitDue.mantissa <= 0n || unitAfterHaircut.mantissa < 0n) return 'bad_amount'
  if (unitVariance.mantissa < 0n) return 'bad_variance'
  const back = add(unitAfterHaircut, unitVariance)
  return back !== undefined && back.mantissa === unitDue.mantissa && back.scale === unitDue.scale
    ? undefined
    : 'bad_variance'
}
