/** Owns the queries of proposals: lists, contents, counts, and the trial of a list. */
import type { Page } from '../../../api/paging.js'
import { NUMERIC_MAX_SCALE, type Numeric } from '../../../codec/index.js'
import { type Rejection, reject } from '../../../executor/contract.js'
import type { QueryContext, QueryRun } from '../../../executor/reads.js'
import { storedList } from '../../../executor/stored-lists.js'
import { nowOf, shownList } from '../../../ledger/query.js'
import { limitOf } from '../../../ledger/table-page.js'
import { BPS, type GovStatus } from '../schema/records.js'
import type * as views from '../schema/views.js'
import { GOV_ACCOUNT, stateOf } from './account.js'
import { amountOfUnits, unitsOf } from './amounts.js'
import { isApproved, isQuorate, tallyOf } from './counting.js'
import { isOpen } from './due.js'
import type { StateAt } from './electorates.js'
import { runList } from './enactment.js'
import { listFault } from './lists.js'
import { ballots, contentPages, contents, type Referendum, referenda, tracks } from './tables.js'
import { scopeFault } from './tracks.js'

/** Committed state at the height of a query. */
export const stateAt = ({ reader, height }: QueryContext): StateAt => ({
  get: (table, key) => reader.get(table, key),
  has: (table, key) => reader.has(table, key),
  env: { height },
})

/** Status at a time; the lead ends without a step of the proposal. */
const statusAt = ({ status, votingFromMs }: Referendum, nowMs: number): GovStatus =>
  status === 'lead' && nowMs >= votingFromMs ? 'voting' : status

const timesOf = (row: Referendum) => {
  const { submittedMs, votingFromMs, endMs, enactFromMs, enactUntilMs, closedMs, dueMs } = row
  return { submittedMs, votingFromMs, endMs, enactFromMs, enactUntilMs, closedMs, dueMs }
}

/** Smallest amount that meets a quorum. */
function quorumAmount({ base, rules }: Referendum): Numeric {
  const exact = unitsOf(base) * BigInt(rules.quorumBps)
  const units = (exact + BigInt(BPS) - 1n) / BigInt(BPS)
  const whole = 10n ** BigInt(NUMERIC_MAX_SCALE)
  return amountOfUnits(units) ?? { mantissa: (units + whole - 1n) / whole, scale: 0 }
}

function tallyView(ctx: QueryContext, number: number, row: Referendum): views.TallyRow {
  const tally = isOpen(row) && row.status !== 'approved' ? tallyOf(stateAt(ctx), number, row) : row.tally
  return {
    ...tally,
    base: row.base,
    quorum: quorumAmount(row),
    approvalBps: row.rules.approvalBps,
    isQuorate: isQuorate(row, tally),
    isApproved: isApproved(row, tally),
  }
}

function itemOf(ctx: QueryContext, number: number, row: Referendum, nowMs: number): views.ProposalItem {
  const content = ctx.reader.get(contents, number)
  if (content === undefined) throw new Error(`proposal ${number} has no content`)
  const { track, proposer, digest } = row
  return {
    proposal: number,
    track,
    trackName: content.track.name,
    title: content.title,
    proposer,
    digest,
    ...timesOf(row),
    status: statusAt(row, nowMs),
    tally: tallyView(ctx, number, row),
  }
}

/** Proposals with records, newest first. */
function numbersOf({ reader }: QueryContext): readonly number[] {
  const state = stateOf(reader)
  if (state === undefined) return []
  return [...state.open.map(({ proposal }) => proposal), ...state.closed].sort((a, b) => b - a)
}

export const proposalsQuery: QueryRun<views.ProposalsQuery, Page<views.ProposalItem>> = async (ctx, query) => {
  const { status, track, proposer, isOpen: wanted, after } = query
  const nowMs = await nowOf(ctx)
  const matching = numbersOf(ctx).flatMap((number) => {
    const row = ctx.reader.get(referenda, number)
    const isWanted =
      row !== undefined &&
      (after === undefined || number < Number(after)) &&
      (status === undefined || statusAt(row, nowMs) === status) &&
      (track === undefined || row.track === track) &&
      (proposer === undefined || row.proposer === proposer) &&
      (wanted === undefined || isOpen(row) === wanted)
    return isWanted ? [{ number, row }] : []
  })
  const shown = matching.slice(0, limitOf(query.limit))
  return {
    items: shown.map(({ number, row }) => itemOf(ctx, number, row, nowMs)),
    nextCursor: matching.length > shown.length ? String(shown.at(-1)?.number) : undefined,
    height: ctx.height,
  }
}

const outcomeOf = ({ attempts, error, deposit, isVetoable }: Referendum) => ({ attempts, error, deposit, isVetoable })

export const proposalQuery: QueryRun<views.ProposalQuery, views.ProposalView> = async (ctx, { proposal }) => {
  const row = ctx.reader.get(referenda, proposal)
  const content = row && ctx.reader.get(contents, proposal)
  if (row === undefined || content === undefined) return undefined
  const { summary, link, track: rules, instructionBytes } = content
  const source = { pages: contentPages, of: proposal, row: content, codec: ctx.codec }
  return {
    ...itemOf(ctx, proposal, row, await nowOf(ctx)),
    ...outcomeOf(row),
    summary,
    link,
    rules,
    instructionBytes,
    instructions: shownList(storedList(ctx.reader, source)),
    height: ctx.height,
  }
}

export const referendumQuery: QueryRun<views.ProposalQuery, views.ReferendumView> = async (ctx, { proposal }) => {
  const row = ctx.reader.get(referenda, proposal)
  if (row === undefined) return undefined
  const { track, digest, plannedEndMs } = row
  const status = statusAt(row, await nowOf(ctx))
  return { proposal, track, status, digest, ...timesOf(row), plannedEndMs, ...outcomeOf(row), height: ctx.height }
}

export const tallyQuery: QueryRun<views.ProposalQuery, views.TallyView> = async (ctx, { proposal }) => {
  const row = ctx.reader.get(referenda, proposal)
  if (row === undefined) return undefined
  return {
    proposal,
    status: statusAt(row, await nowOf(ctx)),
    ...tallyView(ctx, proposal, row),
    ballots: ctx.reader.get(ballots, proposal) ?? [],
    height: ctx.height,
  }
}

/** Maximum events of a trial in a response, and maximum length of a message. */
const EVENTS_MAX = 1_024
const MESSAGE_MAX = 1_024

/** Run a list as the governance account, with the checks of a proposal and of its enactment. */
export const simulationQuery: QueryRun<views.SimulationQuery, views.SimulationView> = async (ctx, query) => {
  const { track: id, instructions } = query
  let position: number | undefined
  const trial = await ctx.tryOut(GOV_ACCOUNT, (part): { readonly rejection: Rejection | undefined } => {
    const track = id === undefined ? undefined : part.get(tracks, id)
    if (id !== undefined && track === undefined) return { rejection: reject('absent', `track ${id} does not exist`) }
    if (stateOf(part) === undefined) return { rejection: reject('absent', 'governance is not founded') }
    const refused = (track && scopeFault(part, track, instructions)) ?? listFault(part, instructions)
    return {
      rejection:
        refused ??
        part.fork((list) =>
          runList(list, instructions, (at) => {
            position = at
          }),
        ),
    }
  })
  const { rejection } = trial.result
  return {
    error: rejection?.code,
    message: rejection?.message.slice(0, MESSAGE_MAX),
    position: rejection === undefined ? undefined : position,
    events: rejection === undefined ? trial.events.slice(0, EVENTS_MAX) : [],
    height: ctx.height,
  }
}
