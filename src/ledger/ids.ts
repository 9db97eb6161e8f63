/**
 * Owns the ids of the kernel's tables, in the range of the core; 1-20, 28, 33-36, 45-47, 49-53 and 55-59 belong to
 * src/executor and src/lanes. Append only.
 */
export const KERNEL_TABLES = {
  domains: 21,
  definitions: 22,
  balances: 23,
  aliases: 24,
  tokens: 25,
  holders: 26,
  controls: 27,
  domainMembers: 29,
  nfts: 30,
  roles: 31,
  accountRoles: 32,
  multisigs: 37,
  proposals: 38,
  proposalLists: 39,
  admissions: 41,
  admissionCount: 42,
  feePools: 43,
  proposalPages: 48,
  escrows: 54,
} as const
