/** Owns verifying keys of zero-knowledge proofs for clients and ledger. */
import { bytes, hash32, type Infer, option, string, struct, u32, unitEnum, varint } from '../codec/index.js'
import { hash } from '../crypto/index.js'
import { name } from './names.js'

/** Maximum blob of a verifying key, in bytes; a sigma circuit has 500, a pairing circuit with 32 inputs 8 KiB. */
export const VERIFYING_KEY_MAX_BYTES = 8 * 1024
/** Longest name of a circuit, in bytes. */
export const CIRCUIT_MAX_BYTES = 64

/** Backend and name of a key. */
export interface VerifyingKeyId extends Infer<typeof verifyingKeyId> {}
export const verifyingKeyId = struct('VerifyingKeyId', { backend: name, name })

/** Only `active` keys verify, and only between their heights. */
export type VerifyingKeyStatus = Infer<typeof verifyingKeyStatus>
export const verifyingKeyStatus = unitEnum('VerifyingKeyStatus', { proposed: 0, active: 1, withdrawn: 2 })

export interface VerifyingKeyRow extends Infer<typeof verifyingKeyRow> {}
export const verifyingKeyRow = struct('VerifyingKeyRow', {
  /** From 1; incremented by each update. */
  version: u32,
  circuitId: string(CIRCUIT_MAX_BYTES),
  blob: bytes(VERIFYING_KEY_MAX_BYTES),
  /** Identifier in proofs: `keyCommitment` of the blob. */
  commitment: hash32,
  status: verifyingKeyStatus,
  /** First height at which it verifies; absent for any. */
  activationHeight: option(varint),
  /** First height at which it no longer verifies; absent for none. */
  withdrawHeight: option(varint),
})

/** Commitment that identifies a key in proofs. */
export const keyCommitment = (blob: Uint8Array): Buffer => hash('verifying-key', blob)

/** True while the key verifies at a height. */
export const isActiveAt = (
  { status, activationHeight = 0, withdrawHeight }: VerifyingKeyRow,
  height: number,
): boolean =>
  status === 'active' && activationHeight <= height && (withdrawHeight === undefined || height < withdrawHeight)
