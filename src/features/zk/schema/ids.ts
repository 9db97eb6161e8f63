/** Owns the range of verifying keys: 800 to 809 of feature 6, 800 to 899. */
import { range } from '../../../model/index.js'

/** The table `verifying_keys` of src/ledger has the first of them. */
export const ZK_IDS = range(6)
