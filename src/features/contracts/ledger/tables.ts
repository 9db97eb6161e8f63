/** Owns the tables of contracts. */
import { bytes, hash32, type Infer, struct, u64 } from '../../../codec/index.js'
import { type AccountId, accountId } from '../../../model/index.js'
import { type PageTable, pageSchemas, type TableDef } from '../../../state/index.js'
import {
  type Artifact,
  artifact,
  CONTRACT_TABLES as ID,
  type Instance,
  instance,
  type Line,
  line,
  type Manifest,
  manifest,
  STATE_KEY_MAX_BYTES,
  STATE_VALUE_MAX_BYTES,
} from '../schema/records.js'

export const artifacts: TableDef<Uint8Array, Artifact> = {
  id: ID.artifact,
  name: 'contract_artifacts',
  bound: { holds: 'one artifact', filledBy: 'RegisterContract', atBound: 'leaves with RemoveContractArtifact' },
  key: hash32,
  value: artifact,
}
export const codePages: PageTable<Uint8Array> = {
  id: ID.code,
  name: 'contract_code',
  bound: { holds: '32 KiB of a module', filledBy: 'RegisterContract', atBound: 'leaves with its artifact' },
  ...pageSchemas('ContractCodeKey', hash32),
}
export const manifests: TableDef<Uint8Array, Manifest> = {
  id: ID.manifest,
  name: 'contract_manifests',
  bound: { holds: '16 KiB', filledBy: 'RegisterContract', atBound: 'leaves with its artifact' },
  key: hash32,
  value: manifest,
}
export const instances: TableDef<AccountId, Instance> = {
  id: ID.instance,
  name: 'contract_instances',
  bound: { holds: 'one contract', filledBy: 'DeployContract', atBound: 'stays: an address is used once' },
  key: accountId,
  value: instance,
}
export const lines: TableDef<AccountId, Line> = {
  id: ID.line,
  name: 'contract_lines',
  bound: { holds: 'an address and two counts', filledBy: 'DeployContract', atBound: 'stays with its account' },
  key: accountId,
  value: line,
}

export interface StateKey extends Infer<typeof stateKey> {}
const stateKey = struct('ContractStateKey', { storageId: accountId, key: bytes(STATE_KEY_MAX_BYTES) })
export const states: TableDef<StateKey, Uint8Array> = {
  id: ID.state,
  name: 'contract_state',
  bound: {
    holds: '16 KiB',
    filledBy: 'calls of contracts',
    atBound: '1,000,000 keys and 64 MiB a contract: the trap `state_limit`',
  },
  key: stateKey,
  value: bytes(STATE_VALUE_MAX_BYTES),
}
export const nonces: TableDef<AccountId, bigint> = {
  id: ID.nonce,
  name: 'contract_nonces',
  bound: { holds: 'a count', filledBy: 'DeployContract', atBound: 'one an account; stays' },
  key: accountId,
  value: u64,
}

export const CONTRACT_TABLE_LIST = [artifacts, codePages, manifests, instances, lines, states, nonces]
