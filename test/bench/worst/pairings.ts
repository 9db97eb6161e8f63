/**
 * Owns the time of pairings: the counted work in the sum of a block, and the time with the library of every platform.
 */

import { nobleBackend } from '../../../src/crypto/bls-noble.js'
import { createPop, verifyPop } from '../../../src/crypto/bls-pop.js'
import { generateKeyPair } from '../../../src/crypto/index.js'
import { COMMITTEE_KEY_MS, PAIRING_MS } from '../../../src/executor/costs.js'
import { ABI_1 } from '../../../src/features/abi.js'
import { fastest, processorMs } from './measure.js'

/** Committee size of the measured envelope; a new key costs extra time. */
const COMMITTEE = 31

export interface PairingFigure {
  readonly name: string
  readonly ms: number
  /** Counted time in the work sum. */
  readonly countedMs: number
  readonly microsPerTeu: number
  readonly isAbove: boolean
}
/** Maximum microseconds per unit of a row with a pairing (docs/design/hardening.md 4). */
const PAIRING_MICROS = 1.5

const teuOf = (kind: string, keys = 0): number => {
  const { base, per } = ABI_1.instructions.get(kind)?.cost ?? { base: 0 }
  return base + (per ?? []).reduce((sum, { teu }) => sum + teu * keys, 0)
}
const figure = (name: string, ms: number, countedMs: number, teu: number): PairingFigure => {
  const microsPerTeu = (ms * 1_000) / teu
  return { name, ms, countedMs, microsPerTeu, isAbove: ms > countedMs || microsPerTeu > PAIRING_MICROS }
}
const timed = (work: () => boolean) => (): { ms: number } => {
  const started = processorMs()
  if (!work()) throw new Error('the signatures are judged right')
  return { ms: processorMs() - started }
}

export async function benchPairings(): Promise<PairingFigure[]> {
  const message = Buffer.alloc(64, 7)
  const backend = nobleBackend()
  const pairs = await Promise.all(
    Array.from({ length: COMMITTEE }, (_, index) => generateKeyPair('bls', Buffer.from(`member ${index}`))),
  )
  const [first, second] = pairs
  if (first === undefined || second === undefined) throw new Error('there are members')
  const pop = createPop(first.secret)
  const keys = pairs.map((pair) => pair.publicKey.bytes)
  const aggregate = backend.aggregate(pairs.map((pair) => backend.sign(pair.secret, message)))
  if (aggregate === undefined) throw new Error('signatures of members add up')
  // A proof of another key takes as long as a valid one, and is not cached.
  const one = await fastest(
    timed(() => !verifyPop(second.publicKey.bytes, pop)),
    0.5,
  )
  const many = await fastest(
    timed(() => backend.verifyAggregate(keys, message, aggregate)),
    0.5,
  )
  return [
    figure('proof of possession: RegisterPeer, RotateConsensusKey', one.ms, PAIRING_MS, teuOf('registerPeer')),
    figure(
      `relay envelope of ${COMMITTEE} keys`,
      many.ms,
      PAIRING_MS + COMMITTEE_KEY_MS * COMMITTEE,
      teuOf('acceptRelayEnvelope', COMMITTEE),
    ),
  ]
}
