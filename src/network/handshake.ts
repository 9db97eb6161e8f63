/** Owns the handshake: the first messages of two peers, and the differences that make them incompatible. */
import {
  bytes,
  bytesN,
  hash32,
  type Infer,
  list,
  map,
  type Schema,
  string,
  struct,
  u16,
  varint,
} from '../codec/index.js'
import { formatPublicKey } from '../crypto/index.js'
import { CHAIN_ID_MAX_BYTES, keyBytes, type ValidatorKey, validatorKey } from '../model/index.js'
import { ABIS_MAX, FEATURES_MAX, REFUSAL_DIFFERENCES_MAX, REFUSAL_TEXT_MAX_BYTES } from './limits.js'

/** Version of frames and handshake; peers with any other version are refused. */
export const WIRE_VERSION = 1
/** Random bytes of a Hello. */
const NONCE_BYTES = 32

/** Maximum ABI and feature hash, in bytes; shorter ones are valid, since they are only compared. */
const HASH_MAX_BYTES = 32
/** ABI included in a release. */
export interface CarriedAbi extends Infer<typeof carriedAbi> {}
const carriedAbi = struct('CarriedAbi', { number: varint, hash: bytes(HASH_MAX_BYTES) })

/** Handshake data of the node. Hashes have 32 bytes. */
export interface LocalHello {
  readonly chain: string
  readonly chainHash: Uint8Array
  readonly genesisHash: Uint8Array
  /** Hash of the genesis-derived values that all nodes must share. */
  readonly fingerprint: Uint8Array
  /** Active ABI of this node's state: number, hash, and feature name to hash. */
  readonly abi: number
  readonly abiHash: Uint8Array
  readonly features: ReadonlyMap<string, Uint8Array>
  /** All ABIs of this release; they must include the active ABI of the other side. */
  readonly abis: readonly CarriedAbi[]
  /** Version of the program, for display; not compared. */
  readonly release: string
  readonly validatorKey: ValidatorKey
  /** Committed height, for display; not compared. */
  readonly height: number
}

/** The first frame of each side. */
export interface Hello extends LocalHello {
  readonly wireVersion: number
  readonly nonce: Uint8Array
}

const FEATURE_NAME_MAX_BYTES = 64
type HelloBody = Omit<Hello, 'wireVersion'>
const helloBody_: Schema<HelloBody> = struct('Hello', {
  chain: string(CHAIN_ID_MAX_BYTES),
  chainHash: hash32,
  genesisHash: hash32,
  fingerprint: hash32,
  abi: varint,
  abiHash: bytes(HASH_MAX_BYTES),
  features: map(string(FEATURE_NAME_MAX_BYTES), bytes(HASH_MAX_BYTES), FEATURES_MAX),
  abis: list(carriedAbi, ABIS_MAX),
  release: string(64),
  validatorKey,
  height: varint,
  nonce: bytesN(NONCE_BYTES),
})

/** Wire version as a little-endian u16, then the record. The version comes first, so that an error can name it even if the record does not decode. */
export function encodeHello(hello: Hello): Buffer {
  const { wireVersion, ...body } = hello
  return Buffer.concat([u16.encode(wireVersion), helloBody_.encode(body)])
}

/** Decoded Hello, only the version if it differs from ours, or the fault. */
export type ReadHello =
  | { readonly ok: true; readonly hello: Hello }
  | { readonly ok: false; readonly wireVersion: number | undefined; readonly why: string }

/** Decode a Hello. */
export function decodeHello(body: Uint8Array): ReadHello {
  const version = u16.decode(body.subarray(0, 2))
  if (!version.ok) return { ok: false, wireVersion: undefined, why: 'the Hello is too short' }
  const wireVersion = version.value
  if (wireVersion !== WIRE_VERSION) return { ok: false, wireVersion, why: `wire version ${wireVersion}` }
  const decoded = helloBody_.decode(body.subarray(2))
  if (!decoded.ok) return { ok: false, wireVersion, why: `the Hello does not decode: ${decoded.fault.message}` }
  return { ok: true, hello: { ...decoded.value, wireVersion } }
}

