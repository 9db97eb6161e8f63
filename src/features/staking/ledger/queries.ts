/** Owns the queries of staking. */

import { accountOfCursor, rewardOfCursor } from '../../../api/cursors.js'
import type { Page } from '../../../api/paging.js'
import { fromHex, toHex } from '../../../codec/index.js'
import { placeOf, STEPS } from '../../../consensus/npos/index.js'
import type { QueryContext, QueryRun } from '../../../executor/reads.js'
import { limitOf, SCAN_MAX } from '../../../ledger/table-page.js'
import { type AccountId, formatAddress } from '../../../model/index.js'
import type { StateReader } from '../../../state/index.js'
import type { Election, Slash } from '../schema/records.js'
import type * as views from '../schema/views.js'
import { historyItem } from '../schema/views.js'
import { elections, exposures } from './elections/tables.js'
import { calendarOf, seatsOf, windowsOf } from './epochs/calendar.js'
import { dutiesAt, randomnessOf } from './epochs/duties.js'
import { modeIn } from './epochs/mode.js'
import { type Calendar, cancelledModes, epochs, HEADERS_KEPT, headers, stagedModes } from './epochs/tables.js'
import { currentTerm, isTermOver } from './epochs/terms.js'
import { historyPrefix } from './indexes.js'
import { PAYOUT_EPOCHS } from './rewards/rewards.js'
import { rewards } from './rewards/tables.js'
import { openSlashes, slashes } from './slashing/tables.js'
import { stakeOf } from './stake/bonds.js'
import { isFrozen, targetsOf } from './stake/exposed.js'
import { amountOf, heldUnits, knownPool } from './stake/pool.js'
import { NO_AMOUNT, stakes } from './stake/tables.js'
import { ONLY } from './table.js'
import { operators, validators } from './validators/tables.js'

const prefixOf = ({ codec }: QueryContext): string => codec.addressPrefix ?? ''

export const stakingStatusQuery: QueryRun<Record<string, never>, views.StakingStatusView> = async ({
  reader,
  height,
}) => {
  const pool = knownPool(reader)
  const calendar = calendarOf(reader)
  return {
    mode: modeIn(reader),
    definition: pool?.definition,
    total: pool?.total ?? NO_AMOUNT,
    candidates: pool?.candidates ?? 0,
    voters: pool?.voters ?? 0,
    epoch: calendar?.epoch ?? 0,
    term: calendar?.term ?? 0,
    height,
  }
}

function validatorView(state: StateReader, account: AccountId): views.StakingValidatorView | undefined {
  const validator = state.get(validators, account)
  if (validator === undefined) return undefined
  const { bonded, slot } = stakeOf(state, account)
  const calendar = calendarOf(state)
  return {
    account,
    validator,
    bonded,
    isListed: slot !== undefined,
    hasSeat: calendar !== undefined && seatsOf(state, calendar).some((seat) => seat.validator === account),
    exposure: state.get(exposures, { term: currentTerm(state), validator: account }),
    openSlashes: state.get(openSlashes, account) ?? 0,
  }
}

export const stakingValidatorsQuery: QueryRun<views.ValidatorsQuery, Page<views.StakingValidatorView>> = async (
  ctx,
  query,
) => {
  const limit = limitOf(query.limit)
  const place = query.after === undefined ? undefined : accountOfCursor(query.after)
  const rows = await ctx.rows(validators, { after: place, limit: limit + 1 })
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    items: shown.flatMap(({ key }) => validatorView(ctx.reader, key) ?? []),
    nextCursor: rows.length > shown.length && last !== undefined ? formatAddress(last.key, prefixOf(ctx)) : undefined,
    height: ctx.height,
  }
}
export const stakingValidatorQuery: QueryRun<views.AccountQuery, views.StakingValidatorView> = async (
  { reader },
  { account },
) => validatorView(reader, account)

export const stakingStakeQuery: QueryRun<views.AccountQuery, views.StakeView> = async (
  { reader, height },
  { account },
) => {
  const stake = reader.get(stakes, account)
  const pool = knownPool(reader)
  if (stake === undefined || pool === undefined) return undefined
  const free = stake.unbonding.filter(({ term }) => isTermOver(reader, term, height + 1))
  return {
    account,
    definition: pool.definition,
    stake,
    targets: targetsOf(reader, stake),
    free: amountOf(
      free.reduce((sum, { amount }) => sum + heldUnits(amount, pool), 0n),
      pool,
    ),
    isFrozen: isFrozen(reader, account, stake),
    height,
  }
}

/** Step of the calendar at the height after the head. */
function stepOf(calendar: Calendar, height: number): string {
  const { windows, start, isElected } = calendar
  if (!isElected) return 'open'
  const q = placeOf(height + 1, start, windows)
  if (q < 0) return 'open'
  if (STEPS.isCommit(q, windows)) return 'commit'
  if (STEPS.isReveal(q, windows)) return 'reveal'
  return STEPS.isOutcomeDue(q, windows) && !STEPS.isSeedDue(q, windows)
    ? 'reveal'
    : q <= windows.commit + windows.election
      ? 'election'
      : 'closing'
}

