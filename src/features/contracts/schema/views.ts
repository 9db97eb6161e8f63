/** Owns the inputs and views of contract reads. */

import { pageOf } from '../../../api/paging.js'
import { pageQueryFields } from '../../../api/query-inputs.js'
import {
  bool,
  bytes,
  hash32,
  type Infer,
  list,
  option,
  string,
  struct,
  text,
  u8,
  u32,
  varint,
} from '../../../codec/index.js'
import { accountId, dataEvent, domainId } from '../../../model/index.js'
import * as records from './records.js'

/** Maximum size of a text of a contract: each byte that is not UTF-8 becomes a three-byte character. */
const TEXT_MAX_BYTES = 3 * records.EVENT_DATA_MAX_BYTES
/** Maximum gas of one view on a node. */
export const VIEW_GAS_MAX = 1_000_000
/** Maximum views of one batch. */
export const VIEWS_MAX = 16
/** Maximum records in one page of state, bounded by the size of their values. */
export const STATE_PAGE_MAX = 64
/** Maximum exact keys in one query parameter; a prefix parameter can be combined with it. */
export const STATE_PATHS_MAX = 16
const PATHS = '^([0-9a-f]{2}){1,128}(,([0-9a-f]{2}){1,128}){0,15}$'
/** State keys in hex, separated by commas. */
export const statePaths = text(
  'ContractStatePaths',
  STATE_PATHS_MAX * (2 * records.STATE_KEY_MAX_BYTES + 1),
  (value) => (new RegExp(PATHS).test(value) ? undefined : 'expected 1 to 16 keys in hex, separated by commas'),
  PATHS,
)

/** Position in a list of chain items: height, entry, index. */
export const place: Schema_ = text(
  'ContractPlace',
  40,
  (value) => (/^\d{1,15}:\d{1,9}:\d{1,9}$/.test(value) ? undefined : 'expected a place of three numbers'),
  '^\\d{1,15}:\\d{1,9}:\\d{1,9}$',
)
type Schema_ = ReturnType<typeof text>
/** State key in hex, used as a position in the list. */
const hexPlace = text(
  'ContractStatePlace',
  256,
  (value) => (/^([0-9a-f]{2}){1,128}$/.test(value) ? undefined : 'expected a key in hex'),
  '^([0-9a-f]{2}){1,128}$',
)
const addressPlace = text(
  'ContractAddressPlace',
  120,
  (value) => (/^[a-z0-9]{8,120}$/.test(value) ? undefined : 'expected an address'),
  '^[a-z0-9]{8,120}$',
)

export const artifactQuery = struct('ContractArtifactQuery', { hash: hash32 })
export type ArtifactQuery = Infer<typeof artifactQuery>
export interface ArtifactView extends Infer<typeof artifactView> {}
export const artifactView = struct('ContractArtifactView', {
  hash: hash32,
  artifact: records.artifact,
  manifest: records.manifest,
})
export interface CodeView extends Infer<typeof codeView> {}
export const codeView = struct('ContractCodeView', { hash: hash32, codeHash: hash32, code: records.code })

export const instanceQuery = struct('ContractInstanceQuery', { address: accountId })
export type InstanceQuery = Infer<typeof instanceQuery>
export interface InstanceView extends Infer<typeof instanceView> {}
export const instanceView = struct('ContractInstanceView', {
  address: accountId,
  instance: records.instance,
  /** Alias currently bound to the line of the contract. */
  alias: option(records.contractAlias),
  codeHash: hash32,
  manifest: records.manifest,
  /** Counts of its state. */
  keys: u32,
  bytes: varint,
  height: varint,
})
export interface InstanceItem extends Infer<typeof instanceItem> {}
export const instanceItem = struct('ContractInstanceItem', { address: accountId, instance: records.instance })
export const instancePage = pageOf('ContractInstancePage', instanceItem)
export const instancesQuery = struct('ContractInstancesQuery', {
  domain: option(domainId),
  ...pageQueryFields(addressPlace),
})
export type InstancesQuery = Infer<typeof instancesQuery>

export const aliasQuery = struct('ContractAliasQuery', { alias: records.contractAlias })
export type AliasQuery = Infer<typeof aliasQuery>
export interface AliasView extends Infer<typeof aliasView> {}
export const aliasView = struct('ContractAliasView', {
  alias: records.contractAlias,
  /** Address that calls use, so that a later binding of the alias does not redirect signed calls. */
  address: accountId,
  /** Account of the contract; payments to the alias are credited to it. */
  account: accountId,
  height: varint,
})

