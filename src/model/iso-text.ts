/**
 * Owns the common character set of ISO 20022 payments (SWIFT X), which every bank and payment rail forwards unchanged.
 */

const COMMON = /^[A-Za-z0-9/\-?:().,'+ ]*$/

/** Longest reference of a payment, in characters (ISO 20022 Max35Text). */
export const ISO_REFERENCE_MAX_CHARS = 35

/** True if a text contains only characters of the common set. */
export const isIsoText = (text: string): boolean => COMMON.test(text)

/** True for a valid reference of a payment message: 1 to 35 characters of the common set. */
export const isIsoReference = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= ISO_REFERENCE_MAX_CHARS && isIsoText(value)
