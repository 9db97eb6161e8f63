/** Owns the records of the instructions about verifying keys. */
import { bytes, option, string, u32, varint } from '../../../codec/index.js'
import {
  CIRCUIT_MAX_BYTES,
  defineInstructions,
  name,
  VERIFYING_KEY_MAX_BYTES,
  verifyingKeyStatus,
} from '../../../model/index.js'

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

export const instructions = defineInstructions({
  registerVerifyingKey: { id: 800, label: 'zk::register_key', record: key },
  updateVerifyingKey: {
    id: 801,
    label: 'zk::update_key',
    record: {
      ...key,
      /** That of the key as it stands, plus one. */
      version: u32,
    },
  },
})
