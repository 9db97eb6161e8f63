/** Owns the number literals of a JSON text that a JavaScript number does not hold. */

/**
 * Numeric literal outside of the safe integers, kept as text: schemas that can read it exactly do, others refuse it.
 */
export class RawNumber {
  constructor(readonly text: string) {}
}
