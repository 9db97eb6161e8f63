/** Owns the bounds of key shares, for commands that must not load key code. */

/** Most shares of a key: each is a point of a polynomial over 255 places. */
export const SHARES_MAX = 255
