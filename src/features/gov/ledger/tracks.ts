/** Owns the founding of governance, its tracks and their scopes. */
import { accounts } from '../../../executor/accounts.js'
import { type ExecContext, type Execution, type Rejection, reject } from '../../../executor/contract.js'
import { parameterOf } from '../../../executor/parameters.js'
import { createAccount } from '../../../ledger/accounts.js'
import { countHolders } from '../../../ledger/grants.js'
import { amountFault } from '../../../ledger/money.js'
import { CAN_MANAGE_GOVERNANCE, global } from '../../../ledger/permission-kinds.js'
import { requirePermission } from '../../../ledger/permissions.js'
import { definitions, domains, tokens } from '../../../ledger/tables.js'
import { type Instruction, type InstructionOf, instruction, isInstruction, NO_METADATA } from '../../../model/index.js'
import { instructions as parameterInstructions } from '../../parameters/schema.js'
import { events as permissionEvents, instructions as permissionInstructions } from '../../permissions/schema.js'
import { EPOCH_LENGTH_BLOCKS, MIN_VALIDATORS } from '../../staking/schema/parameters.js'
import { events } from '../schema/events.js'
import { type FoundGovernance, instructions } from '../schema/instructions.js'
import type { Track } from '../schema/records.js'
import * as bounds from '../schema/records.js'
import { foundedState, GOV_ACCOUNT, requireGovernance, stateOf, writeState } from './account.js'
import { unitsOf } from './amounts.js'
import { electorateFault, reachFault } from './electorates.js'
import { floorFault, floorState } from './floor.js'
import { type GovState, tracks } from './tables.js'

const CAN_MANAGE_UPGRADES = global('CanManageRuntimeUpgrades')

/** Subjects of instructions that change electorates or store lists; only track 0 admits them. */
const CONSTITUTION: ReadonlySet<string> = new Set(['*', 'trigger', 'multisig', 'permission', 'role', 'gov'])
/** Scope elements that admit SetTrack. Without one of them on track 0, the rules could never be changed again. */
const AMENDING: ReadonlySet<string> = new Set(['*', 'gov', instructions.setTrack.label])
const subjectOf = (label: string): string => label.split('::', 1)[0] ?? ''

/** Scope elements that admit an instruction. */
function elementsOf(ctx: ExecContext, one: Instruction): readonly string[] {
  const label = ctx.abi.instructions.get(one.kind)?.label
  if (label === undefined) throw new Error(`the active ABI has no instruction ${one.kind}`)
  const named = isInstruction(one, parameterInstructions.setParameter) ? [`${label}=${one.value.name}`] : []
  return ['*', subjectOf(label), label, ...named]
}

/** Rejection of a list that the scope of its track does not admit. */
export function scopeFault(ctx: ExecContext, { scope }: Track, list: readonly Instruction[]): Rejection | undefined {
  const admitted = new Set(scope)
  const at = list.findIndex((one) => !elementsOf(ctx, one).some((element) => admitted.has(element)))
  return at < 0 ? undefined : reject('track_scope', `the track does not admit instruction ${at}, ${list[at]?.kind}`)
}

const bad = (message: string): Rejection => reject('bad_track', message)
const between = (what: string, value: number, low: number, high: number, unit = ''): Rejection | undefined =>
  value < low || value > high ? bad(`${what} must be between ${low} and ${high}${unit}`) : undefined

function scopesFault(id: number, { scope }: Track): Rejection | undefined {
  if (scope.length === 0) return bad('a track must have a scope')
  if (id === 0)
    return scope.some((element) => AMENDING.has(element))
      ? undefined
      : bad(`the scope of track 0 must contain one of ${[...AMENDING].join(', ')}`)
  const kept = scope.find((element) => CONSTITUTION.has(subjectOf(element)))
  return kept === undefined ? undefined : bad(`the scope ${kept} is allowed on track 0 only`)
}