export const stakingEpochQuery: QueryRun<views.EpochQuery, views.StakingEpochView> = async (
  { reader, height },
  { epoch: asked },
) => {
  const calendar = calendarOf(reader)
  if (asked !== undefined && asked !== (calendar?.epoch ?? 0) && reader.get(epochs, asked) === undefined)
    return undefined
  const number = asked ?? calendar?.epoch ?? 0
  const record = reader.get(epochs, number)
  const isNow = calendar !== undefined && number === calendar.epoch
  const windows = record?.windows ?? calendar?.windows ?? windowsOf(reader)
  const staged = reader.get(stagedModes, ONLY)
  const { commits, reveals } = randomnessOf(reader, number)
  const start = record?.start ?? calendar?.start ?? 1
  const end = calendar?.nextStart ?? start + windows.length
  return {
    mode: modeIn(reader),
    stagedMode: staged?.mode,
    stagedHeight: staged?.height,
    cancelledMode: reader.get(cancelledModes, ONLY),
    epoch: number,
    term: record?.term ?? calendar?.term ?? 0,
    start,
    windows,
    blocksLeft: isNow && calendar.isElected ? Math.max(0, end - height - 1) : undefined,
    step: isNow ? stepOf(calendar, height) : 'open',
    record,
    election: reader.get(elections, number),
    nextElection: isNow && calendar.snapshot?.isDecided === true ? reader.get(elections, number + 1) : undefined,
    commits: commits.length,
    reveals: reveals.length,
    keptElections: calendar === undefined ? 0 : Math.max(0, calendar.epoch + 1 - calendar.term),
    height,
  }
}

export const stakingElectionQuery: QueryRun<{ readonly epoch: number }, Election> = async ({ reader }, { epoch }) =>
  reader.get(elections, epoch)

export const stakingRandomnessQuery: QueryRun<
  { readonly epoch: number },
  { epoch: number } & ReturnType<typeof randomnessOf>
> = async ({ reader }, { epoch }) =>
  reader.get(epochs, epoch) === undefined ? undefined : { epoch, ...randomnessOf(reader, epoch) }

export const stakingRewardsQuery: QueryRun<views.RewardsQuery, Page<views.PendingReward>> = async (ctx, query) => {
  const { reader, height } = ctx
  const limit = limitOf(query.limit)
  const oldest = Math.max(0, (calendarOf(reader)?.epoch ?? 0) - PAYOUT_EPOCHS)
  const at = query.after === undefined ? undefined : rewardOfCursor(query.after)
  const after = at && { epoch: at.epoch, validator: at.account }
  const items: views.PendingReward[] = []
  let place = after
  let isEnd = false
  for (let seen = 0; seen < SCAN_MAX && items.length < limit && !isEnd; ) {
    const rows = await ctx.rows(rewards, { after: place, limit: 100 })
    isEnd = rows.length < 100
    seen += rows.length
    for (const { key, value } of rows) {
      place = key
      const exposed = reader.get(exposures, { term: value.term, validator: key.validator })
      const pages = Math.max(1, exposed?.pages ?? 0)
      const isWanted = query.account === undefined || query.account === key.validator
      if (key.epoch < oldest || !isWanted || value.paid.length >= pages) continue
      const { amount, paid } = value
      items.push({ ...key, amount, commissionBps: exposed?.commissionBps ?? 0, pages, paid })
      if (items.length === limit) break
    }
  }
  const isMore = items.length === limit || !isEnd
  const nextCursor =
    isMore && place !== undefined ? `${place.epoch}.${formatAddress(place.validator, prefixOf(ctx))}` : undefined
  return { items, nextCursor, height }
}

export const stakingSlashesQuery: QueryRun<views.SlashesQuery, Page<Slash>> = async ({ reader, height }, query) => {
  const limit = limitOf(query.limit)
  const items: Slash[] = []
  let id = query.after === undefined ? (knownPool(reader)?.nextSlash ?? 1) - 1 : Number(query.after) - 1
  for (let seen = 0; id >= 1 && seen < SCAN_MAX && items.length < limit; id -= 1, seen += 1) {
    const row = reader.get(slashes, id)
    if (row !== undefined && (query.account === undefined || row.validator === query.account)) items.push(row)
  }
  return { items, nextCursor: id >= 1 ? String(id + 1) : undefined, height }
}

export const stakingHistoryQuery: QueryRun<views.HistoryQuery, Page<views.StakeHistoryItem>> = async (ctx, query) => {
  const limit = limitOf(query.limit)
  const prefix = historyPrefix(query.account)
  const end = query.after === undefined ? Buffer.alloc(12, 0xff) : Buffer.from(fromHex(query.after) ?? [])
  const found: [Buffer, Buffer][] = []
  const range = { gte: prefix, lt: Buffer.concat([prefix, end]), reverse: true, limit: limit + 1 }
  for await (const [key, value] of ctx.indexRange(range)) found.push([key, value])
  const shown = found.slice(0, limit)
  const items = shown.map(([, value]) => {
    const decoded = historyItem.decode(value)
    if (!decoded.ok) throw new Error(`a record of the stake history does not decode: ${decoded.fault.message}`)
    return decoded.value
  })
  const last = shown.at(-1)?.[0]
  const isMore = found.length > shown.length && last !== undefined
  return { items, nextCursor: isMore ? toHex(last.subarray(prefix.length)) : undefined, height: ctx.height }
}

export const stakingDutyQuery: QueryRun<views.AccountQuery, views.DutyView> = async (
  { reader, height },
  { account: operator },
) => {
  const validator = reader.get(operators, operator)
  const calendar = calendarOf(reader)
  if (validator === undefined || calendar === undefined) return undefined
  const own = dutiesAt(reader, operator, height + 1)
  const seat = seatsOf(reader, calendar).find((one) => one.validator === validator)
  // Members are seen by their signatures: only others have to attest that they are in sync.
  const duties = own.filter((duty) => duty !== 'attestReady' || seat === undefined)
  const header = reader.get(headers, (height - 1) % HEADERS_KEPT)
  return { validator, epoch: calendar.epoch, duties, key: seat?.key, header }
}
