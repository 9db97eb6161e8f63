/**
 * Owns the tables of epochs: the calendar, records, terms, randomness, presence, and changes of mode (the scheduled one
 * and the last cancelled one).
 */

import { bool, hash32, type Infer, list, option, struct, u8, u32, varint } from '../../../../codec/index.js'
import { accountId, ROSTER_MAX } from '../../../../model/index.js'
import type { TableDef } from '../../../../state/index.js'
import { phaseTimeouts } from '../../schema/parameters.js'
import { consensusModeName, type Epoch, epoch, modeCancelReason, windows } from '../../schema/records.js'
import { snapshot } from '../elections/tables.js'
import { only, table } from '../table.js'

/** Position of the chain in its epoch. */
export interface Calendar extends Infer<typeof calendar_> {}
const calendar_ = struct('StakingCalendar', {
  epoch: varint,
  term: varint,
  start: varint,
  windows,
  /** Phase timeouts of a view, from the parameters at the beginning of the epoch. */
  phases: phaseTimeouts,
  /** False in permissioned mode, which has one open epoch. */
  isElected: bool,
  snapshot: option(snapshot),
  nextSeed: option(struct('StakingNextSeed', { seed: hash32, strongSeed: hash32, weak: bool, reveals: u32 })),
  /** First height of the next epoch, whose record is written. */
  nextStart: option(varint),
  /** First slash for which no event was emitted yet. */
  nextTold: varint,
  /** Oldest stored epoch, and its next seat to remove. */
  oldestEpoch: varint,
  oldestSeat: u32,
})
export const calendars: TableDef<string, Calendar> = table(607, 'calendar', only, calendar_, {
  holds: 'one epoch',
  filledBy: 'each block',
  atBound: 'one row',
})
export const epochs: TableDef<number, Epoch> = table(608, 'epochs', varint, epoch, {
  holds: '128 seats',
  filledBy: 'each epoch',
  atBound: 'leaves after 96 epochs, once no evidence and no slash is about it',
})

const randomness_ = struct('StakingRandomness', {
  commits: list(struct('RandomnessCommit', { validator: accountId, commitment: hash32 }), ROSTER_MAX),
  reveals: list(struct('RandomnessReveal', { validator: accountId, reveal: hash32 }), ROSTER_MAX),
})
export type Randomness = Infer<typeof randomness_>
export const randomness: TableDef<number, Randomness> = table(612, 'randomness', varint, randomness_, {
  holds: '128 commitments and reveals',
  filledBy: 'CommitRandomness, RevealRandomness',
  atBound: 'leaves with its epoch',
})

/** Term: its start, and its validators with proven faults. */
const term_ = struct('StakingTerm', {
  start: varint,
  epoch: varint,
  members: u32,
  offenders: list(struct('StakingOffender', { validator: accountId, faults: u32 }), ROSTER_MAX),
  openSlashes: u32,
})
export type Term = Infer<typeof term_>
export const terms: TableDef<number, Term> = table(614, 'terms', varint, term_, {
  holds: '128 offenders',
  filledBy: 'each election, blocks with evidence',
  atBound: 'stays: one row for each term',
})

const uptime_ = struct('StakingUptime', {
  epoch: varint,
  slotStart: varint,
  /** Number of ended slots. */
  slots: u32,
  /** Presence by seat. */
  seats: list(
    struct('StakingUptimeSeat', {
      isSeen: bool,
      /** True if seen in the previous slot. */
      wasSeen: bool,
      seenSlots: u32,
    }),
    ROSTER_MAX,
  ),
})
export type Uptime = Infer<typeof uptime_>
export const uptimes: TableDef<string, Uptime> = table(617, 'uptime', only, uptime_, {
  holds: '128 seats',
  filledBy: 'each block',
  atBound: 'one row; begins anew with each epoch',
})

/** Number of recent headers that a validator can attest. */
export const HEADERS_KEPT = 64
const header_ = struct('StakingHeader', { height: varint, stateRoot: hash32 })
export const headers: TableDef<number, Infer<typeof header_>> = table(618, 'headers', u8, header_, {
  holds: 'a root',
  filledBy: 'each block',
  atBound: '64 rows, each used again',
})

/** Staged change of mode. */
export interface StagedMode extends Infer<typeof stagedMode_> {}
const stagedMode_ = struct('StakingStagedMode', {
  mode: consensusModeName,
  height: varint,
  /** True if no recent signatures are required; checked again at the switch. */
  force: bool,
})
export const stagedModes: TableDef<string, StagedMode> = table(622, 'mode', only, stagedMode_, {
  holds: 'a mode and a height',
  filledBy: 'StageMode',
  atBound: 'one waits at most',
})

/** Change of mode that was cancelled at its height. */
export interface CancelledMode extends Infer<typeof cancelledMode_> {}
const cancelledMode_ = struct('StakingCancelledMode', {
  mode: consensusModeName,
  /** Height at which it was staged to activate. */
  height: varint,
  reason: modeCancelReason,
})
export const cancelledModes: TableDef<string, CancelledMode> = table(625, 'cancelled_mode', only, cancelledMode_, {
  holds: 'a mode, a height and a reason',
  filledBy: 'blocks that cancel a change of mode',
  atBound: 'one row: the last, until another change is staged',
})
