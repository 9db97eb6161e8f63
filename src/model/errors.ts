/** Owns the error catalogue: every code with its HTTP status, exit code and hint, and the one error class that carries it. */

/** Exit codes of the command line (design/cli.md, contract 3). */
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  config: 3,
  badInput: 4,
  unreachable: 5,
  rejected: 6,
  internal: 7,
  pending: 8,
  notAuthorised: 9,
  checkFailed: 10,
} as const

/** One row of the catalogue. */
export interface ErrorDef {
  /** HTTP status of the answer that carries the code; 0 for codes that never reach HTTP. */
  readonly http: number
  /** Process exit code of a command that ends with it. */
  readonly exit: number
  /** What to try, when nothing more specific is known. */
  readonly hint?: string
}

const row = (http: number, exit: number, hint?: string): ErrorDef =>
  hint === undefined ? { http, exit } : { http, exit, hint }

/** Every error code of Causeway. Append only: scripts match on the codes. */
export const ERRORS = {
  // Codec: the bytes or the JSON are not a value of the schema.
  truncated: row(400, EXIT.badInput),
  trailing_bytes: row(400, EXIT.badInput),
  non_canonical: row(400, EXIT.badInput, 'The codec has one byte string per value; encode it again with this release.'),
  bad_tag: row(400, EXIT.badInput),
  bad_utf8: row(400, EXIT.badInput),
  out_of_bounds: row(400, EXIT.badInput),
  too_deep: row(400, EXIT.badInput),
  bad_value: row(400, EXIT.badInput),
  bad_magic: row(
    400,
    EXIT.badInput,
    'The body is no Causeway frame: its 32-byte header is described in docs/reference/codec.md.',
  ),
  unsupported_version: row(400, EXIT.badInput),
  schema_mismatch: row(
    400,
    EXIT.badInput,
    'The body was made for another record or another release: compare the versions at GET /v1/node/capabilities.',
  ),
  bad_checksum: row(400, EXIT.badInput),
  malformed_json: row(400, EXIT.badInput),
  unknown_field: row(400, EXIT.badInput),
  duplicate_field: row(400, EXIT.badInput),
  missing_field: row(400, EXIT.badInput),
  unknown_instruction: row(
    400,
    EXIT.badInput,
    'The active ABI has no such instruction: compare `abi_version` at GET /v1/node/capabilities.',
  ),

  // Admission of transactions.
  chain_mismatch: row(400, EXIT.badInput, 'Sign for the chain that GET /v1/node/capabilities names.'),
  transaction_in_future: row(400, EXIT.badInput, 'Check the clock of the signing machine.'),
  transaction_expired: row(400, EXIT.badInput, 'Build and sign the transaction again.'),
  ttl_too_long: row(400, EXIT.badInput),
  transaction_limit: row(400, EXIT.badInput),
  signature_missing: row(400, EXIT.badInput),
  signature_invalid: row(400, EXIT.badInput),
  signature_unknown_signer: row(400, EXIT.badInput, 'The signature must be made with the key of the authority.'),
  signature_algorithm_denied: row(400, EXIT.badInput),
  already_committed: row(409, EXIT.rejected),
  already_enqueued: row(409, EXIT.rejected),
  queue_full: row(429, EXIT.unreachable, 'The queue is full; wait for the time in Retry-After.'),
  per_user_queue_limit: row(429, EXIT.unreachable),
  queue_unresolved_route: row(400, EXIT.badInput, 'Leave the dataspace hint out, or name one that exists.'),

  // Execution on the ledger.
  unknown_account: row(422, EXIT.rejected),
  absent: row(422, EXIT.rejected),
  exists: row(422, EXIT.rejected),
  not_permitted: row(
    403,
    EXIT.rejected,
    'The authority must own the object or hold a token for it; its owner can grant one.',
  ),
  unknown_permission: row(422, EXIT.rejected),
  last_holder: row(422, EXIT.rejected),
  not_empty: row(422, EXIT.rejected),
  bad_name: row(400, EXIT.badInput),
  bad_label: row(422, EXIT.rejected),
  unmintable: row(422, EXIT.rejected),
  not_enough: row(422, EXIT.rejected, 'The account holds less than the amount.'),
  bad_amount: row(422, EXIT.rejected),
  bad_scale: row(422, EXIT.rejected),
  overflow: row(422, EXIT.rejected),
  self_transfer: row(422, EXIT.rejected),
  bad_parameter: row(422, EXIT.rejected),
  metadata_limit: row(422, EXIT.rejected),
  too_many_tokens: row(422, EXIT.rejected),
  membership_cap: row(422, EXIT.rejected),
  quorum_not_seen: row(422, EXIT.rejected),
  key_reused: row(422, EXIT.rejected),
  last_validator: row(422, EXIT.rejected),
  bad_activation: row(422, EXIT.rejected),
  bad_proof_of_possession: row(422, EXIT.rejected),
  teu_exhausted: row(422, EXIT.rejected),
  asset_frozen: row(422, EXIT.rejected, 'The owner of the asset definition froze this balance and can free it.'),
  asset_blacklisted: row(422, EXIT.rejected),
  transfer_limit: row(
    422,
    EXIT.rejected,
    'Wait for the next window, or ask the owner of the asset definition for a higher cap.',
  ),
  trigger_depth: row(
    422,
    EXIT.rejected,
    'A trigger ran a trigger that ran a trigger: at most three follow each other.',
  ),
  too_many_triggers: row(422, EXIT.rejected),
  bad_trigger: row(422, EXIT.rejected),
  too_many_roles: row(422, EXIT.rejected),
  bad_policy: row(422, EXIT.rejected),
  not_a_member: row(403, EXIT.rejected, 'Members of the multisig account propose and approve.'),
  too_many_proposals: row(422, EXIT.rejected, 'Approve, cancel, or let the open ones expire.'),
  proposal_expired: row(422, EXIT.rejected, 'Propose it again.'),
  multisig_nesting: row(422, EXIT.rejected),
  admission_limit: row(422, EXIT.rejected),
  fee_unpayable: row(
    402,
    EXIT.rejected,
    'The payer must hold the largest fee that the transaction can cost; metadata `teu_limit` lowers it.',
  ),
  executor_fault: row(
    422,
    EXIT.rejected,
    'A fault of this release that cost nobody but this transaction: report it with the transaction.',
  ),
  signature_insufficient: row(400, EXIT.badInput, 'The weights of the signatures must reach the quorum of the policy.'),

  // Lanes, settlement, relays.
  lane_in_use: row(422, EXIT.rejected),
  lane_limit: row(422, EXIT.rejected),
  bad_routing_policy: row(
    422,
    EXIT.rejected,
    'Compare with `causeway lane list`: lanes, dataspaces and the version in force.',
  ),
  dataspace_in_use: row(422, EXIT.rejected),
  lane_mismatch: row(422, EXIT.rejected, '`causeway lane route explain` says which lane a transaction takes.'),
  bad_variance: row(422, EXIT.rejected),
  relay_envelope_invalid: row(422, EXIT.rejected, 'Run `causeway lane envelope verify` on the envelope.'),

  // ISO 20022 bridge.
  iso_malformed: row(400, EXIT.badInput),
  iso_too_large: row(413, EXIT.badInput),
  iso_encoding: row(415, EXIT.badInput, 'Send UTF-8.'),
  iso_invalid: row(422, EXIT.badInput, 'Every fault is listed; `causeway iso validate` lists them without sending.'),
  iso_duplicate_message: row(409, EXIT.rejected, 'The message id is used: send a new id for another payment.'),
  iso_unknown_message: row(404, EXIT.failed),
  iso_submitter: row(403, EXIT.notAuthorised, 'Bind the submitter with `causeway iso submitter set`.'),
  iso_unbound: row(422, EXIT.rejected, 'Bind the IBAN or the currency with `causeway iso bind`.'),
  iso_ambiguous: row(409, EXIT.badInput, 'Add ?family= or ?submitter=.'),
  iso_claim: row(422, EXIT.rejected),
  iso_limit: row(422, EXIT.rejected, 'The limit of the submitter is set with `causeway iso submitter set`.'),
  iso_refdata: row(
    503,
    EXIT.unreachable,
    'Correct the file; `causeway iso refdata lint` lists its faults. It is read again by itself.',
  ),
  iso_not_held: row(
    409,
    EXIT.rejected,
    'Only a held message is released, refused or changed; `causeway iso hold` lists them.',
  ),

  // Gateway.
  malformed_request: row(400, EXIT.badInput),
  validation_failed: row(400, EXIT.badInput, 'Mend what the message names.'),
  invalid_pagination: row(400, EXIT.badInput),
  unauthorised: row(401, EXIT.notAuthorised),
  forbidden: row(403, EXIT.notAuthorised),
  not_found: row(404, EXIT.failed),
  evidence_invalid: row(400, EXIT.badInput),
  route_not_found: row(404, EXIT.failed, 'GET /openapi lists the routes of this node.'),
  route_not_enabled: row(404, EXIT.failed),
  method_not_allowed: row(405, EXIT.badInput),
  not_acceptable: row(406, EXIT.badInput),
  query_unknown: row(404, EXIT.failed),
  invalid_field_path: row(400, EXIT.badInput),
  cursor_mismatch: row(400, EXIT.badInput, 'Send the cursor of the last answer.'),
  type_mismatch: row(422, EXIT.badInput),
  query_too_complex: row(422, EXIT.badInput),
  request_timeout: row(408, EXIT.unreachable),
  cursor_expired: row(410, EXIT.failed),
  payload_too_large: row(413, EXIT.badInput),
  unsupported_media_type: row(415, EXIT.badInput),
  rate_limited: row(429, EXIT.unreachable),
  upgrade_required: row(426, EXIT.badInput, 'Open a WebSocket on this path.'),
  headers_too_large: row(431, EXIT.badInput),
  too_many_streams: row(503, EXIT.unreachable, 'Use another node, or raise gateway.connections_per_address.'),
  telemetry_profile_restricted: row(503, EXIT.notAuthorised, 'Raise `telemetry.profile` in the node configuration.'),
  node_starting: row(503, EXIT.unreachable),
  node_stopping: row(503, EXIT.unreachable),
  internal: row(500, EXIT.internal),

  // Files, keys, configuration, start-up.
  file_missing: row(0, EXIT.config),
  file_unreadable: row(0, EXIT.config),
  file_unwritable: row(0, EXIT.config, 'Free some space, or name another place.'),
  file_exists: row(0, EXIT.config, 'Name another file, or remove the old one yourself.'),
  key_file_missing: row(0, EXIT.config, 'Make one with `causeway key generate`.'),
  key_file_loose: row(0, EXIT.config, 'Run `chmod 600` on the file.'),
  key_file_invalid: row(0, EXIT.config),
  key_passphrase: row(0, EXIT.config),
  config_invalid: row(0, EXIT.config),
  genesis_invalid: row(0, EXIT.config),
  genesis_mismatch: row(
    0,
    EXIT.config,
    'All nodes of a network start from one signed genesis; compare `causeway genesis verify`.',
  ),
  topology_invalid: row(0, EXIT.config),
  lanes_mismatch: row(
    0,
    EXIT.config,
    '`lanes.enabled` in the configuration and the parameter `lanes.enabled` must agree.',
  ),
  consensus_mode_mismatch: row(
    0,
    EXIT.config,
    '`consensus.consensus_mode` in the configuration and `consensus_mode` in genesis must agree.',
  ),
  data_dir_format: row(0, EXIT.config),
  data_dir_locked: row(0, EXIT.config, 'Another process runs on this data directory: stop it first.'),
  address_in_use: row(0, EXIT.config, 'Choose another port, or stop the program that listens on it.'),
  storage_corrupt: row(0, EXIT.failed, 'Restore from peers: see docs/operate.'),
  state_divergence: row(0, EXIT.failed),
  snapshot_invalid: row(0, EXIT.checkFailed),
  blocks_invalid: row(0, EXIT.checkFailed),
  proof_invalid: row(0, EXIT.checkFailed),
  abi_missing: row(0, EXIT.checkFailed, 'Install a release that carries this ABI.'),
  peer_refused: row(0, EXIT.unreachable),

  // Command line.
  usage: row(0, EXIT.usage),
  unreachable: row(0, EXIT.unreachable, 'Is the node running? `causeway localnet status` or `causeway status`.'),
  pending: row(0, EXIT.pending, 'It may still be committed: `causeway tx get HASH`.'),
  check_failed: row(0, EXIT.checkFailed),
} as const satisfies Record<string, ErrorDef>

