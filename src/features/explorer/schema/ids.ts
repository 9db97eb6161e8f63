/** Owns the ids of the explorer, of the range of the core. Append only. */
export const EXPLORER_INSTRUCTIONS = {
  log: 51,
} as const
export const EXPLORER_EVENTS = {
  logged: 47,
} as const
export const EXPLORER_QUERIES = {
  transaction: 4,
  accountStatement: 5,
  transactions: 50,
  instructions: 51,
  transactionDetail: 52,
  instruction: 53,
  blocks: 54,
  block: 55,
  headers: 70,
  finality: 71,
  stateProof: 72,
  transactionProof: 73,
  totals: 74,
  recovery: 75,
  payments: 76,
  series: 77,
} as const
