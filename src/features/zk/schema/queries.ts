/** Owns the queries of verifying keys, with what they show. */
import { pageOf } from '../../../api/paging.js'
import { pageQueryFields } from '../../../api/query-inputs.js'
import { bool, type Infer, option, string, struct } from '../../../codec/index.js'
import { defineQueries, name, verifyingKeyId, verifyingKeyRow, verifyingKeyStatus } from '../../../model/index.js'

export interface VerifyingKeyView extends Infer<typeof verifyingKeyView> {}
export const verifyingKeyView = struct('VerifyingKeyView', {
  id: verifyingKeyId,
  key: verifyingKeyRow,
  /** Whether it verifies in the next block. */
  verifies: bool,
})
export const verifyingKeyPage = pageOf('VerifyingKeyPage', verifyingKeyView)

/** Longest place in the list: `backend name`. */
const PLACE_MAX_BYTES = 257
export interface VerifyingKeysQuery extends Infer<typeof verifyingKeysQuery_> {}
const verifyingKeysQuery_ = struct('VerifyingKeysQuery', {
  backend: option(name),
  status: option(verifyingKeyStatus),
  ...pageQueryFields(string(PLACE_MAX_BYTES)),
})

export const queries = defineQueries({
  verifyingKey: { id: 800, input: verifyingKeyId, output: verifyingKeyView },
  verifyingKeys: { id: 801, input: verifyingKeysQuery_, output: verifyingKeyPage },
})
