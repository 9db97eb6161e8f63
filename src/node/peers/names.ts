/** Owns display labels of validators in logs, status and routes. */
import { shortId } from '../../base/ids.js'
import { formatPublicKey } from '../../crypto/index.js'
import { keyBytes, type ValidatorKey } from '../../model/index.js'

/** Short name of a validator: the ends of its key. */
export const shortName = (key: ValidatorKey): string => shortId(keyText(key))

/** Multihash text of a validator key. */
export const keyText = (key: ValidatorKey): string => formatPublicKey({ algorithm: 'bls', bytes: keyBytes(key) })
