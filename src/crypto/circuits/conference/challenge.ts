/**
 * Owns the hashes of a conference proof: its challenge over statement and commitments, and the weights of its
 * equations.
 */
import { toScalar, u8 } from '../../sigma/group.js'

/** Challenge c, over every field of the statement and every commitment of the proof, in order. */
export const challengeOf = (statement: Uint8Array, commitments: readonly Uint8Array[]): bigint =>
  toScalar('challenge', Buffer.concat([statement, ...commitments]))

/** Mask of the weights: 128 bits suffice so that no weighted sum of false equations is the identity. */
const WEIGHT_MASK = 2n ** 128n - 1n

/** Weight of equation j of a proof; the first equation is not weighted. */
export const weightOf = (statement: Uint8Array, proof: Uint8Array, j: number): bigint =>
  toScalar('weight', Buffer.concat([statement, proof, u8(j)])) & WEIGHT_MASK

/** Weight of a proof in a batch, from a digest of the whole batch. */
export const batchWeightOf = (digest: Uint8Array, place: Uint8Array): bigint =>
  toScalar('batch', Buffer.concat([digest, place])) & WEIGHT_MASK
