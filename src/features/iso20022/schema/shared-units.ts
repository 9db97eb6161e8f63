/** Owns the units of payments that share a transaction: guaranteed units of each, and the number that fits. */

/** Units of a message and of a payment besides their record, rows and events. */
export const MESSAGE_TEU = 32
export const PART_TEU = 128
/** Maximum units of a payment with its triggers; beyond it only this payment fails. */
export const PART_MAX_UNITS = 2_000
/**
 * Guaranteed units of each payment, independent of earlier ones: the maximum of one without triggers, and the outcome
 * of a failed one.
 */
export const PART_KEPT_UNITS = 240
export const OUTCOME_KEPT_UNITS = 80
/** Units of a pin with an alias: its assertion, and at most four rows of names with all their records. */
export const ALIAS_TEU = 40
export const ALIAS_KEPT_UNITS = 160
/** Units of updating a head: its row is written a second time. */
export const HEAD_KEPT_UNITS = 8

/** Units of a shared transaction besides its payments: its signature, and the rows of its submitters and its authority. */
const COMMON_UNITS = 1_000
/** Bytes of a record per unit. */
const BYTES_PER_UNIT = 16

/** Units of a transaction in which each of its payments has its guaranteed units: an upper bound. */
export const unitsOfShared = (of: {
  readonly messages: number
  readonly parts: number
  readonly aliases: number
  readonly bytes: number
}): number =>
  COMMON_UNITS +
  of.messages * (MESSAGE_TEU + HEAD_KEPT_UNITS) +
  of.parts * (PART_TEU + PART_KEPT_UNITS + OUTCOME_KEPT_UNITS) +
  of.aliases * (ALIAS_TEU + ALIAS_KEPT_UNITS) +
  Math.ceil(of.bytes / BYTES_PER_UNIT)
