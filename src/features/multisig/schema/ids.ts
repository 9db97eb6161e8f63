/** Owns the ids of multisig accounts, of the range of the core. Append only. */
export const MULTISIG_INSTRUCTIONS = {
  registerMultisig: 34,
  propose: 35,
  approve: 36,
  cancel: 37,
} as const
export const MULTISIG_EVENTS = {
  multisigChanged: 37,
  proposalCreated: 38,
  proposalApproved: 39,
  proposalExecuted: 40,
  proposalFailed: 41,
  proposalCancelled: 42,
  proposalExpired: 43,
} as const
export const MULTISIG_QUERIES = {
  multisig: 13,
  proposal: 14,
} as const
