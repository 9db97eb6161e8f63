/** Owns number literals of a JSON text that a JavaScript number cannot represent. */

/**
 * Numeric literal outside of the safe integers, kept as text: schemas that can read it exactly do, others reject it.
 */
export class RawNumber {
  constructor(readonly text: string) {}
}
