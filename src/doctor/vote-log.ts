/** Owns what operators are told of a node that lacks its vote log. */

import { readKey } from '../cli/settings/key.js'
import { keyString, type Peer } from '../model/index.js'
import type { NodeConfig } from '../node/config/index.js'

/**
 * Whether a node without its vote log abstains at first. A signer knows what its keys signed, and an observer never votes.
 * A peer that the genesis does not have, or whose key cannot be read, may be a validator.
 */
export async function abstainsWithoutVotes(
  { keys, signer }: Pick<NodeConfig, 'keys' | 'signer'>,
  topology: readonly Peer[],
): Promise<boolean> {
  if (signer !== undefined) return false
  const own = await readKey(keys.validator).then(
    ({ publicKey }) => keyString(publicKey.bytes),
    () => undefined,
  )
  return topology.find(({ key }) => key === own)?.role !== 'observer'
}

/** What to do with a data directory that was restored, and what comes of its votes. */
export async function restoredHint(
  config: Pick<NodeConfig, 'keys' | 'signer'>,
  topology: readonly Peer[],
): Promise<string> {
  const abstains = await abstainsWithoutVotes(config, topology)
  const votes = abstains ? ', and as a validator it abstains until the network has moved on' : ''
  return `Start the node: it syncs the rest${votes}.`
}
