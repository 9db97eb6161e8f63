/** Owns the creation of conference proofs and their secrets from the secret of a wallet. */
import { hkdfSync, randomBytes } from 'node:crypto'
import {
  decodeKey,
  lengthPrefixed,
  type Point,
  reduce,
  scalarBytes,
  times,
  toScalar,
  u8,
  u16,
  u32,
} from '../../sigma/group.js'
import { answerMembership, commitMembership } from '../../sigma/membership.js'
import { bases, Sum } from '../../sigma/sum.js'
import { challengeOf } from './challenge.js'
import { nullifierBase, nullifierSession, type Statement, statementBytes } from './statement.js'

/** Length of the key from which the secrets of all calls are derived, in bytes. */
const MEMBER_KEY_BYTES = 64

/** Key k of a wallet; `curve` distinguishes equal bytes that are keys of two algorithms. */
export const memberKey = (secret: Uint8Array, curve: string): Buffer =>
  Buffer.from(
    hkdfSync('sha512', secret, 'conference-roster-v1', lengthPrefixed(Buffer.from(curve, 'latin1')), MEMBER_KEY_BYTES),
  )

/** Call of a chain. */
export interface CallPlace {
  readonly chain: string
  /** `domain:name`. */
  readonly call: string
}

const secretScalar = (k: Uint8Array, use: string, { chain, call }: CallPlace, ...more: Uint8Array[]): bigint =>
  toScalar(
    'secret',
    Buffer.concat([
      k,
      lengthPrefixed(Buffer.from(use, 'latin1')),
      lengthPrefixed(Buffer.from(chain, 'utf8')),
      lengthPrefixed(Buffer.from(call, 'utf8')),
      ...more,
    ]),
  )

/** Secrets of a member in one session of a call, and their public values. */
export interface Member {
  readonly x: bigint
  readonly r: bigint
  readonly session: number
  /** Commitment C. */
  readonly commitment: Buffer
}

/** Secret x of a call: the same in all its sessions. */
const memberSecret = (k: Uint8Array, place: CallPlace): bigint => secretScalar(k, 'x', place)

/** Key that a host admits, P = xG, for this call only. */
export const admissionKey = (k: Uint8Array, place: CallPlace): Buffer =>
  Buffer.from(times(bases().G, memberSecret(k, place)).toBytes())

/** Member of a wallet in one session of a call. */
export function memberOf(k: Uint8Array, place: CallPlace, session: number): Member {
  const x = memberSecret(k, place)
  const r = secretScalar(k, 'r', place, u8(session))
  return { x, r, session, commitment: Buffer.from(pedersen(x, r).toBytes()) }
}

/** Nullifier N = x U_s: spent by a join of session s, and published by the leave of session s - 1. */
export const nullifierOf = ({ x }: Pick<Member, 'x'>, { chain, call }: CallPlace, session: number): Buffer =>
  Buffer.from(times(nullifierBase(chain, call, session), x).toBytes())

/** Blinding rho of a segment of usage. */
export const usageBlinding = (k: Uint8Array, place: CallPlace, segment: number): bigint =>
  secretScalar(k, 'usage', place, u32(segment))

/** Commitment C of a segment: dD + gF + rho H. */
export function usageCommitment(durationMs: bigint, billedGas: bigint, rho: bigint): Buffer {
  const sum = new Sum()
  sum.addBase('D', durationMs)
  sum.addBase('F', billedGas)
  sum.addBase('H', rho)
  return Buffer.from(sum.value().toBytes())
}

/** x G + r H. */
const pedersen = (x: bigint, r: bigint): Point => times(bases().G, x).add(times(bases().H, r))

/** Length of the random input of each proof, in bytes. */
const CHANCE_BYTES = 32

/**
 * Fresh secret scalars of one proof, from random bytes and, in case these fail, also from the key and the statement.
 * Two responses with the same scalars would reveal the secret.
 */
function noncesOf(k: Uint8Array, statement: Uint8Array, chance: Uint8Array): () => bigint {
  let next = 0
  return () => {
    const nonce = toScalar('nonce', Buffer.concat([k, chance, u16(next), statement]))
    next += 1
    return nonce
  }
}

/** Inputs of a proof besides its statement. */
export interface Proving {
  /** Key k of the wallet. */
  readonly key: Uint8Array
  /** Random input, 32 bytes; set only by test vectors. */
  readonly chance?: Uint8Array
}

const encoded = (point: Point): Buffer => Buffer.from(point.toBytes())

/** Common start of every proof: the bytes of its statement, and its nonces. */
function begin(
  statement: Statement,
  { key, chance = randomBytes(CHANCE_BYTES) }: Proving,
): { readonly bytes: Uint8Array; readonly nonce: () => bigint } {
  const bytes = statementBytes(statement)
  return { bytes, nonce: noncesOf(key, bytes, chance) }
}

/** Response to a challenge for one secret: nonce + c secret. */
const answer = (nonce: bigint, c: bigint, secret: bigint): Uint8Array => scalarBytes(reduce(nonce + c * secret))

/** Proof of an open join, or of a leave. */
export function proveRoster(statement: Statement, { x, r }: Member, proving: Proving): Buffer {
  const { bytes, nonce } = begin(statement, proving)
  const a = nonce()
  const b = nonce()
  const A1 = encoded(pedersen(a, b))
  const A2 = encoded(times(baseOf(statement), a))
  const c = challengeOf(bytes, [A1, A2])
  return Buffer.concat([A1, A2, answer(a, c, x), answer(b, c, r)])
}

/** Proof of a join by one of the admitted `keys`. Throws if the member's key is not among them. */
export function proveListedJoin(
  statement: Statement,
  { x, r }: Member,
  keys: readonly Uint8Array[],
  proving: Proving,
): Buffer {
  const points = keys.map(decodeKey).filter((key) => key !== undefined)
  const C = decodeKey(statement.commitment)
  if (C === undefined || points.length !== keys.length) throw new Error('a key of the list, or C, is not a point')
  const own = times(bases().G, x)
  const index = points.findIndex((point) => point.equals(own))
  if (index < 0) throw new Error('the key of this member is not on the list')

  const { bytes, nonce } = begin(statement, proving)
  const a = nonce()
  const b = nonce()
  const A1 = encoded(pedersen(a, b))
  const A2 = encoded(times(baseOf(statement), a))
  const { secrets, commitments } = commitMembership(C, points, index, nonce)
  const c = challengeOf(bytes, [A1, A2, commitments])
  return Buffer.concat([A1, A2, answer(a, c, x), answer(b, c, r), commitments, answerMembership(secrets, c, r)])
}

/** Proof that the commitment of a segment opens to its duration and gas. */
export function proveUsage(statement: Statement, rho: bigint, proving: Proving): Buffer {
  const { bytes, nonce } = begin(statement, proving)
  const b = nonce()
  const A1 = encoded(times(bases().H, b))
  return Buffer.concat([A1, answer(b, challengeOf(bytes, [A1]), rho)])
}

/** Proof that the sender of a signal holds a seat. */
export function proveSignal(statement: Statement, { x, r }: Member, proving: Proving): Buffer {
  const { bytes, nonce } = begin(statement, proving)
  const a = nonce()
  const b = nonce()
  const A1 = encoded(pedersen(a, b))
  const c = challengeOf(bytes, [A1])
  return Buffer.concat([A1, answer(a, c, x), answer(b, c, r)])
}

const baseOf = (statement: Statement): Point =>
  nullifierBase(statement.chain, statement.call, nullifierSession(statement))
