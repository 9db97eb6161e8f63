/** Owns accounts that the configuration of a node names: the one that its bridge signs for, and texts of others. */

import type { BridgeSigner } from '../api/services.js'
import { ed25519Signer } from '../crypto/index.js'
import { accountIdOf } from '../features/responses.js'
import { type AccountId, accountKeyOf, accountOfKey, LedgerError } from '../model/index.js'
import type { NodeKeys } from './identity.js'
import type { Services } from './services.js'

/** The account that a node's bridge signs for. */
export function bridgeSignerOf(keys: NodeKeys): BridgeSigner | undefined {
  if (keys.bridge === undefined) return undefined
  const key = accountKeyOf('ed25519', keys.bridge.publicKey.bytes)
  const signer = ed25519Signer(keys.bridge.secret)
  return { account: accountOfKey(key), key, sign: (id) => signer.sign(id) }
}

/** Account of an address or of an alias `label@domain`; `key` is the configuration key that names it. Throws `config_invalid`. */
export async function resolveAccountText(services: Services, key: string, text: string): Promise<AccountId> {
  const found = await accountIdOf(services, text, key)
  if (found instanceof LedgerError) throw new LedgerError('config_invalid', found.message)
  return found
}
