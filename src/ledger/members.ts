/** Owns the number of accounts, definitions, NFTs, lists of relays and active calls per domain. */
import type { StateWriter } from '../state/index.js'
import { domainMembers } from './tables.js'

/** Counts an account, a definition, an NFT, a list of relays or an active call that comes to a domain (1) or leaves it (-1). */
export function countMember(state: StateWriter, domain: string, by: 1 | -1): void {
  const count = (state.get(domainMembers, domain) ?? 0) + by
  if (count < 0) throw new Error(`domain ${domain} has fewer than no members`)
  if (count === 0) state.delete(domainMembers, domain)
  else state.set(domainMembers, domain, count)
}
