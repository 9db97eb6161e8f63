/** Owns the names of circuits, for code that counts proofs without verifying them. */
export const CONFERENCE = 'conference'
