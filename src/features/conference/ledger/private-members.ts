/**
 * Owns joining and leaving of private calls: seats are commitments, and spent nullifiers do not reveal their members.
 */
import { sameBytes } from '../../../base/bytes.js'
import { MAX_SESSION } from '../../../crypto/circuits/conference/index.js'
import { type ExecContext, type ProofContext, type Rejection, reject } from '../../../executor/contract.js'
import type { StateReader } from '../../../state/index.js'
import { rosterRootOf } from '../schema/hashes.js'
import type * as schema from '../schema/instructions.js'
import { type Call, ROOTS_KEPT, type Seat } from '../schema/records.js'
import { artefactFault, emitRoster, fullFault } from './common.js'
import { keyFault, proofFault, type Question, questionOf } from './proofs.js'
import { admissions, calls, nullifiers, roots, rosters } from './tables.js'

/** Minimum keys of a list that hides the joining member. */
const LIST_MIN = 2

/** Rejection of a proof whose roster root is not among the recent ones. */
function rootFault(ctx: StateReader, id: string, root: Uint8Array): Rejection | undefined {
  const isKept = (ctx.get(roots, id) ?? []).some((one) => sameBytes(one, root))
  return isKept ? undefined : reject('conference_stale_root', `the roster root is not among the last ${ROOTS_KEPT}`)
}

/**
 * Rejection of a nullifier that is invalid for this session: the first nullifier of a seat must be new, and each later
 * one must have been created by the previous session.
 */
function nullifierFault(ctx: StateReader, id: string, nullifier: Uint8Array, session: number): Rejection | undefined {
  const status = ctx.get(nullifiers, { call: id, nullifier })
  const isRight = session === 0 ? status === undefined : status === 'left'
  return isRight
    ? undefined
    : reject('conference_nullifier_used', `the nullifier does not belong to session ${session}`)
}

/** Rejection of a listed join whose proof is for a different list. */
function listFault(call: Call, admissionRoot: Uint8Array | undefined): Rejection | undefined {
  if (admissionRoot === undefined || call.admissionRoot === undefined) return undefined
  if (!sameBytes(admissionRoot, call.admissionRoot)) {
    return reject('conference_stale_admission', 'the list of keys has changed since the proof was made')
  }
  return call.admissionCount < LIST_MIN
    ? reject(
        'conference_admission_too_small',
        `the list has ${call.admissionCount} keys, but at least ${LIST_MIN} are required`,
      )
    : undefined
}

/** Effect of a join, with the claim of its proof. */
interface Joining {
  readonly roster: readonly Seat[]
  readonly seat: Seat
  readonly nullifier: Uint8Array
  readonly question: Question
}

function joiningOf(ctx: ProofContext, call: Call, value: schema.JoinConference): Joining | Rejection {
  const { call: id, participant, commitment, nullifier, session, rosterRoot, admissionRoot, proof } = value
  const isListed = call.admission === 'listed'
  const required = { commitment, nullifier, session, roster_root: rosterRoot, proof }
  const unfit = isListed
    ? artefactFault({ participant }, { ...required, admission_root: admissionRoot })
    : artefactFault({ participant, admission_root: admissionRoot }, required)
  if (unfit) return unfit
  if (!commitment || !nullifier || session === undefined || !rosterRoot || !proof)
    throw new Error('the proof is missing')

  const relation = isListed ? 'listedJoin' : 'openJoin'
  const roster = ctx.get(rosters, id) ?? []
  const refused =
    keyFault(ctx, relation, proof) ??
    rootFault(ctx, id, rosterRoot) ??
    (session > MAX_SESSION
      ? reject('conference_session_limit', `sessions are limited to ${MAX_SESSION}`)
      : undefined) ??
    listFault(call, admissionRoot) ??
    (seatOf(roster, commitment)
      ? reject('conference_commitment_used', 'the commitment already has a seat')
      : undefined) ??
    nullifierFault(ctx, id, nullifier, session) ??
    fullFault(ctx, call)
  if (refused) return refused
  const keys = isListed ? (ctx.get(admissions, id) ?? []) : []
  const proven = {
    relation,
    call: id,
    rosterRoot,
    admissionRoot,
    admissionCount: keys.length,
    session,
    commitment,
    nullifier,
  } as const
  return { roster, seat: { commitment, session }, nullifier, question: questionOf(ctx, proven, proof, keys) }
}

