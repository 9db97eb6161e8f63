/**
 * Owns the units of payments that share a transaction: the guaranteed units of each payment, and the number of payments
 * that fit.
 */

/** Units of a message and of a payment, in addition to their record, rows and events. */
export const MESSAGE_TEU = 32
export const PART_TEU = 128
/** Maximum units of a payment with its triggers; a payment that exceeds them fails alone. */
export const PART_MAX_UNITS = 2_000
/**
 * Guaranteed units of each payment, independent of earlier payments: the maximum of a payment without triggers, and the
 * outcome of a failed payment.
 */
export const PART_KEPT_UNITS = 240
export const OUTCOME_KEPT_UNITS = 80
/** Units of a pin with an alias: its assertion, and at most four rows of names with all their records. */
export const ALIAS_TEU = 40
export const ALIAS_KEPT_UNITS = 160
/** Units of updating a head, whose row is written a second time. */
export const HEAD_KEPT_UNITS = 8

/**
 * Units of a shared transaction in addition to its payments: its signature, and the rows of its submitters and its
 * authority.
 */
const COMMON_UNITS = 1_000
/** Bytes of a record per unit. */
const BYTES_PER_UNIT = 16

/** Upper bound of the units of a transaction in which each payment has its guaranteed units. */
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
