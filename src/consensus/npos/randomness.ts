/** Owns the randomness of epochs: commitments, reveals and the resulting seed. Block hashes are not used, because a proposer could try many. */
import { hash } from '../../crypto/index.js'
import { keyBytes } from '../../model/index.js'

const number8 = (value: number): Buffer => {
  const out = Buffer.alloc(8)
  out.writeBigUInt64BE(BigInt(value))
  return out
}

/** Binding of a commitment: a reveal of another chain, epoch or validator does not open it. */
export interface RandomnessPlace {
  readonly chainHash: Uint8Array
  readonly epoch: number
  /** Account of the validator. */
  readonly validator: string
}

/** Commitment to a reveal. */
export const commitmentOf = ({ chainHash, epoch, validator }: RandomnessPlace, reveal: Uint8Array): Buffer =>
  hash('rand-commit', chainHash, number8(epoch), keyBytes(validator), reveal)

/** Message that a consensus key signs to derive the reveal of an epoch: reproducible after a restart and unpredictable for others. */
export const revealSignBytes = (chainHash: Uint8Array, epoch: number): Buffer =>
  hash('rand-reveal-sign', chainHash, number8(epoch))

/** Reveal derived from that signature. */
export const revealOf = (signature: Uint8Array): Buffer => hash('rand-reveal', signature)

/** Reveal stored on the chain. */
export interface Reveal {
  readonly validator: string
  readonly reveal: Uint8Array
}

/** Seed of an epoch from the seed before it and the reveals, whatever their order. */
export function nextSeed(chainHash: Uint8Array, epoch: number, before: Uint8Array, reveals: readonly Reveal[]): Buffer {
  const ascending = [...reveals].sort((a, b) => (a.validator < b.validator ? -1 : 1))
  const parts = ascending.flatMap(({ validator, reveal }) => [keyBytes(validator), reveal])
  return hash('epoch-seed', chainHash, number8(epoch), before, ...parts)
}
