/** Owns the bounds of key shares, for commands that must not load key code. */

/** Maximum shares of a key: each is a point of a polynomial over 255 values. */
export const SHARES_MAX = 255
