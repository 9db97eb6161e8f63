/** Owns the record of `GET /v1/parameters`: parameters of the chain with current values and pending changes. */
import { type Infer, json, list, string, struct, u8, varint } from '../../codec/index.js'

/** Maximum parameters of one ABI, and maximum staged changes of one of them. */
const PARAMETERS_MAX = 1_024
const STAGED_MAX = 64
/** Maximum length of a value, in bytes of canonical JSON. */
const VALUE_MAX_BYTES = 64 * 1024
const value = json(VALUE_MAX_BYTES, 16)

const staged_ = struct('StagedParameter', { fromHeight: varint, value })
const parameter_ = struct('ParameterView', {
  name: string(128),
  /** JSON form of its record. */
  value,
  /** Number of blocks between a change and its effect. */
  actsAfterBlocks: u8,
  /** Staged changes, the earliest first. */
  staged: list(staged_, STAGED_MAX),
})
/** Response of `GET /v1/parameters`, ordered by name. */
export interface ParameterSnapshot extends Infer<typeof parameterSnapshot> {}
export const parameterSnapshot = struct('ParameterSnapshot', {
  items: list(parameter_, PARAMETERS_MAX),
  total: varint,
  height: varint,
})
