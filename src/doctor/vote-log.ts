/** Owns the hints for operators of a node without its vote log. */

import { readKey } from '../cli/settings/key.js'
import { keyString, type Peer } from '../model/index.js'
import type { NodeConfig } from '../node/config/index.js'

/**
 * True if a node without its vote log abstains at first. A signer records the signatures of its keys, and an observer
 * never votes. A peer that is not in the genesis, or whose key cannot be read, may be a validator.
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

/** Next step after restoring a data directory, and the effect on votes. */
export async function restoredHint(
  config: Pick<NodeConfig, 'keys' | 'signer'>,
  topology: readonly Peer[],
): Promise<string> {
  const abstains = await abstainsWithoutVotes(config, topology)
  const votes = abstains ? ', and as a validator it abstains until earlier votes no longer matter' : ''
  return `Start the node: it syncs the missing blocks${votes}.`
}
