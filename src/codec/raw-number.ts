/** Owns the number literals of a JSON text that a JavaScript number does not hold. */

/** A literal that is no safe integer, kept as it was written: the schemas that can read it exactly do, the others refuse it. */
export class RawNumber {
  constructor(readonly text: string) {}
}
