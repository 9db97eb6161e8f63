/** Owns the choice of peers by name. */
import { usageError } from '../command/failure.js'
import type { Localnet, LocalPeer } from './record.js'

/** The named peers, all when none is named; throws `usage` for a name that no peer has. */
export function pickPeers(net: Localnet, names: readonly string[]): readonly LocalPeer[] {
  const known = net.peers.map((one) => one.name)
  const stray = names.find((name) => !known.includes(name))
  if (stray !== undefined) throw usageError(`there is no peer ${stray}`, `Peers of this network: ${known.join(', ')}.`)
  return names.length === 0 ? net.peers : net.peers.filter((one) => names.includes(one.name))
}
