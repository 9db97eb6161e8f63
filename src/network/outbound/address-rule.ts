/**
 * Owns the addresses that the node may call on behalf of clients: public addresses, and addresses opened by its
 * operator.
 */
import ipaddr from 'ipaddr.js'

/** Public addresses of cloud provider services, which respond to any machine inside the cloud. */
const PROVIDER_ADDRESSES: readonly string[] = ['168.63.129.16']

/**
 * Range of IPv6 for public networks (RFC 4291, section 2.4); other ranges, including embedded IPv4, are local to a
 * machine.
 */
const GLOBAL_V6 = ipaddr.parseCIDR('2000::/3')

type Range = readonly [ipaddr.IPv4 | ipaddr.IPv6, number]

/** Opened and closed ranges of an operator, in CIDR notation. */
export interface AddressRanges {
  readonly allow: readonly string[]
  readonly deny: readonly string[]
}

/** Fault of an address range; undefined if valid. */
export const rangeFault = (text: string): string | undefined =>
  ipaddr.isValidCIDR(text) ? undefined : 'expected a range such as "10.1.0.0/16" or "fd00::/8"'

/** Address filter. */
export class AddressRule {
  private readonly allow: readonly Range[]
  private readonly deny: readonly Range[]

  constructor({ allow, deny }: AddressRanges) {
    this.allow = allow.map((text) => ipaddr.parseCIDR(text))
    this.deny = [
      ...deny.map((text) => ipaddr.parseCIDR(text)),
      ...PROVIDER_ADDRESSES.map((text) => ipaddr.parseCIDR(`${text}/32`)),
    ]
  }

  /** True if an address may be called. Denied addresses stay denied, even if they are also allowed. */
  permits(text: string): boolean {
    if (!ipaddr.isValid(text)) return false
    // An IPv4-mapped IPv6 address is checked as its IPv4 address.
    const address = ipaddr.process(text)
    if (within(address, this.deny)) return false
    if (within(address, this.allow)) return true
    return address.range() === 'unicast' && (address.kind() === 'ipv4' || within(address, [GLOBAL_V6]))
  }
}

const within = (address: ipaddr.IPv4 | ipaddr.IPv6, ranges: readonly Range[]): boolean =>
  ranges.some(([base, bits]) => base.kind() === address.kind() && address.match(base, bits))
