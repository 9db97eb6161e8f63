/** Owns the id ranges: core 1-199, feature k 200+100k .. 299+100k; ids are append-only (docs/design/structure.md 2). */

/** First id of feature `k`; feature 1 is iso20022. */
export const featureBase = (k: number): number => 200 + 100 * k
