/**
 * Owns the messages that bind the keys of a node to its staking account, so that other accounts cannot register these
 * keys.
 */
import { hash } from '../../../crypto/index.js'
import { type AccountId, keyBytes } from '../../../model/index.js'

/** Binding of a node to an account. */
export interface Binding {
  readonly chain: string
  readonly account: AccountId
  readonly key: string
  readonly networkKey: string
}

const parts = ({ chain, account, key, networkKey }: Binding): Uint8Array[] => [
  Buffer.from(chain, 'utf8'),
  keyBytes(account),
  keyBytes(key),
  keyBytes(networkKey),
]

/** Message signed by the consensus key. */
export const bindingBytes = (binding: Binding): Buffer => hash('staking-binding', ...parts(binding))
/** Message signed by the network key. */
export const networkBindingBytes = (binding: Binding): Buffer => hash('staking-network-binding', ...parts(binding))