function timesFault({ leadMs, votingMs, lateMs, timelockMs, graceMs, stepMs }: Track): Rejection | undefined {
  return (
    between('lead_ms', leadMs, 0, bounds.LEAD_MAX_MS) ??
    between('voting_ms', votingMs, bounds.VOTING_MIN_MS, bounds.VOTING_MAX_MS) ??
    (lateMs * 2 > votingMs ? bad('late_ms must be at most half of voting_ms') : undefined) ??
    between('timelock_ms', timelockMs, bounds.TIMELOCK_MIN_MS, bounds.TIMELOCK_MAX_MS) ??
    between('grace_ms', graceMs, bounds.GRACE_MIN_MS, bounds.GRACE_MAX_MS) ??
    between('step_ms', stepMs, timelockMs, bounds.STEP_MAX_MS)
  )
}

/** Rejection of a deposit because of its definition, or of an amount above the permitted share of the supply. */
function depositFault(ctx: ExecContext, { deposit }: Track): Rejection | undefined {
  if (deposit === undefined) return undefined
  const { definition, amount } = deposit
  const row = ctx.get(definitions, definition)
  if (row === undefined) return reject('absent', `asset definition ${definition} does not exist`)
  if (row.mintable.kind === 'lots') return bad('a deposit cannot be a class of real-world assets')
  const fault = amountFault(amount, row.scale)
  if (fault) return fault
  return unitsOf(amount) * BigInt(bounds.DEPOSIT_DIVISOR) > unitsOf(row.total)
    ? bad(`the deposit must be at most 1/${bounds.DEPOSIT_DIVISOR} of the supply of ${definition}`)
    : undefined
}

function minLockFault(ctx: ExecContext, { electorate, minLock }: Track): Rejection | undefined {
  if (minLock === undefined) return undefined
  if (electorate.kind !== 'asset') return bad('min_lock requires an electorate of an asset')
  const row = ctx.get(definitions, electorate.value.definition)
  const fault = amountFault(minLock, row?.scale)
  if (fault) return fault
  return unitsOf(minLock) * BigInt(bounds.MIN_LOCK_DIVISOR) > unitsOf(row?.total ?? minLock)
    ? bad(`min_lock must be at most 1/${bounds.MIN_LOCK_DIVISOR} of the supply`)
    : undefined
}

function quorumFault({ electorate, quorumBps }: Track): Rejection | undefined {
  const most = electorate.kind === 'asset' ? bounds.ASSET_QUORUM_MAX_BPS : bounds.MEMBER_QUORUM_MAX_BPS
  return quorumBps < 1 || quorumBps > most
    ? reject('bad_electorate', `quorum_bps must be between 1 and ${most}`)
    : undefined
}

/** Reason why a track is invalid, or undefined. */
function trackFault(ctx: ExecContext, id: number, track: Track): Rejection | undefined {
  return (
    between('the id of a track', id, 0, bounds.TRACKS_MAX - 1) ??
    scopesFault(id, track) ??
    electorateFault(ctx, track.electorate) ??
    quorumFault(track) ??
    reachFault(ctx, track) ??
    between('approval_bps', track.approvalBps, bounds.APPROVAL_MIN_BPS, bounds.APPROVAL_MAX_BPS) ??
    depositFault(ctx, track) ??
    minLockFault(ctx, track) ??
    timesFault(track) ??
    between('places', track.places, 1, bounds.PLACES_MAX)
  )
}

function putTrack(ctx: ExecContext, state: GovState, id: number, track: Track): Rejection | undefined {
  const fault = trackFault(ctx, id, track)
  if (fault) return fault
  ctx.set(tracks, id, track)
  const others = state.tracks.filter((one) => one.id !== id)
  const { electorate } = track
  writeState(ctx, { ...state, tracks: [...others, { id, electorate }].sort((a, b) => a.id - b.id) })
  ctx.emit(events.govTrackSet, { track: id, name: track.name })
  return undefined
}

/** Move the definitions of asset electorates from the founder to the governance account. */
function takeDefinitions(ctx: ExecContext, { tracks: founding }: FoundGovernance): Rejection | undefined {
  for (const { track } of founding) {
    if (track.electorate.kind !== 'asset') continue
    const { definition } = track.electorate.value
    if (ctx.get(definitions, definition)?.owner === GOV_ACCOUNT) continue
    const object = { kind: 'definition', value: definition } as const
    const failed = ctx.perform(instruction(permissionInstructions.transferOwnership, { object, to: GOV_ACCOUNT }))
    if (failed) return failed
  }
  return undefined
}

