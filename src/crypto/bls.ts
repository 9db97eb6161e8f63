/**
 * Owns the BLS12-381 interface of consensus and its constants.
 *
 * Minimal public keys: 48-byte keys in G1, 96-byte signatures in G2, ciphersuite below (draft-irtf-cfrg-bls-signature,
 * proof-of-possession scheme: aggregates of equal messages are safe only for keys whose possession has been proven,
 * see bls-pop.ts). Every key and signature is parsed with its subgroup check; the point at infinity is refused.
 */

/** Length of a compressed public key (G1), in bytes. */
export const BLS_PUBLIC_KEY_BYTES = 48
/** Length of a compressed signature (G2), in bytes. */
export const BLS_SIGNATURE_BYTES = 96
/** Length of a secret scalar, in bytes. */
export const BLS_SECRET_BYTES = 32
/** Domain tag of signatures. */
export const BLS_SIGNATURE_TAG = 'BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_'
/** Domain tag of proofs of possession. */
export const BLS_POP_TAG = 'BLS_POP_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_'

/** Order r of the groups. */
export const BLS_ORDER = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n

/** Throw unless the secret is a 32-byte big-endian scalar in [1, r), because libraries differ for other values. */
export function assertBlsSecret(secret: Uint8Array): void {
  const scalar = secret.length === BLS_SECRET_BYTES ? BigInt(`0x${Buffer.from(secret).toString('hex')}`) : 0n
  if (scalar === 0n || scalar >= BLS_ORDER) throw new Error('not a BLS12-381 secret')
}

/**
 * Maximum cached parsed public keys per backend: every key of a roster and its predecessors, far above any roster size.
 */
export const MAX_PARSED_BLS_KEYS = 8192

/** Signers of one message inside a multi-message aggregate. */
export interface BlsGroup {
  readonly publicKeys: readonly Uint8Array[]
  readonly message: Uint8Array
}

/** Signers of one message, and the sum of their signatures. */
export interface BlsAggregate extends BlsGroup {
  readonly signature: Uint8Array
}

/** BLS library. All backends return equal results; malformed input is false (or undefined), never an exception. */
export interface BlsBackend {
  readonly name: 'noble' | 'blst'
  /** Public key of a 32-byte big-endian secret; throws for a secret outside [1, r). */
  publicKeyFromSecret(secret: Uint8Array): Buffer
  /** 96-byte signature; throws for a secret outside [1, r). */
  sign(secret: Uint8Array, message: Uint8Array): Buffer
  /** Verify a signature of one key over one message. */
  verify(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean
  /** Sum of the signatures; undefined if the list is empty, one is malformed, or the sum is the point at infinity. */
  aggregate(signatures: readonly Uint8Array[]): Buffer | undefined
  /** Sum of the signatures if it is valid for all keys over one message, else undefined. */
  aggregateVerified(
    signatures: readonly Uint8Array[],
    publicKeys: readonly Uint8Array[],
    message: Uint8Array,
  ): Buffer | undefined
  /** Verify that all keys signed the same message. False for no keys. */
  verifyAggregate(publicKeys: readonly Uint8Array[], message: Uint8Array, signature: Uint8Array): boolean
  /**
   * Verify that each group signed its own message, with one aggregate over all. False for no groups or an empty group.
   */
  verifyMulti(groups: readonly BlsGroup[], signature: Uint8Array): boolean
  /**
   * True if all of them are valid. Cheaper than separate checks, because the library draws random factors, with which
   * an invalid one passes once in 2^64 attempts. The invalid one is not identified. True for an empty list.
   */
  verifyAggregates(aggregates: readonly BlsAggregate[]): boolean
  /** True for a canonical point of the prime-order subgroup other than infinity. */
  isValidPublicKey(publicKey: Uint8Array): boolean
}
