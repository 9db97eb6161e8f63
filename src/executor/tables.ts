/** Owns the tables that blocks themselves read and write: parameters, peers, schedule of committees, failures, replay window. */
import { bytes, hash32, list, map, option, type Schema, string, struct, varint } from '../codec/index.js'
import { name, type Peer, peer, ROSTER_MAX, type ValidatorKey, validatorKey } from '../model/index.js'
import type { TableDef } from '../state/index.js'

/** Largest encoded parameter value, in bytes. */
const PARAMETER_MAX_BYTES = 16 * 1024

/** A parameter: its value now and the changes that wait for their height. */
export interface ParameterRow {
  readonly current: Uint8Array
  readonly staged: readonly { readonly fromHeight: number; readonly value: Uint8Array }[]
}
const parameterRow_ = struct('ParameterRow', {
  current: bytes(PARAMETER_MAX_BYTES),
  staged: list(struct('StagedParameter', { fromHeight: varint, value: bytes(PARAMETER_MAX_BYTES) }), 8),
})
const parameterRow: Schema<ParameterRow> = parameterRow_
export const parameters: TableDef<string, ParameterRow> = { id: 1, name: 'parameters', key: name, value: parameterRow }

/** Registered peers by their BLS key. */
export const peers: TableDef<ValidatorKey, Peer> = { id: 2, name: 'peers', key: validatorKey, value: peer }

/** A key that says "the one row of this table". */
const only: Schema<string> = string(1)
export const ONLY = ''

/** Keys of all registered peers: execution cannot iterate a table. */
export const peerList: TableDef<string, readonly ValidatorKey[]> = {
  id: 3,
  name: 'peer_list',
  key: only,
  value: list(validatorKey, 4 * ROSTER_MAX),
}

/** Last height at which each validator let a view fail (design/consensus.md 2). */
export const failures: TableDef<string, ReadonlyMap<ValidatorKey, number>> = {
  id: 4,
  name: 'failures',
  key: only,
  value: map(validatorKey, varint, 4 * ROSTER_MAX),
}

/** Who votes at a height, fixed by the state two heights before. */
export interface ScheduleRow {
  readonly epoch: number
  readonly seed: Uint8Array
  /** Roster order: by key bytes. */
  readonly roster: readonly ValidatorKey[]
  readonly demoted: readonly ValidatorKey[]
}
const scheduleRow_ = struct('ScheduleRow', {
  epoch: varint,
  seed: hash32,
  roster: list(validatorKey, ROSTER_MAX),
  demoted: list(validatorKey, ROSTER_MAX),
})
const scheduleRow: Schema<ScheduleRow> = scheduleRow_
export const schedule: TableDef<number, ScheduleRow> = { id: 5, name: 'schedule', key: varint, value: scheduleRow }

/** Digest of the transaction ids of a block, until the last of them expires (design/ledger.md 5). */
export interface ReplayRow {
  readonly digest: Uint8Array
  readonly lastExpiryMs: number
}
const replayRow_ = struct('ReplayRow', { digest: hash32, lastExpiryMs: varint })
const replayRow: Schema<ReplayRow> = replayRow_
export const replay: TableDef<number, ReplayRow> = { id: 6, name: 'replay', key: varint, value: replayRow }

/** Oldest height whose replay row may still stand. */
export const replayStart: TableDef<string, number> = { id: 7, name: 'replay_start', key: only, value: varint }

/** What genesis fixed for good. */
export interface ChainRow {
  readonly chain: string
  readonly addressPrefix: string
  readonly consensusMode: string
  readonly genesisSeed: Uint8Array
  /** Number of the active ABI. */
  readonly abi: number
  readonly nextAbi: { readonly abi: number; readonly fromHeight: number } | undefined
}
const chainRow_ = struct('ChainRow', {
  chain: string(64),
  addressPrefix: string(16),
  consensusMode: string(16),
  genesisSeed: hash32,
  abi: varint,
  nextAbi: option(struct('NextAbi', { abi: varint, fromHeight: varint })),
})
const chainRow: Schema<ChainRow> = chainRow_
export const chainInfo: TableDef<string, ChainRow> = { id: 8, name: 'chain', key: only, value: chainRow }

export const SYSTEM_TABLES = [parameters, peers, peerList, failures, schedule, replay, replayStart, chainInfo]
