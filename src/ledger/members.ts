/** Owns the number of objects in a domain: accounts, definitions, NFTs, and objects of features. */
import type { StateWriter } from '../state/index.js'
import { domainMembers } from './tables.js'

/** Count an object that joins a domain (1) or leaves it (-1). */
export function countMember(state: StateWriter, domain: string, by: 1 | -1): void {
  const count = (state.get(domainMembers, domain) ?? 0) + by
  if (count < 0) throw new Error(`the member count of domain ${domain} is negative`)
  if (count === 0) state.delete(domainMembers, domain)
  else state.set(domainMembers, domain, count)
}
