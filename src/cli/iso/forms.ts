/** Owns the names of the forms of a payment message. */
export const FORM_NAMES = ['xml', 'flat', 'json', 'flat-xml'] as const
export type Form = (typeof FORM_NAMES)[number]
