/**
 * Owns public keys as stored by the ledger: latin1 strings of their bytes, multihash text in JSON
 * (docs/design/ledger.md 2).
 */
import { binaryKey, type Schema } from '../codec/index.js'
import { formatPublicKey, binaryKey as latin1Of, parsePublicKey } from '../crypto/index.js'
import { BLS_KEY_BYTES, ED25519_KEY_BYTES } from './limits.js'

/** Bytes of a latin1 key string. */
export const keyBytes = (key: string): Buffer => Buffer.from(key, 'latin1')
/** Latin1 key string of a copy of the bytes; usable as a Map key. */
export const keyString: (bytes: Uint8Array) => string = latin1Of

const fixedKey = (schemaName: string, algorithm: 'ed25519' | 'bls', size: number): Schema<string> =>
  binaryKey(size, {
    name: schemaName,
    exactBytes: size,
    toText: (value) => formatPublicKey({ algorithm, bytes: keyBytes(value) }),
    fromText: (value) => {
      const key = parsePublicKey(value)
      return key !== undefined && key.algorithm === algorithm ? keyString(key.bytes) : undefined
    },
  })

/** BLS public key of a validator, 48 bytes as a latin1 string; identifies it in rosters and committees. */
export type ValidatorKey = string
export const validatorKey: Schema<ValidatorKey> = fixedKey('ValidatorKey', 'bls', BLS_KEY_BYTES)

/** Ed25519 network key of a peer, 32 bytes as a latin1 string; authenticates its TLS link. */
export type NetworkKey = string
export const networkKey: Schema<NetworkKey> = fixedKey('NetworkKey', 'ed25519', ED25519_KEY_BYTES)

/** Curves that may sign for an account, with their byte in an address. Append only. */
export const ACCOUNT_CURVES = { ed25519: 1, secp256k1: 2 } as const
export type AccountCurve = keyof typeof ACCOUNT_CURVES

/** Curve of a curve byte, or undefined. */
export const curveOfByte = (byte: number): AccountCurve | undefined =>
  byte === ACCOUNT_CURVES.ed25519 ? 'ed25519' : byte === ACCOUNT_CURVES.secp256k1 ? 'secp256k1' : undefined

/** Key size of a curve in bytes: secp256k1 keys are compressed. */
export const curveKeyBytes = (curve: AccountCurve): number => (curve === 'ed25519' ? 32 : 33)

/** Signing key of an account: curve byte and key, as a latin1 string. */
export type AccountKey = string
export const accountKey: Schema<AccountKey> = binaryKey(34, {
  name: 'AccountKey',
  validate: (value) => {
    const curve = curveOfByte(value.charCodeAt(0))
    if (curve === undefined) return 'unknown curve'
    return value.length === 1 + curveKeyBytes(curve) ? undefined : 'wrong key length for its curve'
  },
  toText: (value) => {
    const curve = curveOfByte(value.charCodeAt(0)) ?? 'ed25519'
    return formatPublicKey({ algorithm: curve, bytes: keyBytes(value.slice(1)) })
  },
  fromText: (value) => {
    const key = parsePublicKey(value)
    return key === undefined || key.algorithm === 'bls' ? undefined : accountKeyOf(key.algorithm, key.bytes)
  },
})

/** Account key of a curve and its key bytes. */
export const accountKeyOf = (curve: AccountCurve, bytes: Uint8Array): AccountKey =>
  String.fromCharCode(ACCOUNT_CURVES[curve]) + keyString(bytes)
