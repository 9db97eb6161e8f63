/** Owns how a command names a peer: by its card, or by the validator key that it registered with. */

import { usageError } from './failure.js'
import { readKey } from './key.js'

/** The multihash text of the validator key that `text` names: a card, a key file, or the key itself. */
export async function peerKeyOf(text: string): Promise<string> {
  const { formatPublicKey, parsePublicKey } = await import('../crypto/keys.js')
  const parsed = parsePublicKey(text)
  if (parsed !== undefined) {
    if (parsed.algorithm !== 'bls') throw usageError(`${text}: expected a validator key (ea0130...)`)
    return formatPublicKey(parsed)
  }
  const { readBytes } = await import('../node/genesis/index.js')
  const content = (await readBytes(text)).toString('utf8')
  if (content.includes('"peer"')) {
    const { readPeerCard } = await import('../node/genesis/index.js')
    return (await readPeerCard(text)).key
  }
  const { publicKey } = await readKey(text)
  if (publicKey.algorithm !== 'bls')
    throw usageError(`${text}: expected a validator key, a card or its text (ea0130...)`)
  return formatPublicKey(publicKey)
}
