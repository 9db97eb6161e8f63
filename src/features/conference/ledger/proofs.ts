/** Owns proof claims: availability of the verifying key, and validity of the proof for the ledger state. */
import {
  type Claim,
  circuitOf,
  conferenceClaim,
  conferenceKeyBlob,
  indexBitsOf,
  ROSTER_CIRCUIT,
  SIGMA_BACKEND,
  type Statement,
  USAGE_CIRCUIT,
  verifyClaim,
} from '../../../crypto/circuits/conference/index.js'
import { outcomeOf, type ProofClaim } from '../../../crypto/circuits/proof-outcomes.js'
import { type EarlyProof, type ProofContext, type Rejection, reject } from '../../../executor/contract.js'
import type { CostItem, ProofWork } from '../../../executor/costs.js'
import { verifyingKeyFault } from '../../../ledger/verifying-keys.js'
import { keyBytes } from '../../../model/index.js'
import { CONFERENCE_ROSTER_VK, CONFERENCE_USAGE_VK } from '../schema/parameters.js'
import type { ConferenceProof } from '../schema/records.js'

/** Verifying keys compiled into this release. */
const BLOBS = { [ROSTER_CIRCUIT]: conferenceKeyBlob(ROSTER_CIRCUIT), [USAGE_CIRCUIT]: conferenceKeyBlob(USAGE_CIRCUIT) }
const PARAMETERS = { [ROSTER_CIRCUIT]: CONFERENCE_ROSTER_VK, [USAGE_CIRCUIT]: CONFERENCE_USAGE_VK }

/** Reason why no proof of this relation can be verified now. */
export function keyFault(
  ctx: ProofContext,
  relation: Statement['relation'],
  proof: ConferenceProof,
): Rejection | undefined {
  const circuit = circuitOf(relation)
  const expected = { parameter: PARAMETERS[circuit], backend: SIGMA_BACKEND, blob: BLOBS[circuit], named: proof.vkHash }
  return verifyingKeyFault(ctx, expected)
}

/** Statement fields of an instruction; chain, submitter and key come from its context. */
export type Proven = Omit<Statement, 'chain' | 'submitter' | 'vkHash'>

/** Proof claim of an instruction, checked after all cheaper checks. */
export type Question = ProofClaim<Claim>

/** Claim that the proof of an instruction is valid. `keys`: list of a listed join. */
export function questionOf(
  ctx: ProofContext,
  proven: Proven,
  proof: ConferenceProof,
  keys: readonly Uint8Array[] = [],
): Question {
  const statement: Statement = {
    ...proven,
    chain: ctx.env.chain,
    submitter: keyBytes(ctx.authority),
    vkHash: proof.vkHash,
  }
  return conferenceClaim({ statement, proof: proof.bytes, keys })
}

/** Proof that can be verified before the instruction runs. */
export const earlyProof = (
  question: Question | Rejection | undefined,
  dependsOn: EarlyProof['dependsOn'],
): EarlyProof | undefined => (question === undefined || 'code' in question ? undefined : { claim: question, dependsOn })

/** Reason why the proof of an instruction is invalid; checked last, after cheaper checks. */
export function proofFault(question: Question): Rejection | undefined {
  const outcome = outcomeOf(question, verifyClaim)
  if (outcome === 'length') {
    return reject('proof_length', `a proof of this kind cannot have ${question.claim.proof.length} bytes`)
  }
  return outcome === 'proven' ? undefined : reject('proof_refused', 'the proof is invalid for this submitter and state')
}

export interface MayProve {
  readonly proof?: ConferenceProof | undefined
}

/**
 * Units of proofs: verification costs more than their bytes. `private`: in addition to the cost of the transparent
 * form.
 */
export const proofCost = (kind: string, beside: number): readonly CostItem<MayProve>[] => [
  { teu: beside, item: `private ${kind}`, count: ({ proof }) => (proof === undefined ? 0 : 1) },
  { teu: 5, item: 'byte of the proof', count: ({ proof }) => proof?.bytes.length ?? 0 },
]
/** Index bits of the list of a proof; undefined without a list. */
const bitsOf = ({ proof }: MayProve): number | undefined =>
  proof === undefined ? undefined : indexBitsOf(proof.bytes.length)
const listLength = (value: MayProve): number => {
  const m = bitsOf(value)
  return m === undefined ? 0 : 2 ** m
}
export const listCost: CostItem<MayProve> = { teu: 40, item: 'key of the list that the proof fits', count: listLength }

/** Work of a proof of one kind, listed or not. */
export const proofWork = (units: number): ProofWork<MayProve> => ({
  item: `${units} or 2^m + 2m + 16 for a list, by the length of the proof`,
  count: (value) => {
    if (value.proof === undefined) return 0
    const m = bitsOf(value)
    return m === undefined ? units : 2 ** m + 2 * m + 16
  },
})

/** Work of decoding admitted keys: two keys cost one unit. */
export const keysWork = <T>(keysOf: (value: T) => readonly Uint8Array[]): ProofWork<T> => ({
  item: 'two keys',
  count: (value) => Math.ceil(keysOf(value).length / 2),
})
