/** Owns the randomness of epochs: commitments, reveals, the seed that they give. No block hash: one proposer could try a million. */
import { hash } from '../../crypto/index.js'
import { keyBytes } from '../../model/index.js'

const number8 = (value: number): Buffer => {
  const out = Buffer.alloc(8)
  out.writeBigUInt64BE(BigInt(value))
  return out
}

/** Where randomness belongs: a reveal of another chain, epoch or validator opens nothing. */
export interface RandomnessPlace {
  readonly chainHash: Uint8Array
  readonly epoch: number
  /** Account of the validator. */
  readonly validator: string
}

/** What a validator publishes of its reveal before anybody sees it. */
export const commitmentOf = ({ chainHash, epoch, validator }: RandomnessPlace, reveal: Uint8Array): Buffer =>
  hash('rand-commit', chainHash, number8(epoch), keyBytes(validator), reveal)

/** What a consensus key signs to derive the reveal of an epoch: a restart finds it again, nobody else knows it before. */
export const revealSignBytes = (chainHash: Uint8Array, epoch: number): Buffer =>
  hash('rand-reveal-sign', chainHash, number8(epoch))

/** The reveal that follows from that signature. */
export const revealOf = (signature: Uint8Array): Buffer => hash('rand-reveal', signature)

/** A reveal as the chain holds it. */
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
