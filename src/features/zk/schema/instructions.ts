/** Owns the records of the instructions about verifying keys. */
import { bytes, type Infer, option, string, struct, u32, varint } from '../../../codec/index.js'
import {
  CIRCUIT_MAX_BYTES,
  defineInstruction,
  name,
  VERIFYING_KEY_MAX_BYTES,
  verifyingKeyStatus,
} from '../../../model/index.js'
import { ZK_INSTRUCTIONS as ID } from './ids.js'

const key = {
  backend: name,
  name,
  circuitId: string(CIRCUIT_MAX_BYTES),
  blob: bytes(VERIFYING_KEY_MAX_BYTES),
  status: verifyingKeyStatus,
  /** First height that it verifies at; absent: any. */
  activationHeight: option(varint),
  /** First height that it no longer verifies at; absent: none. */
  withdrawHeight: option(varint),
}

export interface RegisterVerifyingKey extends Infer<typeof registerVerifyingKey_> {}
const registerVerifyingKey_ = struct('RegisterVerifyingKey', key)
export const registerVerifyingKey = defineInstruction<RegisterVerifyingKey>(
  ID.registerVerifyingKey,
  'registerVerifyingKey',
  'zk::register_key',
  registerVerifyingKey_,
)

export interface UpdateVerifyingKey extends Infer<typeof updateVerifyingKey_> {}
const updateVerifyingKey_ = struct('UpdateVerifyingKey', {
  ...key,
  /** That of the key as it stands, plus one. */
  version: u32,
})
export const updateVerifyingKey = defineInstruction<UpdateVerifyingKey>(
  ID.updateVerifyingKey,
  'updateVerifyingKey',
  'zk::update_key',
  updateVerifyingKey_,
)
