/** Unit of the limits per client: a network of addresses has one share. */
import { expect, it } from 'vitest'
import { clientAddress } from '../../../src/gateway/client-address.js'

it.each([
  [undefined, ''],
  ['10.1.2.3', '10.1.2.3'],
  ['::ffff:10.1.2.3', '10.1.2.3'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:db8::1:0:0:1', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
])('the address %s is counted as client %s', (address, client) => {
  expect(clientAddress(address)).toBe(client)
})
