/**
 * Owns the cost table of execution. The ABI hash covers it, so that nodes with different tables refuse each other
 * (docs/design/lanes.md 6).
 */

import { FIELD_WEIGHT, LIST_WEIGHT, OBJECT_WEIGHT } from '../codec/index.js'
import type { Dated } from '../model/index.js'
import { READ_BYTES_PER_UNIT, ROW_CHANGE_UNITS, ROW_TOUCH_UNITS, WRITE_BYTES_PER_UNIT } from '../state/index.js'

/** Units per signature, beside the instructions. */
export const TEU_PER_SIGNATURE = 60

/** Bytes of signed records and of events per unit. */
export const RECORD_BYTES_PER_UNIT = 16
export const EVENT_BYTES_PER_UNIT = 32
/** Weight of JSON (src/codec/json-canonical.ts) per unit. */
export const JSON_WEIGHT_PER_UNIT = 2
/** Units of the overhead of one run of a trigger: updates of its calendar, row and failure count. */
export const RUN_TEU = 300
/** Units of finding and starting a trigger for an event, beside its rows. */
export const MATCH_TEU = 40

/** Time of a pairing with the library available on every platform, and of decompressing a new key, in ms. */
export const PAIRING_MS = 30
export const COMMITTEE_KEY_MS = 1

/** Units of JSON, beside its bytes. */
export const jsonUnits = (weight: number): number => Math.ceil(weight / JSON_WEIGHT_PER_UNIT)

/** Metered costs besides the table, as hashed lines. */
export const systemCostLines = (): string[] => [
  `signature ${TEU_PER_SIGNATURE}`,
  `record ${RECORD_BYTES_PER_UNIT}`,
  `row ${ROW_TOUCH_UNITS} change ${ROW_CHANGE_UNITS} ${READ_BYTES_PER_UNIT} ${WRITE_BYTES_PER_UNIT} again ${READ_BYTES_PER_UNIT}`,
  `json ${JSON_WEIGHT_PER_UNIT} list ${LIST_WEIGHT} field ${FIELD_WEIGHT} object ${OBJECT_WEIGHT}`,
  `event ${EVENT_BYTES_PER_UNIT}`,
  `run ${RUN_TEU}`,
  `match ${MATCH_TEU}`,
]

/** Units for each item of an instruction. */
export interface CostItem<T> extends Dated {
  readonly teu: number
  /** Name of the counted item; it is hashed in place of `count` and must change with it. */
  readonly item: string
  count(value: T): number
  /** True for content of a transaction record, whose bytes already pay for it; charged in stored lists only. */
  readonly storedOnly?: true
}

/** Position of an instruction: in the record of its transaction, or in the list of a trigger or a proposal. */
export type Standing = 'record' | 'stored'

/** Work of an instruction that is not proportional to its units, in ms: pairings (docs/design/hardening.md 4). */
export interface Work<T> {
  readonly ms: number
  /** Text hashed in place of `count`, as for a cost. */
  readonly per?: { readonly ms: number; readonly item: string; count(value: T): number }
  /** Work that the instruction counts itself, in units of 10 ns: gas. */
  readonly units?: { readonly item: string; count(value: T): number }
}

/** Proofs of an instruction, in units of proof work. Instructions with proofs are never stored in lists. */
export interface ProofWork<T> {
  /** Text hashed in place of `count`, as for a cost. */
  readonly item: string
  count(value: T): number
}

/** Static cost of an instruction in transaction execution units. */
export interface Cost<T> {
  readonly base: number
  readonly per?: readonly CostItem<T>[]
}

/** Static cost of one instruction. */
export function teuOf<T>({ base, per = [] }: Cost<T>, value: T, standing: Standing): number {
  let teu = base
  for (const item of per) {
    if (item.storedOnly !== true || standing === 'stored') teu += item.teu * item.count(value)
  }
  return teu
}

/** Declared work of one instruction, in ms. */
export const workMsOf = <T>({ ms, per }: Work<T>, value: T): number =>
  per === undefined ? ms : ms + per.ms * per.count(value)

/** Text of a cost, as hashed and shown: `180`, `64 + 1 per full 16 bytes of value`. */
export const costText = <T>({ base, per = [] }: Cost<T>): string =>
  [
    base === 0 ? [] : String(base),
    per.map(({ teu, item, storedOnly }) => `${teu} per ${item}${storedOnly === true ? ' in a stored list' : ''}`),
  ]
    .flat()
    .join(' + ') || '0'

/** Text of declared work, as hashed. */
export const workText = <T>({ ms, per, units }: Work<T>): string =>
  `${ms} ms` +
  (per === undefined ? '' : ` + ${per.ms} ms per ${per.item}`) +
  (units === undefined ? '' : ` + 10 ns per ${units.item}`)

/** Bytes per unit (docs/design/lanes.md 1, row 19). */
const BYTES_PER_TEU = 16

/**
 * One unit for every 16 bytes of content in a stored list; in a record its bytes are charged the same. The remainder is
 * free, so that a short text costs only the base.
 */
export const perContent = <T>(what: string, bytesOf: (value: T) => number): CostItem<T> => ({
  teu: 1,
  item: `full ${BYTES_PER_TEU} bytes of ${what}`,
  count: (value) => Math.floor(bytesOf(value) / BYTES_PER_TEU),
  storedOnly: true,
})
