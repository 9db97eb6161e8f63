/** Owns display labels of validators in logs, status and routes. */
import { formatPublicKey } from '../crypto/index.js'
import { keyBytes, type ValidatorKey } from '../model/index.js'

/** Short name of a validator: the end of its key, which differs where the beginning is the same for all. */
export const shortName = (key: ValidatorKey): string => {
  const text = keyText(key)
  return `${text.slice(0, 8)}..${text.slice(-4)}`
}

/** Multihash text of a validator key. */
export const keyText = (key: ValidatorKey): string => formatPublicKey({ algorithm: 'bls', bytes: keyBytes(key) })
