/** Owns the names of circuits, for those who count proofs and verify none. */
export const CONFERENCE = 'conference'
