/** Owns the ids of domains, of the range of the core. Append only. */
export const DOMAIN_INSTRUCTIONS = {
  registerDomain: 5,
  unregisterDomain: 6,
} as const
export const DOMAIN_EVENTS = {
  domainCreated: 2,
  domainDeleted: 17,
} as const
export const DOMAIN_QUERIES = {
  domains: 1,
  domain: 60,
} as const
