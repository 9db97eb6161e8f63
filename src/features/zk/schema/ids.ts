/** Owns the ids of verifying keys: 800 to 809 of feature 6, 800 to 899. Append only. */
import { range } from '../../../model/index.js'

/** The table `verifying_keys` of src/ledger has the first of them. */
export const ZK_IDS = range(6)
const BASE = ZK_IDS.first
export const ZK_INSTRUCTIONS = { registerVerifyingKey: BASE, updateVerifyingKey: BASE + 1 } as const
export const ZK_EVENTS = { verifyingKeyRegistered: BASE, verifyingKeyUpdated: BASE + 1 } as const
export const ZK_QUERIES = { verifyingKey: BASE, verifyingKeys: BASE + 1 } as const
