/** Owns the ids of accounts, of the range of the core. Append only. */
export const ACCOUNT_INSTRUCTIONS = {
  registerAccount: 7,
  unregisterAccount: 8,
  setLabel: 9,
  setAdmission: 47,
} as const
export const ACCOUNT_EVENTS = {
  accountCreated: 3,
  accountDeleted: 18,
  labelChanged: 19,
  admissionChanged: 46,
} as const
export const ACCOUNT_QUERIES = {
  account: 3,
  admission: 18,
  accounts: 62,
} as const
