/** Owns the bounds of shares of a key; commands show them before anything of keys is loaded. */

/** Most shares of a key: each is a point of a polynomial over 255 places. */
export const SHARES_MAX = 255
