/** Owns the client identity of an address: a whole IPv6 network counts as one client, because one user can own it. */

/** Number of IPv6 address groups that identify a network, since a host can use all addresses of its /64. */
const NETWORK_GROUPS = 4
const GROUPS = 8

/**
 * Rate limit key of an address: an IPv4 address itself, also if written as IPv6; otherwise its /64. Empty if unknown.
 */
export function clientAddress(address: string | undefined): string {
  if (address === undefined || !address.includes(':')) return address ?? ''
  if (address.includes('.')) return address.slice(address.lastIndexOf(':') + 1)
  const [head = '', tail] = (address.split('%')[0] as string).split('::')
  const groups = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  while (tail !== undefined && groups.length + after.length < GROUPS) groups.push('0')
  return `${[...groups, ...after].slice(0, NETWORK_GROUPS).join(':')}::/64`
}