/** Register the governance account with its permission. */
function foundAccount(ctx: ExecContext, domain: string): Rejection | undefined {
  const failed = createAccount(ctx, { id: GOV_ACCOUNT, domain, label: undefined, metadata: NO_METADATA })
  if (failed) return failed
  const token = { name: CAN_MANAGE_GOVERNANCE.name, object: undefined, incarnation: undefined }
  ctx.set(tokens, GOV_ACCOUNT, [token])
  countHolders(ctx, [token], 1)
  ctx.emit(permissionEvents.permissionAdded, { account: GOV_ACCOUNT, token })
  return undefined
}

export const foundGovernance: Execution<FoundGovernance> = {
  cost: { base: 2_000, per: [{ teu: 200, item: 'track', count: (value) => value.tracks.length }] },
  primaryDomain: ({ domain }) => domain,
  execute(ctx, value) {
    const { domain, tracks: founding, vetoBps } = value
    if (!ctx.has(domains, domain)) return reject('absent', `domain ${domain} does not exist`)
    const denied = requirePermission(ctx, 'founding governance', undefined, [CAN_MANAGE_UPGRADES, undefined])
    if (denied) return denied
    if (stateOf(ctx) !== undefined || ctx.has(accounts, GOV_ACCOUNT))
      return reject('exists', 'governance is already founded')
    if (!founding.some(({ id }) => id === 0)) return bad('track 0 is missing')
    if (new Set(founding.map(({ id }) => id)).size < founding.length) return bad('a track is named twice')
    if (vetoBps !== undefined && (vetoBps < bounds.VETO_MIN_BPS || vetoBps > bounds.BPS))
      return bad(`veto_bps must be between ${bounds.VETO_MIN_BPS} and ${bounds.BPS}`)
    const failed = foundAccount(ctx, domain) ?? takeDefinitions(ctx, value)
    if (failed) return failed
    writeState(ctx, {
      domain,
      next: 1,
      open: [],
      closed: [],
      outcomesFrom: 1,
      tracks: [],
      vetoBps,
      terms: 0,
      epochLengthBlocks: parameterOf(ctx, EPOCH_LENGTH_BLOCKS),
      minValidators: parameterOf(ctx, MIN_VALIDATORS),
    })
    for (const { id, track } of founding) {
      const state = foundedState(ctx)
      const fault = 'code' in state ? state : putTrack(ctx, state, id, track)
      if (fault) return fault
    }
    ctx.emit(events.govFounded, { account: GOV_ACCOUNT, domain })
    const state = foundedState(ctx)
    return 'code' in state ? state : floorFault(floorState(ctx, state))
  },
}

export const setTrack: Execution<InstructionOf<typeof instructions.setTrack>> = {
  cost: { base: 400 },
  execute(ctx, { id, track }) {
    const state = foundedState(ctx)
    if ('code' in state) return state
    return requireGovernance(ctx, 'setting a track') ?? putTrack(ctx, state, id, track)
  },
}

export const removeTrack: Execution<InstructionOf<typeof instructions.removeTrack>> = {
  cost: { base: 400 },
  execute(ctx, { id }) {
    const state = foundedState(ctx)
    if ('code' in state) return state
    if (!state.tracks.some((one) => one.id === id)) return reject('absent', `track ${id} does not exist`)
    const denied = requireGovernance(ctx, 'removing a track')
    if (denied) return denied
    if (id === 0) return bad('track 0 cannot be removed')
    if (state.open.some(({ track }) => track === id)) return reject('not_empty', 'the track has open proposals')
    ctx.delete(tracks, id)
    writeState(ctx, { ...state, tracks: state.tracks.filter((one) => one.id !== id) })
    ctx.emit(events.govTrackRemoved, { track: id })
    return undefined
  },
}

/** Tracks on which nothing can be decided in the current state, with the reasons. */
export function unsoundTracks(
  ctx: ExecContext,
  { tracks: all }: Pick<GovState, 'tracks'>,
): ReadonlyMap<number, string> {
  const found = new Map<number, string>()
  for (const { id, electorate } of all) {
    const track = ctx.get(tracks, id)
    const fault = electorateFault(ctx, electorate) ?? (track && reachFault(ctx, track))
    if (fault) found.set(id, fault.message)
  }
  return found
}
