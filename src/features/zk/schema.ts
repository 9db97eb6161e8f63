/** Owns verifying keys as clients see them: error codes, instructions, events, queries and routes. */

import { pairCursor } from '../../api/cursors.js'
import { word } from '../../api/enum-text.js'
import { defineSchema } from '../../api/feature.js'
import { pageFields, pageOf } from '../../api/paging.js'
import { pageQueryFields } from '../../api/query-inputs.js'
import { defineRoute, publicRead } from '../../api/route.js'
import { bool, bytes, hash32, type Infer, option, string, struct, u32, varint } from '../../codec/index.js'
import { PROOF_WORK_PER_BLOCK } from '../../consensus/index.js'
import {
  aboutObjects,
  answered,
  CIRCUIT_MAX_BYTES,
  declareErrors,
  defineEvents,
  defineInstructions,
  defineQueries,
  type ErrorDef,
  type EventSubject,
  EXIT,
  name,
  range,
  VERIFYING_KEY_MAX_BYTES,
  verifyingKeyId,
  verifyingKeyRow,
  verifyingKeyStatus,
} from '../../model/index.js'

/** Ids of zk. The table `verifying_keys` of src/ledger uses the first id. */
const ZK_IDS = range(6)

const BASE = ZK_IDS.first
const refused = (at: number, means: string, hint: string) => answered(BASE + at, 422, EXIT.rejected, means, hint)

export const errors = declareErrors({
  vk_not_configured: refused(
    0,
    'The network has no verifying key configured for this kind of proof.',
    'A holder of CanSetParameters sets the parameter that the message names; `causeway zk vk list` shows keys.',
  ),
  vk_not_registered: refused(
    1,
    'The verifying key that the network names is not registered.',
    'Register it: `causeway zk vk register`.',
  ),
  vk_inactive: refused(
    2,
    'The verifying key is not active at this height.',
    '`causeway zk vk show` shows its status and its heights.',
  ),
  vk_mismatch: refused(
    3,
    'The verifying key differs from the one that the proof was created for, or from the one of this ABI.',
    'Create the proof again with the key that `causeway zk vk show` shows.',
  ),
  proof_length: refused(
    4,
    'The length of the proof does not match its relation.',
    'Create it with this release: `causeway conference prove`.',
  ),
  proof_refused: refused(
    5,
    'The proof does not prove the instruction.',
    'A proof is valid for one submitter, call, list and roster: create it again for the current state.',
  ),
  proof_work_exceeded: refused(
    6,
    'The proofs of the transaction require more work than a block allows.',
    'Split the transaction; the parameter proof_work_per_block is the limit.',
  ),
  bad_version: refused(
    7,
    'The version is not the next one.',
    'It was changed in the meantime: read it again and give the following version.',
  ),
  unsupported_backend: refused(8, 'Proofs of this backend are not supported.', 'Supported: sigma-ristretto255.'),
})

declare module '../../model/error-catalogue.js' {
  interface ErrorRegistry extends Record<keyof typeof errors, ErrorDef> {}
}

const key = {
  backend: name,
  name,
  circuitId: string(CIRCUIT_MAX_BYTES),
  blob: bytes(VERIFYING_KEY_MAX_BYTES),
  status: verifyingKeyStatus,
  /** First height at which the key verifies; absent: any height. */
  activationHeight: option(varint),
  /** First height at which the key no longer verifies; absent: no such height. */
  withdrawHeight: option(varint),
}

export const instructions = defineInstructions({
  registerVerifyingKey: { id: 800, label: 'zk::register_key', record: key },
  updateVerifyingKey: {
    id: 801,
    label: 'zk::update_key',
    record: {
      ...key,
      /** Version of the current key plus one. */
      version: u32,
    },
  },
})

const zk: EventSubject<{ readonly backend: string; readonly name: string }> = {
  subject: 'zk',
  about: ({ backend, name: key }) => aboutObjects(`${backend}:${key}`),
}
const fields = { backend: name, name, version: u32, commitment: hash32, status: verifyingKeyStatus }

export const events = defineEvents({
  verifyingKeyRegistered: { id: 800, record: fields, ...zk },
  verifyingKeyUpdated: { id: 801, record: fields, ...zk },
})

export interface VerifyingKeyView extends Infer<typeof verifyingKeyView> {}
const verifyingKeyView = struct('VerifyingKeyView', {
  id: verifyingKeyId,
  key: verifyingKeyRow,
  /** True if the key verifies proofs in the next block. */
  verifies: bool,
})
const verifyingKeyPage = pageOf('VerifyingKeyPage', verifyingKeyView)

export interface VerifyingKeysQuery extends Infer<typeof verifyingKeysQuery_> {}
const verifyingKeysQuery_ = struct('VerifyingKeysQuery', {
  backend: option(name),
  status: option(verifyingKeyStatus),
  ...pageQueryFields(pairCursor),
})

const queries = defineQueries({
  verifyingKey: { id: 800, input: verifyingKeyId, output: verifyingKeyView },
  verifyingKeys: { id: 801, input: verifyingKeysQuery_, output: verifyingKeyPage },
})

const parameters_ = struct('VerifyingKeysParameters', {
  backend: option(name),
  status: option(word('VerifyingKeyStatusWord', ['proposed', 'active', 'withdrawn'])),
  ...pageFields,
})

const verifyingKeysRoute = defineRoute({
  ...publicRead,
  id: 'zk.vk.list',
  path: '/v1/zk/vk',
  summary: 'Verifying keys in the order of their ids, optionally of one backend or status',
  query: parameters_,
  response: verifyingKeyPage,
}).byPage(queries.verifyingKeys, ({ query }) => ({
  backend: query.backend,
  status: query.status,
}))

const verifyingKeyRoute = defineRoute({
  ...publicRead,
  id: 'zk.vk',
  path: '/v1/zk/vk/{backend}/{name}',
  summary: 'A verifying key: its blob, its commitment, its status and heights',
  params: verifyingKeyId,
  response: verifyingKeyView,
}).byQuery(
  queries.verifyingKey,
  ({ params }) => params,
  ({ params }) => `verifying key ${params.name} of ${params.backend} does not exist`,
)

export const zkSchema = defineSchema({
  name: 'zk',
  since: 2,
  version: 1,
  ids: [ZK_IDS],
  errors,
  instructions,
  events,
  queries,
  parameters: [PROOF_WORK_PER_BLOCK],
  routes: { verifyingKeys: verifyingKeysRoute, verifyingKey: verifyingKeyRoute },
  topics: { zk: 'Zero-knowledge proofs', 'zk vk': 'Verifying keys of proofs' },
})