/** Proof claim of a join, or its rejection. */
export function joinQuestion(ctx: ProofContext, call: Call, value: schema.JoinConference): Question | Rejection {
  const joining = joiningOf(ctx, call, value)
  return 'code' in joining ? joining : joining.question
}

export function joinPrivately(ctx: ExecContext, call: Call, value: schema.JoinConference): Rejection | undefined {
  const joining = joiningOf(ctx, call, value)
  if ('code' in joining) return joining
  const { roster, seat, nullifier, question } = joining
  const refused = proofFault(question)
  if (refused) return refused
  const { call: id } = value
  ctx.set(nullifiers, { call: id, nullifier }, 'spent')
  const added = seat.session === 0 ? 1 : 0
  writeRoster(ctx, id, { ...call, nullifierCount: call.nullifierCount + added }, [...roster, seat])
  return undefined
}

/** Effect of a leave, with the claim of its proof. */
interface Leaving {
  readonly rest: readonly Seat[]
  readonly nullifier: Uint8Array
  readonly question: Question
}

function leavingOf(ctx: ProofContext, value: schema.LeaveConference): Leaving | Rejection {
  const { call: id, participant, commitment, nullifier, rosterRoot, proof } = value
  const unfit = artefactFault({ participant }, { commitment, nullifier, roster_root: rosterRoot, proof })
  if (unfit) return unfit
  if (!commitment || !nullifier || !rosterRoot || !proof) throw new Error('the proof is missing')

  const refused = keyFault(ctx, 'leave', proof) ?? rootFault(ctx, id, rosterRoot)
  if (refused) return refused
  const roster = ctx.get(rosters, id) ?? []
  const seat = seatOf(roster, commitment)
  if (seat === undefined) return reject('conference_not_in_roster', 'the commitment has no seat in the call')
  if (ctx.has(nullifiers, { call: id, nullifier })) {
    return reject('conference_nullifier_used', 'the nullifier was already spent or left')
  }
  const { session } = seat
  const proven = { relation: 'leave', call: id, rosterRoot, session, commitment, nullifier } as const
  return { rest: roster.filter((one) => one !== seat), nullifier, question: questionOf(ctx, proven, proof) }
}

/** Proof claim of a leave, or its rejection. */
export function leaveQuestion(ctx: ProofContext, value: schema.LeaveConference): Question | Rejection {
  const leaving = leavingOf(ctx, value)
  return 'code' in leaving ? leaving : leaving.question
}

export function leavePrivately(ctx: ExecContext, call: Call, value: schema.LeaveConference): Rejection | undefined {
  const leaving = leavingOf(ctx, value)
  if ('code' in leaving) return leaving
  const { rest, nullifier, question } = leaving
  const refused = proofFault(question)
  if (refused) return refused
  const { call: id } = value
  ctx.set(nullifiers, { call: id, nullifier }, 'left')
  writeRoster(ctx, id, { ...call, nullifierCount: call.nullifierCount + 1 }, rest)
  return undefined
}

/** Seat of a commitment. */
export const seatOf = (roster: readonly Seat[], commitment: Uint8Array): Seat | undefined =>
  roster.find((one) => sameBytes(one.commitment, commitment))

function writeRoster(ctx: ExecContext, id: string, call: Call, roster: readonly Seat[]): void {
  const rosterRoot = rosterRootOf(roster.map((seat) => seat.commitment))
  const next = { ...call, memberCount: roster.length, rosterRoot }
  ctx.set(rosters, id, roster)
  ctx.set(roots, id, [...(ctx.get(roots, id) ?? []), rosterRoot].slice(-ROOTS_KEPT))
  ctx.set(calls, id, next)
  emitRoster(ctx, id, next)
}