/** Difference between two peers, as text. */
export interface Difference extends Infer<typeof difference> {}
const text = string(REFUSAL_TEXT_MAX_BYTES)
const difference = struct('Difference', { what: text, ours: text, theirs: text })
/** Reason of a refused link; sent before closing. `ours` is the sender's value. */
export interface Refusal extends Infer<typeof refusal> {}
export const refusal = struct('Refusal', {
  message: text,
  differences: list(difference, REFUSAL_DIFFERENCES_MAX),
})

const hexText = (value: Uint8Array): string => Buffer.from(value).toString('hex')
const keyText = (key: ValidatorKey): string => formatPublicKey({ algorithm: 'bls', bytes: keyBytes(key) })

/** Differences between two Hellos; empty for compatible peers. Heights and releases may differ. */
export function compareHellos(ours: Hello, theirs: Hello): Difference[] {
  const differences: Difference[] = []
  const compare = (what: string, our: string, their: string): void => {
    if (our !== their) differences.push({ what, ours: our, theirs: their })
  }
  compare('chain', ours.chain, theirs.chain)
  compare('genesis hash', hexText(ours.genesisHash), hexText(theirs.genesisHash))
  compare('chain hash', hexText(ours.chainHash), hexText(theirs.chainHash))
  compare('fingerprint', hexText(ours.fingerprint), hexText(theirs.fingerprint))
  differences.push(...compareAbis(ours, theirs))
  return differences
}

const hashOf = (abis: readonly CarriedAbi[], number: number): string => {
  const found = abis.find((abi) => abi.number === number)
  return found === undefined ? 'none' : hexText(found.hash)
}

function featureHash({ features }: Hello, name: string): string {
  const hash = features.get(name)
  return hash === undefined ? 'none' : hexText(hash)
}

/**
 * Compare ABIs. Each side must include the active ABI of the other side, so that a node behind an upgrade is not
 * refused.
 */
function compareAbis(ours: Hello, theirs: Hello): Difference[] {
  const differences: Difference[] = []
  for (const number of new Set([ours.abi, theirs.abi])) {
    const [our, their] = [hashOf(ours.abis, number), hashOf(theirs.abis, number)]
    if (our !== their) differences.push({ what: `ABI ${number}`, ours: our, theirs: their })
  }
  if (differences.length === 0 || ours.abi !== theirs.abi) return differences
  const names = new Set([...ours.features.keys(), ...theirs.features.keys()])
  for (const name of names) {
    const [our, their] = [featureHash(ours, name), featureHash(theirs, name)]
    if (our !== their) differences.push({ what: `feature ${name}`, ours: our, theirs: their })
  }
  return differences
}

/** Difference if the other side claims a validator key that is not registered with its network key. */
export function compareValidatorKey(own: ValidatorKey, expected: ValidatorKey, claimed: ValidatorKey): Difference[] {
  if (claimed === expected) return []
  const what = claimed === own ? 'validator key (the peer claims ours)' : 'validator key'
  return [{ what, ours: keyText(expected), theirs: keyText(claimed) }]
}

/** Text that is safe to show and to send: printable ASCII, bounded. */
const printable = (value: string): string => value.replace(/[^\x20-\x7e]/g, '?').slice(0, REFUSAL_TEXT_MAX_BYTES)

/** Readable text of one difference. */
export const describe = ({ what, ours, theirs }: Difference): string =>
  `${what} differs: ours ${ours}, theirs ${theirs}`

/** Refusal with a message and without values. */
export const refusalFor = (message: string): Refusal => ({ message: printable(message), differences: [] })

/** The refusal for differences. */
export function refusalOf(differences: readonly Difference[]): Refusal {
  // A Hello may differ in more than a refusal names: the first ones say enough.
  const safe = differences.slice(0, REFUSAL_DIFFERENCES_MAX).map(({ what, ours, theirs }) => ({
    what: printable(what),
    ours: printable(ours),
    theirs: printable(theirs),
  }))
  return { message: printable(safe.map(describe).join('; ')), differences: safe }
}

/** Received refusal, with the values of both sides exchanged. */
export function turned(received: Refusal): Refusal {
  if (received.differences.length === 0) return refusalFor(received.message)
  return refusalOf(received.differences.map(({ what, ours, theirs }) => ({ what, ours: theirs, theirs: ours })))
}
