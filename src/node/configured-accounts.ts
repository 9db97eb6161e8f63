/** Owns accounts that the configuration of a node names: the one that its bridge signs for, and texts of others. */

import type { BridgeSigner, ValidatorSigner } from '../api/services.js'
import { ed25519Signer } from '../crypto/index.js'
import { accountIdOf } from '../features/responses.js'
import { type AccountId, accountKeyOf, accountOfKey, keyString, LedgerError } from '../model/index.js'
import type { ConsensusSigner } from './consensus-signer.js'
import { consensusKeysOf, type NodeKeys } from './identity.js'
import type { Services } from './services.js'

/** The account that a node's bridge signs for. */
export function bridgeSignerOf(keys: NodeKeys): BridgeSigner | undefined {
  if (keys.bridge === undefined) return undefined
  const key = accountKeyOf('ed25519', keys.bridge.publicKey.bytes)
  const signer = ed25519Signer(keys.bridge.secret)
  return { account: accountOfKey(key), key, sign: (id) => signer.sign(id) }
}

/** The node as validator: its network key signs transactions, its consensus keys what they are bound to. */
export function validatorSignerOf(keys: NodeKeys, consensus: ConsensusSigner): ValidatorSigner {
  const key = accountKeyOf('ed25519', keys.network.publicKey.bytes)
  const signer = ed25519Signer(keys.network.secret)
  return {
    account: accountOfKey(key),
    key,
    sign: (id) => signer.sign(id),
    keys: consensusKeysOf(keys).map((pair) => keyString(pair.publicKey.bytes)),
    reveal: (own, epoch) => consensus.reveal(own, epoch),
  }
}

/** Account of an address or of an alias `label@domain`; `key` is the configuration key that names it. Throws `config_invalid`. */
export async function resolveAccountText(services: Services, key: string, text: string): Promise<AccountId> {
  const found = await accountIdOf(services, text, key)
  if (found instanceof LedgerError) throw new LedgerError('config_invalid', found.message)
  return found
}