export const stateQuery = struct('ContractStateQuery', {
  address: accountId,
  /** Prefix of the keys. */
  prefix: option(bytes(records.STATE_KEY_MAX_BYTES)),
  /** Exact keys; empty: all keys. */
  keys: list(bytes(records.STATE_KEY_MAX_BYTES), STATE_PATHS_MAX + 1),
  ...pageQueryFields(hexPlace),
})
export type StateQuery = Infer<typeof stateQuery>
export interface StateItem extends Infer<typeof stateItem> {}
export const stateItem = struct('ContractStateItem', {
  key: bytes(records.STATE_KEY_MAX_BYTES),
  value: bytes(records.STATE_VALUE_MAX_BYTES),
})
export const statePage = pageOf('ContractStatePage', stateItem)

const diagnostic = struct('ContractDiagnostic', {
  contract: accountId,
  functionIndex: u32,
  byteOffset: u32,
  opcode: string(64),
  host: option(string(64)),
})
/** Call to simulate. */
export interface Trial extends Infer<typeof trial> {}
export const trial = struct('ContractTrial', {
  address: accountId,
  entrypoint: records.identifier,
  input: records.input,
  gasLimit: option(varint),
  /** Caller; absent: the owner of the contract. */
  caller: option(accountId),
  attach: records.attachments,
})
export interface TrialResult extends Infer<typeof trialResult> {}
const resultFields = {
  trap: u8,
  /** Name of the trap; `ok` if the call did not trap. */
  outcome: string(64),
  abortCode: u32,
  abortText: string(TEXT_MAX_BYTES),
  gasUsed: varint,
  output: bytes(records.OUTPUT_MAX_BYTES),
  height: varint,
  /** Root of the state used for the simulation. */
  stateRoot: hash32,
}
export const trialResult = struct('ContractTrialResult', resultFields)
export const viewBatch = struct('ContractViewBatch', { views: list(trial, VIEWS_MAX) })
export const viewBatchResults = struct('ContractViewBatchResults', { results: list(trialResult, VIEWS_MAX) })
export interface Simulation extends Infer<typeof simulation> {}
export const simulation = struct('ContractSimulation', {
  ...resultFields,
  /** Reason why it would not start. */
  refused: option(string(TEXT_MAX_BYTES)),
  logs: list(string(TEXT_MAX_BYTES), records.EVENTS_MAX),
  events: list(dataEvent, 10_000),
  diagnostics: list(diagnostic, records.DEPTH_MAX),
})

export const historyQuery = struct('ContractHistoryQuery', { address: accountId, ...pageQueryFields(place) })
export type HistoryQuery = Infer<typeof historyQuery>
/** Event emitted by a contract. */
export interface EventItem extends Infer<typeof eventItem> {}
export const eventItem = struct('ContractEventItem', {
  height: varint,
  entry: u32,
  position: u32,
  topic: records.topic,
  data: bytes(records.EVENT_DATA_MAX_BYTES),
})
/** Indexed event with its content, so that responses need no blocks. */
export const indexedEvent = struct('ContractIndexedEvent', {
  timeMs: varint,
  topic: records.topic,
  data: bytes(records.EVENT_DATA_MAX_BYTES),
})
export const eventPage = pageOf('ContractEventPage', eventItem)
/** Call from outside, by a transaction. */
export interface ActivityItem extends Infer<typeof activityItem> {}
const callFields = {
  timeMs: varint,
  transaction: hash32,
  caller: accountId,
  entrypoint: records.identifier,
  approved: bool,
  trap: u8,
  /** Gas of the whole transaction. */
  gasUsed: varint,
}
export const activityItem = struct('ContractActivityItem', {
  height: varint,
  entry: u32,
  position: u32,
  ...callFields,
})
/** Call in the index. */
export const indexedCall = struct('ContractIndexedCall', callFields)
export const activityPage = pageOf('ContractActivityPage', activityItem)

export const rollupQuery = struct('ContractRollupQuery', {
  address: accountId,
  windowMs: varint,
})
export type RollupQuery = Infer<typeof rollupQuery>
export interface RollupView extends Infer<typeof rollupView> {}
const rollup = struct('ContractRollup', {
  startMs: varint,
  calls: u32,
  failures: u32,
  gasUsed: varint,
  events: u32,
  callers: u32,
})
export const ROLLUPS_MAX = 400
export const rollupView = struct('ContractRollups', {
  /** Newest first. */
  windows: list(rollup, ROLLUPS_MAX),
  /** Number of calls that were read: the newest 500. */
  calls: u32,
  height: varint,
})
