/** Owns the ids of contracts: feature 5, 700 to 799. Append only. */
import { range } from '../../../model/index.js'

export const CONTRACT_IDS = range(5)
const BASE = CONTRACT_IDS.first

export const CONTRACT_TABLES = {
  artifact: BASE,
  code: BASE + 1,
  manifest: BASE + 2,
  instance: BASE + 3,
  line: BASE + 4,
  state: BASE + 5,
  nonce: BASE + 6,
} as const
