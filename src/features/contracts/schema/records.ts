/** Owns the records of contracts: manifests, artifacts, instances, calls. */

import {
  bool,
  bounded,
  bytes,
  hash32,
  type Infer,
  list,
  numeric,
  option,
  type Schema,
  string,
  struct,
  text,
  u32,
  unitEnum,
  varint,
  varintBig,
} from '../../../codec/index.js'
import { hash } from '../../../crypto/index.js'
import { accountId, accountKey, assetDefinitionId, domainId, parseAlias, range } from '../../../model/index.js'
import { MODULE_MAX_BYTES } from '../../../vm/index.js'
import { typeFault } from './type-texts.js'

export const CONTRACT_IDS = range(5)
const BASE = CONTRACT_IDS.first

export const CONTRACT_TABLES = {
  artifact: BASE,
  code: BASE + 1,
  manifest: BASE + 2,
  instance: BASE + 3,
  line: BASE + 4,
  state: BASE + 5,
  nonce: BASE + 6,
} as const

/** Bounds of calls, in bytes. */
export const INPUT_MAX_BYTES = 64 * 1024
export const OUTPUT_MAX_BYTES = 16 * 1024
/** Maximum size of an instruction run by a contract: the metadata of an object and its envelope. */
export const EXECUTE_MAX_BYTES = 96 * 1024
/** Maximum assets attached to a call. */
export const ATTACH_MAX = 8
/** Maximum size of keys and of values in the state of a contract, in bytes. */
export const STATE_KEY_MAX_BYTES = 128
export const STATE_VALUE_MAX_BYTES = 16 * 1024
/** Storage limits of one contract. */
export const STATE_KEYS_MAX = 1_000_000
export const STATE_MAX_BYTES = 64 * 1024 * 1024
/**
 * Limits of the events of one call with its nested calls: their number, their total bytes, and the bytes of topic and
 * data of each.
 */
export const EVENTS_MAX = 64
export const EVENT_BYTES_MAX = 64 * 1024
export const TOPIC_MAX_BYTES = 64
export const EVENT_DATA_MAX_BYTES = 4 * 1024
/** Maximum nesting of contract calls. */
export const DEPTH_MAX = 8
/** Maximum size of a manifest, in bytes: it is one row. */
export const MANIFEST_MAX_BYTES = 16 * 1024
const ENTRYPOINTS_MAX = 128
const PARAMS_MAX = 16
const TYPE_MAX_BYTES = 512
const REASON_MAX_BYTES = 256

const IDENTIFIER = '^[A-Za-z_][A-Za-z0-9_]{0,63}$'
/** Name of an entrypoint, a parameter or a field. */
export const identifier: Schema<string> = text(
  'ContractIdentifier',
  64,
  (value) =>
    new RegExp(IDENTIFIER).test(value)
      ? undefined
      : 'a name must begin with a letter and consist of letters, digits and _',
  IDENTIFIER,
)
/** Topic of an event. */
export const topic: Schema<string> = text(
  'ContractTopic',
  TOPIC_MAX_BYTES,
  (value) => (/^[!-~]{1,64}$/.test(value) ? undefined : 'a topic must have 1 to 64 printable ASCII characters'),
  '^[!-~]{1,64}$',
)
/** Type of a value: `u64`, `list<account>`, `{to: account, amount: numeric}`. */
export const valueType: Schema<string> = text('ContractType', TYPE_MAX_BYTES, typeFault, '^[!-~ ]{1,512}$')
const PERMISSION = '^(owner|role:[!-~]{1,128})$'
/** Permission of an entrypoint: the owner of the contract, or holders of a role. */
export const callPermission: Schema<string> = text(
  'ContractPermission',
  140,
  (value) => (new RegExp(PERMISSION).test(value) ? undefined : 'a permission must be owner or role:NAME'),
  PERMISSION,
)
/** `label@domain`. */
export const contractAlias: Schema<string> = text(
  'ContractAlias',
  257,
  (value) => (parseAlias(value) === undefined ? 'an alias is written label@domain' : undefined),
  '^[!-"%-?A-~]+@[!-"%-?A-~]+$',
)

export type EntrypointKind = Infer<typeof entrypointKind>
export const entrypointKind = unitEnum('ContractEntrypointKind', { public: 0, view: 1, init: 2, upgrade: 3 })

const param = struct('ContractParam', { name: identifier, type: valueType })
export interface Entrypoint extends Infer<typeof entrypoint> {}
export const entrypoint = struct('ContractEntrypoint', {
  name: identifier,
  kind: entrypointKind,
  params: list(param, PARAMS_MAX),
  result: option(valueType),
  permission: option(callPermission),
  /** True if calls may carry assets. */
  payable: bool,
})
const eventType = struct('ContractEventType', { topic, fields: list(param, PARAMS_MAX) })

/** Description of a module: its typed entrypoints, its events, its provenance. */
export interface Manifest extends Infer<typeof manifest_> {}
const manifest_ = struct('ContractManifest', {
  version: u32,
  name: identifier,
  abiVersion: u32,
  abiHash: hash32,
  codeHash: hash32,
  /** True if another artifact of the same owner may take over the state. */
  upgradable: bool,
  entrypoints: list(entrypoint, ENTRYPOINTS_MAX),
  events: list(eventType, ENTRYPOINTS_MAX),
  sourceHash: option(hash32),
  provenance: option(struct('ContractProvenance', { signer: accountKey, signature: bytes(64) })),
})
export const manifest = bounded(manifest_, MANIFEST_MAX_BYTES)
export const MANIFEST_VERSION = 1

export const code = bytes(MODULE_MAX_BYTES)
export const reason = string(REASON_MAX_BYTES)
export const input = bytes(INPUT_MAX_BYTES)

/** Hash that identifies a module. */
export const codeHashOf = (module: Uint8Array): Buffer => hash('contract:code', module)
/** Hash of a module with its manifest, which identifies an artifact. */
export const artifactHashOf = (module: Uint8Array, of: Manifest): Buffer =>
  hash('contract:artifact', module, manifest.encode(of))

/** Asset attached to a call. */
export interface Attached extends Infer<typeof attached> {}
export const attached = struct('ContractAttached', { definition: assetDefinitionId, amount: numeric })
export const attachments = list(attached, ATTACH_MAX)

export interface Artifact extends Infer<typeof artifact> {}
export const artifact = struct('ContractArtifact', {
  codeHash: hash32,
  codeBytes: u32,
  manifestBytes: u32,
  registrant: accountId,
  /** Number of active contracts that run it. */
  refs: u32,
  height: varint,
})

export const contractStatus = unitEnum('ContractStatus', { active: 0, inactive: 1 })
export interface Instance extends Infer<typeof instance> {}
export const instance = struct('ContractInstance', {
  artifact: hash32,
  /** First address of its line. Identifies the state, and the account that the contract acts as. */
  storageId: accountId,
  owner: accountId,
  domain: domainId,
  dataspace: varintBig,
  status: contractStatus,
  deployedHeight: varint,
})
/** Shared state of contracts that replaced one another. */
export interface Line extends Infer<typeof line> {}
export const line = struct('ContractLine', {
  /** Address of the active contract. */
  active: option(accountId),
  keys: u32,
  bytes: varint,
})
