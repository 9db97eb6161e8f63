/** Owns the cost of content in execution units: what an instruction writes into records or events beside its figures. */
import type { CostItem } from '../executor/costs.js'

/** Bytes that a unit pays for (docs/design/lanes.md 1, row 19). */
const BYTES_PER_TEU = 16

/**
 * A unit for every 16 bytes of content that a stored list brings along: in a record its bytes cost as much. A rest below
 * them is free, so that a short text costs what the table says.
 */
export const perContent = <T>(what: string, bytesOf: (value: T) => number): CostItem<T> => ({
  teu: 1,
  item: `full ${BYTES_PER_TEU} bytes of ${what}`,
  count: (value) => Math.floor(bytesOf(value) / BYTES_PER_TEU),
  storedOnly: true,
})
