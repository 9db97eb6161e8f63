/** Owns the bounds of key shares, for commands that must not load key code. */

/** Maximum shares of a key. Each share is a point of a polynomial over a field that has 255 possible values of x. */
export const SHARES_MAX = 255
