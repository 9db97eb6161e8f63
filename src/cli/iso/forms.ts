/** Owns the names of the forms that a payment message is written in. */
export const FORM_NAMES = ['xml', 'flat', 'json', 'flat-xml'] as const
export type Form = (typeof FORM_NAMES)[number]
