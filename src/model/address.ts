/**
 * Owns account ids: a versioned payload as a latin1 string, shown to clients as bech32m text with the chain's prefix
 * (docs/design/ledger.md 3).
 */
import { bech32m } from '@scure/base'
import { binaryKey, type Schema } from '../codec/index.js'
import { GenerationCache } from '../crypto/generation-cache.js'
import { type AccountCurve, type AccountKey, curveKeyBytes, curveOfByte, keyBytes, keyString } from './keys.js'

/** Account id: `version u8, kind u8, rest` as a latin1 string. Single key: rest = curve byte and key. Any other: a 32-byte hash. */
export type AccountId = string

/** Human-readable part of addresses if the chain sets none. */
export const DEFAULT_ADDRESS_PREFIX = 'cw'

const VERSION = 1
const KIND_SINGLE = 0
const KIND_MULTISIG = 1
/** Accounts without a key. A feature creates them, and only its rules control them. */
const KEYLESS_KINDS = { contract: 2, vault: 3, system: 4 } as const
/** `contract` acts in its calls, `vault` holds value and never acts, `system` acts by due runs. */
export type KeylessKind = keyof typeof KEYLESS_KINDS
/** Names of the kinds whose id is a hash. */
const HASHED_KINDS: ReadonlyMap<number, string> = new Map([
  [KIND_MULTISIG, 'multisig'],
  ...Object.entries(KEYLESS_KINDS).map(([name, kind]) => [kind, name] as const),
])
const HASHED_BYTES = 34
const KEYLESS_BY_BYTE: ReadonlyMap<number, KeylessKind> = new Map(
  Object.entries(KEYLESS_KINDS).map(([name, kind]) => [kind, name as KeylessKind] as const),
)
/**
 * Maximum length of an address: bech32m guarantees its error detection up to 90 characters. The longest address has 70
 * plus the prefix.
 */
const TEXT_MAX = 90

/** Fault of an account id, or undefined if valid. */
export function accountIdFault(id: string): string | undefined {
  if (id.charCodeAt(0) !== VERSION) return 'unknown address version'
  const kind = id.charCodeAt(1)
  const hashed = HASHED_KINDS.get(kind)
  if (hashed !== undefined)
    return id.length === HASHED_BYTES ? undefined : `a ${hashed} address must have ${HASHED_BYTES} bytes`
  if (kind !== KIND_SINGLE) return 'unknown address kind'
  const curve = curveOfByte(id.charCodeAt(2))
  if (curve === undefined) return 'unknown curve in the address'
  return id.length === 3 + curveKeyBytes(curve) ? undefined : 'wrong key length in the address'
}

/** Account id of a single key. */
export const accountOfKey = (key: AccountKey): AccountId => String.fromCharCode(VERSION, KIND_SINGLE) + key

/** Account id of a multisig policy, from its 32-byte hash. */
export const accountOfPolicyHash = (policyHash: Uint8Array): AccountId =>
  String.fromCharCode(VERSION, KIND_MULTISIG) + keyString(policyHash)

/** True for the id of a multisig account. */
export const isMultisig = (id: AccountId): boolean => id.charCodeAt(1) === KIND_MULTISIG

/** Id of an account without a key, from the 32-byte hash of its purpose. */
export const keylessAccount = (kind: KeylessKind, of: Uint8Array): AccountId =>
  String.fromCharCode(VERSION, KEYLESS_KINDS[kind]) + keyString(of)

/** Kind of an account without a key; undefined for one with keys. */
export const keylessKind = (id: AccountId): KeylessKind | undefined => KEYLESS_BY_BYTE.get(id.charCodeAt(1))

/** Signing key of a single-key account; undefined for any other. */
export const keyOfAccount = (id: AccountId): AccountKey | undefined =>
  id.charCodeAt(1) === KIND_SINGLE ? id.slice(2) : undefined

/** Curve of an account key. */
export function curveOfKey(key: AccountKey): AccountCurve {
  const curve = curveOfByte(key.charCodeAt(0))
  if (curve === undefined) throw new Error('account key with an unknown curve passed its schema')
  return curve
}

/** Curve and raw key of an account key. */
export const splitAccountKey = (key: AccountKey): { curve: AccountCurve; bytes: Buffer } => ({
  curve: curveOfKey(key),
  bytes: keyBytes(key.slice(1)),
})

/**
 * Maximum cached address texts. Computing a checksum costs ten times as much as a lookup, and the accounts of a block
 * recur many times.
 */
const TEXTS_KEPT = 8_192
const texts = new GenerationCache<string>(TEXTS_KEPT)

/** bech32m text of an account id. */
export function formatAddress(id: AccountId, prefix: string = DEFAULT_ADDRESS_PREFIX): string {
  const key = prefix + id
  const known = texts.get(key)
  if (known !== undefined) return known
  const text = bech32m.encode(prefix, bech32m.toWords(keyBytes(id)), TEXT_MAX)
  texts.set(key, text)
  return text
}

/** Account id of a bech32m text; undefined if the checksum, the prefix or the payload is wrong. */
export function parseAddress(value: string, prefix: string = DEFAULT_ADDRESS_PREFIX): AccountId | undefined {
  const decoded = bech32m.decodeUnsafe(value, TEXT_MAX)
  if (!decoded || decoded.prefix !== prefix) return undefined
  const bytes = bech32m.fromWordsUnsafe(decoded.words)
  if (!bytes) return undefined
  const id = keyString(Buffer.from(bytes))
  // bech32 takes upper case too; the ledger knows one text per account.
  return accountIdFault(id) === undefined && value === value.toLowerCase() ? id : undefined
}

/** Form of an address of any chain (BIP-350), for JSON Schema. */
/** Address as a regular expression, without anchors. */
export const ADDRESS_PATTERN = '[a-z0-9]{1,83}1[02-9ac-hj-np-z]{6,}'

/** Account id in records: raw payload on the wire, address in JSON. */
export const accountId: Schema<AccountId> = binaryKey(40, {
  name: 'AccountId',
  pattern: `^${ADDRESS_PATTERN}$`,
  validate: accountIdFault,
  toText: (value, ctx) => formatAddress(value, ctx?.addressPrefix),
  fromText: (value, ctx) => parseAddress(value, ctx?.addressPrefix),
})
