/** Owns the ids of the bridge: feature 1, 300 to 399. Append only. */
import { range } from '../../../model/index.js'

const BASE = range(1).first
export const ISO_TABLES = {
  // BASE, BASE + 1 and BASE + 6 are bindings (src/ledger/iso-bindings.ts).
  submitters: BASE + 2,
  claims: BASE + 3,
  usage: BASE + 4,
  submitterTimes: BASE + 5,
  heads: BASE + 7,
  headRefusals: BASE + 8,
  payments: BASE + 9,
  uetrs: BASE + 10,
} as const
export const ISO_INDEXES = { messages: BASE } as const
