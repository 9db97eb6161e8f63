/**
 * Owns presence: a member is seen in a slot by its bit in an embedded certificate or by a block that it proposed, and
 * is excluded if absent.
 */

import { proposerOf, setPositions } from '../../../../consensus/index.js'
import { MISSED_SLOTS_MAX, slotHeights, worstOf } from '../../../../consensus/npos/index.js'
import type { BlockEnv } from '../../../../executor/contract.js'
import { committeeAt, scheduleOf } from '../../../../executor/membership.js'
import type { DataEvent, ValidatorKey } from '../../../../model/index.js'
import type { StateReader, StateWriter } from '../../../../state/index.js'
import type { JailReason, Validator } from '../../schema/records.js'
import { ONLY } from '../table.js'
import { validators } from '../validators/tables.js'
import { emitValidator } from '../validators/validators.js'
import { budgetOf, seatsOf } from './calendar.js'
import { randomnessOf } from './duties.js'
import { type Calendar, type Uptime, uptimes } from './tables.js'

/** Keys seen in a block: the signers of its embedded parent certificate, and its first proposer. */
function keysSeen(state: StateReader, { height, consensus }: BlockEnv, epoch: number): ValidatorKey[] {
  if (consensus === undefined) return []
  const { chainHash, originView, parentCertificate } = consensus
  const seen: ValidatorKey[] = []
  const own = scheduleOf(state, height)
  if (own.epoch === epoch) seen.push(proposerOf(committeeAt(own, chainHash, height).order, originView))
  if (parentCertificate === undefined) return seen
  const before = scheduleOf(state, parentCertificate.height)
  if (before.epoch !== epoch) return seen
  const { committee } = committeeAt(before, chainHash, parentCertificate.height)
  for (const position of setPositions(parentCertificate.bitmap)) seen.push(committee.keys[position] ?? '')
  return seen
}

/** End a slot: members that were not seen in it missed it. */
function endSlot(state: StateWriter, calendar: Calendar, uptime: Uptime, height: number): Uptime {
  for (const [seat, { validator }] of seatsOf(state, calendar).entries()) {
    const row = state.get(validators, validator)
    const isSeen = uptime.seats[seat]?.isSeen === true
    const missedSlots = isSeen ? 0 : (row?.missedSlots ?? 0) + 1
    if (row !== undefined && row.missedSlots !== missedSlots) state.set(validators, validator, { ...row, missedSlots })
  }
  return {
    ...uptime,
    slotStart: height + 1,
    slots: uptime.slots + 1,
    seats: uptime.seats.map(({ isSeen, seenSlots }) => ({
      isSeen: false,
      wasSeen: isSeen,
      seenSlots: seenSlots + (isSeen ? 1 : 0),
    })),
  }
}

/** Record the members seen in a block; the last block of an epoch ends its slot. */
export function noteUptime(state: StateWriter, env: BlockEnv, calendar: Calendar): void {
  const before = state.get(uptimes, ONLY)
  if (before === undefined || before.epoch !== calendar.epoch) return
  const seats = seatsOf(state, calendar)
  let uptime = before
  // Usually all were seen already, and no committee needs to be drawn.
  if (before.seats.some(({ isSeen }) => !isSeen)) {
    const seen = new Set(keysSeen(state, env, calendar.epoch))
    const isNew = (seat: number): boolean => before.seats[seat]?.isSeen === false && seen.has(seats[seat]?.key ?? '')
    if (before.seats.some((_, seat) => isNew(seat))) {
      const noted = before.seats.map((one, seat) => (isNew(seat) ? { ...one, isSeen: true } : one))
      uptime = { ...before, seats: noted }
    }
  }
  const isLast = calendar.nextStart === env.height + 1
  const isFull = env.height + 1 - uptime.slotStart >= slotHeights(seats.length)
  if (isLast || isFull) uptime = endSlot(state, calendar, uptime, env.height)
  if (uptime !== before) state.set(uptimes, ONLY, uptime)
}

/** Jail a validator. */
export function jail(
  state: StateWriter,
  account: string,
  row: Validator,
  value: { readonly reason: JailReason; readonly since: number; readonly untilEpoch: number },
): DataEvent {
  const next: Validator = { ...row, status: { kind: 'jailed', value } }
  state.set(validators, account, next)
  return emitValidator(account, 'jailed', next)
}

/** Weights that order the reasons of jailing; withholding outweighs any absence. */
const WITHHELD_WEIGHT = 2_000_000
const DOWNTIME_WEIGHT = 1_000_000
/** Consecutive epochs without a commitment after which a member counts as absent. */
const ABSENT_EPOCHS_MAX = 2

/**
 * Check the absences of members at the snapshot: the worst ones, at most the fault budget, are excluded from the next
 * epoch. Their stake is not slashed, because absence cannot be proven.
 */
export function jailAbsent(state: StateWriter, calendar: Calendar, height: number): DataEvent[] {
  const { epoch } = calendar
  const now = new Set(randomnessOf(state, epoch).commits.map(({ validator }) => validator))
  const before = epoch === 0 ? { commits: [], reveals: [] } : randomnessOf(state, epoch - 1)
  const opened = new Set(before.reveals.map(({ validator }) => validator))
  const withheld = new Set(before.commits.map(({ validator }) => validator).filter((one) => !opened.has(one)))
  const absences = seatsOf(state, calendar).flatMap(({ validator }) => {
    const row = state.get(validators, validator)
    if (row === undefined) return []
    const absentEpochs = now.has(validator) ? 0 : row.absentEpochs + 1
    const next = { ...row, absentEpochs }
    if (absentEpochs !== row.absentEpochs) state.set(validators, validator, next)
    if (row.status.kind !== 'active') return []
    const reasons: readonly (readonly [JailReason, boolean, number])[] = [
      ['withheld', withheld.has(validator), WITHHELD_WEIGHT],
      ['downtime', row.missedSlots >= MISSED_SLOTS_MAX, DOWNTIME_WEIGHT + row.missedSlots],
      ['absent', absentEpochs >= ABSENT_EPOCHS_MAX, absentEpochs],
    ]
    const found = reasons.find(([, applies]) => applies)
    return found === undefined ? [] : [{ member: { validator, reason: found[0] }, weight: found[2] }]
  })
  return worstOf(absences, budgetOf(state, calendar)).flatMap(({ validator, reason }) => {
    const row = state.get(validators, validator)
    return row === undefined ? [] : [jail(state, validator, row, { reason, since: height, untilEpoch: epoch + 1 })]
  })
}
