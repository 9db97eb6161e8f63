/** Owns the verification of conference proofs, with the same result alone and in a batch. */
import { sha512 } from '@noble/hashes/sha2.js'
import { hash } from '../../hash.js'
import { decodeKey, decodePoint, decodeScalar, type Point, u32 } from '../../sigma/group.js'
import { addMembership, decodeMembership, indexBits, type MembershipProof } from '../../sigma/membership.js'
import { Sum } from '../../sigma/sum.js'
import { CONFERENCE } from '../names.js'
import type { ProofClaim, ProofOutcome } from '../proof-outcomes.js'
import { batchWeightOf, challengeOf, weightOf } from './challenge.js'
import { nullifierBase, nullifierSession, proofBytes, type Statement, statementBytes } from './statement.js'

/** Proof with its claim. */
export interface Claim {
  readonly statement: Statement
  readonly proof: Uint8Array
  /** Admission keys of a listed join, in order: the statement binds them by their root and count. */
  readonly keys?: readonly Uint8Array[]
}

/** Equations of a proof as one sum, or the reason why there are none. */
type Equations = Sum | Exclude<ProofOutcome, 'proven'>

/** Verify one claim, with the same result on every machine; malformed input is not an exception. */
export function verifyClaim(claim: Claim): ProofOutcome {
  const sum = equationsOf(claim)
  if (!(sum instanceof Sum)) return sum
  return sum.isIdentity() ? 'proven' : 'refused'
}

/** Results of `verifyClaim`, in order: as a batch first, one by one if that fails. */
export function verifyClaims(claims: readonly Claim[]): ProofOutcome[] {
  const equations = claims.map(equationsOf)
  const sums = equations.filter((one) => one instanceof Sum)
  if (sums.length > 1 && weighed(claims, sums).isIdentity()) {
    return equations.map((one) => (one instanceof Sum ? 'proven' : one))
  }
  return equations.map((one) => (one instanceof Sum ? (one.isIdentity() ? 'proven' : 'refused') : one))
}

/**
 * All sums combined into one, with weights from a digest of all claims, so that they cannot be predicted while a proof
 * is created.
 */
function weighed(claims: readonly Claim[], sums: readonly Sum[]): Sum {
  const digest = sha512(
    Buffer.concat(
      claims.flatMap(({ statement, proof }) => {
        const bytes = statementBytes(statement)
        return [u32(bytes.length), bytes, u32(proof.length), proof]
      }),
    ),
  )
  const all = new Sum()
  for (const [place, sum] of sums.entries()) all.addSum(sum, place === 0 ? 1n : batchWeightOf(digest, u32(place)))
  return all
}

const slice = (bytes: Uint8Array, place: number): Uint8Array => bytes.subarray(32 * place, 32 * (place + 1))

function equationsOf(claim: Claim): Equations {
  const { statement, proof, keys = [] } = claim
  if (proof.length !== proofBytes(statement.relation, keys.length)) return 'length'
  const C = decodeKey(statement.commitment)
  if (C === undefined) return 'refused'
  if (statement.relation === 'usage') return usage(claim, C)
  if (statement.relation === 'signal') return signal(claim, C)
  return roster(claim, C)
}

/** s H = A1 + c (C - dD - gF). */
function usage({ statement, proof }: Claim, C: Point): Equations {
  const A1 = decodePoint(slice(proof, 0))
  const s = decodeScalar(slice(proof, 1))
  const c = challengeOf(statementBytes(statement), [slice(proof, 0)])
  if (A1 === undefined || s === undefined || c === 0n) return 'refused'
  const sum = new Sum()
  sum.addBase('H', s)
  sum.add(A1, -1n)
  sum.add(C, -c)
  sum.addBase('D', c * (statement.durationMs ?? 0n))
  sum.addBase('F', c * (statement.billedGas ?? 0n))
  return sum
}

/** s_x G + s_r H = A1 + cC. */
function addOpening(sum: Sum, C: Point, A1: Point, c: bigint, sx: bigint, sr: bigint): void {
  sum.addBase('G', sx)
  sum.addBase('H', sr)
  sum.add(A1, -1n)
  sum.add(C, -c)
}

function signal({ statement, proof }: Claim, C: Point): Equations {
  const A1 = decodePoint(slice(proof, 0))
  const sx = decodeScalar(slice(proof, 1))
  const sr = decodeScalar(slice(proof, 2))
  const c = challengeOf(statementBytes(statement), [slice(proof, 0)])
  if (A1 === undefined || sx === undefined || sr === undefined || c === 0n) return 'refused'
  const sum = new Sum()
  addOpening(sum, C, A1, c, sx, sr)
  return sum
}

/** Bytes of A1, A2, s_x, s_r, which a listed join follows with its membership proof. */
const OPENING_BYTES = 128

/** Equations of a join or a leave: C opens, N has the same secret, and for a listed join C hides one of the keys. */
function roster({ statement, proof, keys = [] }: Claim, C: Point): Equations {
  const isListed = statement.relation === 'listedJoin'
  const N = statement.nullifier === undefined ? undefined : decodeKey(statement.nullifier)
  const A1 = decodePoint(slice(proof, 0))
  const A2 = decodePoint(slice(proof, 1))
  const sx = decodeScalar(slice(proof, 2))
  const sr = decodeScalar(slice(proof, 3))
  if (N === undefined || A1 === undefined || A2 === undefined || sx === undefined || sr === undefined) return 'refused'

  const m = indexBits(keys.length)
  const membership = isListed ? decodeMembership(proof.subarray(OPENING_BYTES), m) : undefined
  const points = keys.map(decodeKey).filter((key) => key !== undefined)
  if (isListed && (membership === undefined || points.length === 0 || points.length !== keys.length)) return 'refused'

  const bytes = statementBytes(statement)
  const commitments = [slice(proof, 0), slice(proof, 1)]
  if (isListed) commitments.push(proof.subarray(OPENING_BYTES, OPENING_BYTES + 32 * (4 + m)))
  const c = challengeOf(bytes, commitments)
  if (c === 0n) return 'refused'
  const sum = new Sum()
  addOpening(sum, C, A1, c, sx, sr)
  // s_x U = A2 + cN
  const w1 = weightOf(bytes, proof, 1)
  sum.add(nullifierBase(statement.chain, statement.call, nullifierSession(statement)), w1 * sx)
  sum.add(A2, -w1)
  sum.add(N, -w1 * c)
  if (membership !== undefined) addListed(sum, { bytes, proof, membership, C, points, c })
  return sum
}

/** Inputs of the equations of a list. */
interface Listed {
  readonly bytes: Uint8Array
  readonly proof: Uint8Array
  readonly membership: MembershipProof
  readonly C: Point
  readonly points: readonly Point[]
  readonly c: bigint
}

function addListed(sum: Sum, { bytes, proof, membership, C, points, c }: Listed): void {
  const weights = [weightOf(bytes, proof, 2), weightOf(bytes, proof, 3), weightOf(bytes, proof, 4)] as const
  addMembership(sum, membership, C, points, c, weights)
}

/** Claim with the key of its result: the statement binds the list by its root and count, which the ledger computed. */
export function conferenceClaim(claim: Claim): ProofClaim<Claim> {
  const { statement, proof } = claim
  const key = hash('conference-proof', statementBytes(statement), proof)
  return { circuit: CONFERENCE, relation: statement.relation, key, claim }
}
