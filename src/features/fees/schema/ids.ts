/** Owns the ids of fees, of the range of the core. Append only. */
export const FEE_INSTRUCTIONS = {
  sponsorFees: 46,
} as const
export const FEE_EVENTS = {
  feePaid: 44,
  sponsorshipChanged: 45,
} as const
export const FEE_TABLES = { sponsorships: 40 } as const
