/** Owns the statements of conference proofs: the relations, the bytes of a statement, the base of nullifiers. */
import { lengthPrefixed, type Point, toGroup, u8, u16, u32, u64 } from '../../sigma/group.js'
import { answerBytes, commitmentBytes, indexBits } from '../../sigma/membership.js'

export const ROSTER_CIRCUIT = 'conference-roster-v1'
export const USAGE_CIRCUIT = 'conference-usage-v1'
export type ConferenceCircuit = typeof ROSTER_CIRCUIT | typeof USAGE_CIRCUIT

/** Proven relations; the number is part of every statement. */
export const RELATIONS = { openJoin: 1, listedJoin: 2, leave: 3, usage: 4, signal: 5 } as const
export type Relation = keyof typeof RELATIONS

/** Circuit of a relation. */
export const circuitOf = (relation: Relation): ConferenceCircuit =>
  relation === 'usage' ? USAGE_CIRCUIT : ROSTER_CIRCUIT

/** Highest session number: a member has 16 sessions. */
export const MAX_SESSION = 15

/**
 * Public inputs of a proof, computed independently by ledger and prover; fields that a relation does not use are absent
 * and encoded as zero.
 */
export interface Statement {
  readonly relation: Relation
  readonly chain: string
  /** `domain:name`. */
  readonly call: string
  /** Payload of the id of the submitting account, so that a copied proof is invalid for another account. */
  readonly submitter: Uint8Array
  readonly vkHash: Uint8Array
  readonly rosterRoot?: Uint8Array | undefined
  readonly admissionRoot?: Uint8Array | undefined
  /** Number of admitted keys in a listed join. */
  readonly admissionCount?: number | undefined
  readonly session?: number | undefined
  readonly bodyHash?: Uint8Array | undefined
  readonly durationMs?: bigint | undefined
  readonly billedGas?: bigint | undefined
  readonly segment?: number | undefined
  /** Commitment C. */
  readonly commitment: Uint8Array
  /** Nullifier N. */
  readonly nullifier?: Uint8Array | undefined
}

/** Length of hashes, roots and points, in bytes. */
const FIELD_BYTES = 32
const ZERO = Buffer.alloc(FIELD_BYTES)

function field(name: string, bytes: Uint8Array = ZERO): Uint8Array {
  if (bytes.length !== FIELD_BYTES) throw new Error(`${name} of a statement must have ${FIELD_BYTES} bytes`)
  return bytes
}

/** Bytes from which challenges are derived. */
export function statementBytes(s: Statement): Buffer {
  return Buffer.concat([
    lengthPrefixed(Buffer.from(circuitOf(s.relation), 'latin1')),
    u8(RELATIONS[s.relation]),
    lengthPrefixed(Buffer.from(s.chain, 'utf8')),
    lengthPrefixed(Buffer.from(s.call, 'utf8')),
    lengthPrefixed(s.submitter),
    field('vkHash', s.vkHash),
    field('rosterRoot', s.rosterRoot),
    field('admissionRoot', s.admissionRoot),
    u16(s.admissionCount ?? 0),
    u8(s.session ?? 0),
    field('bodyHash', s.bodyHash),
    u64(s.durationMs ?? 0n),
    u64(s.billedGas ?? 0n),
    u32(s.segment ?? 0),
    field('commitment', s.commitment),
    field('nullifier', s.nullifier),
  ])
}

/** Base U_s of a call: nullifiers of its session s are multiples of it. */
export const nullifierBase = (chain: string, call: string, session: number): Point =>
  toGroup(
    'nullifier',
    lengthPrefixed(Buffer.from(chain, 'utf8')),
    lengthPrefixed(Buffer.from(call, 'utf8')),
    u8(session),
  )

/** Session of the nullifier in a statement: a leave publishes the nullifier that a rejoin would spend. */
export const nullifierSession = ({ relation, session = 0 }: Statement): number =>
  relation === 'leave' ? session + 1 : session

/** A1, A2, s_x, s_r. */
const ROSTER_BYTES = 128
/** A1, s. */
const USAGE_BYTES = 64
/** A1, s_x, s_r. */
const SIGNAL_BYTES = 96

/** Exact length of a proof, in bytes; `count`: keys of a listed join. */
export function proofBytes(relation: Relation, count = 0): number {
  if (relation === 'usage') return USAGE_BYTES
  if (relation === 'signal') return SIGNAL_BYTES
  if (relation !== 'listedJoin') return ROSTER_BYTES
  const m = indexBits(count)
  return ROSTER_BYTES + commitmentBytes(m) + answerBytes(m)
}

/** Index bits of a listed join whose proof has this length; undefined if no listed join has this length. */
export function indexBitsOf(length: number): number | undefined {
  for (let m = 1; ; m += 1) {
    const bytes = ROSTER_BYTES + commitmentBytes(m) + answerBytes(m)
    if (bytes === length) return m
    if (bytes > length) return undefined
  }
}