/** A code of the catalogue. */
export type ErrorCode = keyof typeof ERRORS

/** The record that HTTP and the command line print: HTTP adds `request_id`, `--json` adds `exit`. */
export interface ErrorRecord {
  readonly code: ErrorCode
  readonly message: string
  readonly hint?: string
  readonly details?: Readonly<Record<string, unknown>>
}

/** An expected failure with its code; thrown only across I/O borders, returned as a value elsewhere. */
export class LedgerError extends Error {
  readonly code: ErrorCode
  readonly hint: string | undefined
  readonly details: Readonly<Record<string, unknown>> | undefined

  constructor(
    code: ErrorCode,
    message: string,
    more: { hint?: string; details?: Readonly<Record<string, unknown>>; cause?: unknown } = {},
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause })
    this.name = 'LedgerError'
    this.code = code
    const fallback: ErrorDef = ERRORS[code]
    this.hint = more.hint ?? fallback.hint
    this.details = more.details
  }

  /** HTTP status of the code; 500 for codes that have none. */
  get http(): number {
    return ERRORS[this.code].http || 500
  }

  /** Exit code of a command that ends with this error. */
  get exit(): number {
    return ERRORS[this.code].exit
  }

  /** The shape that HTTP and the command line share. */
  toRecord(): ErrorRecord {
    const record: { code: ErrorCode; message: string; hint?: string; details?: Readonly<Record<string, unknown>> } = {
      code: this.code,
      message: this.message,
    }
    if (this.hint !== undefined) record.hint = this.hint
    if (this.details !== undefined) record.details = this.details
    return record
  }
}

/** True for a text that is a code of the catalogue. */
export const isErrorCode = (text: string): text is ErrorCode => Object.hasOwn(ERRORS, text)

/** Fails loudly when an invariant does not hold: a node must stop rather than fork. */
export function assertInvariant(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(`invariant broken: ${message}`)
}
