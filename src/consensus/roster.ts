/** Owns rosters and committees: the members and the quorum of a height (docs/design/consensus.md 1). */
import { compareBytes } from '../codec/index.js'
import { hash, prfStream } from '../crypto/index.js'
import { keyBytes, type ValidatorKey } from '../model/index.js'

/** Fault budget of n voting validators: floor((n - 1) / 3), none below 4 (specification 1.2). */
export const faultBudget = (n: number): number => (n >= 4 ? Math.floor((n - 1) / 3) : 0)

/** Size of a committee chosen from n: exactly 3f + 1, so that two quorums share a correct member. */
export const committeeSize = (n: number): number => (n >= 4 ? 3 * faultBudget(n) + 1 : n)

/** Quorum of n voting validators: 2f + 1, or all below 4 (specification 1.2). */
export const quorumOf = (n: number): number => (n >= 4 ? 2 * faultBudget(n) + 1 : n)

/** The members that vote at one height, in the order of their bits. */
export interface Committee {
  readonly height: number
  /** Position in this list is the identity in bitmaps; demotion never changes it. */
  readonly keys: readonly ValidatorKey[]
  readonly hash: Buffer
  readonly quorum: number
  readonly faults: number
  readonly indexOf: ReadonlyMap<ValidatorKey, number>
}

/** Validators in roster order: by the bytes of their BLS keys. */
export const sortRoster = (keys: Iterable<ValidatorKey>): ValidatorKey[] =>
  [...keys].sort((a, b) => compareBytes(keyBytes(a), keyBytes(b)))

/** Hash of a list of validator keys, in its order: `rosterHash` and `committeeHash` of headers. */
export const keyListHash = (keys: readonly ValidatorKey[]): Buffer => hash('validator-keys', ...keys.map(keyBytes))

/** A committee from its ordered keys. */
export function committeeOf(height: number, keys: readonly ValidatorKey[]): Committee {
  return {
    height,
    keys,
    hash: keyListHash(keys),
    quorum: quorumOf(keys.length),
    faults: faultBudget(keys.length),
    indexOf: new Map(keys.map((key, index) => [key, index])),
  }
}

/**
 * Committee of a height: Fisher-Yates over the roster, drawn from hash("committee", chainHash, epochSeed, height).
 * It changes per height, never per view, and never depends on a certificate.
 */
export function selectCommittee(
  roster: readonly ValidatorKey[],
  chainHash: Uint8Array,
  epochSeed: Uint8Array,
  height: number,
): Committee {
  const at = Buffer.alloc(8)
  at.writeBigUInt64BE(BigInt(height))
  const order = prfStream(hash('committee', chainHash, epochSeed, at)).shuffle([...roster])
  return committeeOf(height, order.slice(0, committeeSize(roster.length)))
}
