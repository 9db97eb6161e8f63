/**
 * Owns the error catalogue: every code with its HTTP status, its exit code, what it means and what to try. The codes of the
 * kernel stand here; each feature declares its own (`declareErrors`), so that the catalogue has those of what is loaded.
 */

/** Exit codes of the command line (docs/design/cli.md 3). */
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
  /** What the code says, where nothing more specific is known. */
  readonly means: string
  /** What to try, when nothing more specific is known. */
  readonly hint: string
  /** Number in the results of transactions, which are hashed; only codes that instructions answer have one. Never reused. */
  readonly number?: number
  /** Says that what was asked for had been done before: another transaction stands for the rejected one. */
  readonly repeats?: true
}

/** A code that no instruction answers. */
export const row = (http: number, exit: number, means: string, hint: string): ErrorDef => ({ http, exit, means, hint })

/** A code that instructions answer. */
export const answered = (number: number, http: number, exit: number, means: string, hint: string) => ({
  ...row(http, exit, means, hint),
  number,
})

/** Codes that belong to no feature. Append only: scripts match on the codes. */
const KERNEL_ERRORS = {
  // Codec: the bytes or the JSON are not a value of the schema.
  truncated: row(
    400,
    EXIT.badInput,
    'The bytes end before the value does.',
    'Send the whole record; `causeway codec decode` shows where it ends.',
  ),
  trailing_bytes: row(400, EXIT.badInput, 'Bytes follow the value.', 'Send exactly one record.'),
  non_canonical: row(
    400,
    EXIT.badInput,
    'The bytes are not the one form of their value.',
    'The codec has one byte string per value; encode it again with this release.',
  ),
  bad_tag: row(
    400,
    EXIT.badInput,
    'A variant has a number that the type does not have.',
    'Encode it with a release that has the same schema hash.',
  ),
  bad_utf8: row(400, EXIT.badInput, 'A text is not UTF-8.', 'Send UTF-8.'),
  out_of_bounds: row(
    400,
    EXIT.badInput,
    'A value is longer, larger or more than its type allows.',
    'docs/reference/limits.md has the bounds.',
  ),
  too_deep: row(400, EXIT.badInput, 'Values nest deeper than the codec reads.', 'Send a flatter value.'),
  bad_value: row(
    400,
    EXIT.badInput,
    'A field has a value that its type does not allow.',
    'Fix the field that the message names.',
  ),
  bad_magic: row(
    400,
    EXIT.badInput,
    'The body is not a Causeway frame.',
    'Its 32-byte header is described in docs/reference/codec.md; JSON needs `Content-Type: application/json`.',
  ),
  unsupported_version: row(
    400,
    EXIT.badInput,
    'The frame has a version that this release does not read.',
    'Use a client of the same release: compare GET /v1/node/capabilities.',
  ),
  schema_mismatch: row(
    400,
    EXIT.badInput,
    'The body was encoded for another record or another release.',
    'Compare the versions at GET /v1/node/capabilities.',
  ),
  bad_checksum: row(400, EXIT.badInput, 'The bytes of a frame do not match its checksum.', 'Send it again.'),
  malformed_json: row(
    400,
    EXIT.badInput,
    'The text is not valid JSON.',
    'Fix the JSON at the line and column of the message.',
  ),
  unknown_field: row(
    400,
    EXIT.badInput,
    'A JSON object has a field that its record does not have.',
    'Remove it, or correct its name.',
  ),
  duplicate_field: row(400, EXIT.badInput, 'A JSON object or a query string names a field twice.', 'Name it once.'),
  missing_field: row(400, EXIT.badInput, 'A JSON object lacks a field that its record needs.', 'Add it.'),
  unknown_instruction: answered(
    42,
    400,
    EXIT.badInput,
    'The active ABI has no such instruction.',
    'Compare `abi_version` at GET /v1/node/capabilities.',
  ),

  // Admission of transactions.
  chain_mismatch: row(
    400,
    EXIT.badInput,
    'It was signed for another chain.',
    'Sign for the chain that GET /v1/node/capabilities names.',
  ),
  transaction_in_future: row(
    400,
    EXIT.badInput,
    'Its creation time is ahead of the node’s clock.',
    'Check the clock of the signing machine.',
  ),
  transaction_expired: row(
    400,
    EXIT.badInput,
    'Its time to live is over; it was in no block.',
    'Build and sign the transaction again.',
  ),
  ttl_too_long: row(
    400,
    EXIT.badInput,
    'Its time to live is longer than the chain allows.',
    'Sign it with a shorter one; GET /v1/parameters has `max_ttl_ms`.',
  ),
  transaction_limit: row(
    400,
    EXIT.badInput,
    'It has more bytes, instructions or signatures than the chain allows.',
    'Split it; GET /v1/parameters has the limits.',
  ),
  signature_missing: row(
    400,
    EXIT.badInput,
    'It has no signature, or one is missing.',
    'Sign it with `causeway tx sign`.',
  ),
  signature_invalid: row(
    400,
    EXIT.badInput,
    'A signature does not cover these bytes.',
    'Sign the very bytes that are sent.',
  ),
  signature_unknown_signer: row(
    400,
    EXIT.badInput,
    'A signature was made by a key that may not sign for the authority.',
    'Sign with the key of the authority, or of a member of its policy.',
  ),
  signature_algorithm_denied: row(
    400,
    EXIT.badInput,
    'The signature algorithm is not accepted here.',
    'Sign with Ed25519 or secp256k1.',
  ),
  already_committed: row(
    409,
    EXIT.rejected,
    'This transaction is in a block.',
    'No action is needed: `causeway tx get HASH` shows it.',
  ),
  already_enqueued: row(
    409,
    EXIT.rejected,
    'This transaction is queued.',
    'No action is needed: `causeway tx wait HASH` waits for it.',
  ),
  queue_full: row(
    429,
    EXIT.unreachable,
    'The queue of the node is full.',
    'Wait for the time in Retry-After, or send it to another node.',
  ),
  per_user_queue_limit: row(
    429,
    EXIT.unreachable,
    'The account has reached its limit of queued transactions or bytes.',
    'Wait until some are committed.',
  ),
  queue_unresolved_route: row(
    400,
    EXIT.badInput,
    'No lane accepts the transaction.',
    'Leave the dataspace hint out, or name one that exists; `causeway lane route explain` shows the rule.',
  ),

  // Execution on the ledger.
  unknown_account: answered(
    1,
    422,
    EXIT.rejected,
    'The account is not registered.',
    'Register it: `causeway ledger account register`.',
  ),
  absent: answered(2, 422, EXIT.rejected, 'What it names does not exist.', 'Check the id; names are case sensitive.'),
  exists: answered(
    3,
    422,
    EXIT.rejected,
    'There is one with this id already.',
    'Choose another id, or change the one that is there.',
  ),
  not_permitted: answered(
    4,
    403,
    EXIT.rejected,
    'The authority may not do this.',
    'It must own the object or hold a permission for it; the owner can grant one.',
  ),
  not_empty: answered(
    7,
    422,
    EXIT.rejected,
    'Something still belongs to it.',
    'First remove or transfer what the message names.',
  ),
  bad_amount: answered(
    12,
    422,
    EXIT.rejected,
    'The amount is not positive, or does not fit its rule.',
    'Name an amount greater than zero.',
  ),
  overflow: answered(
    14,
    422,
    EXIT.rejected,
    'The result would not fit a decimal of 512 bits.',
    'Use smaller amounts, or a definition with larger units.',
  ),
  self_transfer: answered(15, 422, EXIT.rejected, 'Source and destination are the same.', 'Name another destination.'),
  bad_parameter: answered(
    16,
    422,
    EXIT.rejected,
    'The parameter does not exist, or may not have this value.',
    'GET /v1/parameters has names and values.',
  ),
  metadata_limit: answered(
    17,
    422,
    EXIT.rejected,
    'The metadata would be too large, too deep, or have too many keys.',
    'Store less; docs/reference/limits.md has the bounds.',
  ),
  membership_cap: answered(
    19,
    422,
    EXIT.rejected,
    'The validator set would grow or shrink by more than is safe at once.',
    'Change it in smaller steps.',
  ),
  quorum_not_seen: answered(
    20,
    422,
    EXIT.rejected,
    'Too few validators signed recently for the validator set to change.',
    'Bring them back, or use the forced change that the message names.',
  ),
  last_validator: answered(
    24,
    422,
    EXIT.rejected,
    'The last validator cannot be removed.',
    'Register another one first.',
  ),
  bad_activation: answered(
    25,
    422,
    EXIT.rejected,
    'The height or the state of the change does not fit.',
    'Choose a height inside the window that the message names.',
  ),
  teu_exhausted: answered(
    23,
    422,
    EXIT.rejected,
    'It needs more execution units than its limit.',
    'Split it, or raise `teu_limit` in its metadata.',
  ),
  trigger_depth: answered(
    29,
    422,
    EXIT.rejected,
    'A chain of triggers is longer than three.',
    'At most three triggers may follow each other: change what the triggers trigger.',
  ),
  too_many_triggers: answered(
    30,
    422,
    EXIT.rejected,
    'The limit of triggers of this event, account or time is reached.',
    'Unregister one that is not needed.',
  ),
  bad_trigger: answered(
    31,
    422,
    EXIT.rejected,
    'The filter, the number of runs or the instructions of the trigger are not valid.',
    'docs/reference/instructions.md describes triggers.',
  ),
  too_many_proposals: answered(
    35,
    422,
    EXIT.rejected,
    'The account has reached its limit of open proposals.',
    'Approve, cancel, or let the open ones expire.',
  ),
  multisig_nesting: answered(
    37,
    422,
    EXIT.rejected,
    'Multisig accounts are nested too deep, or in a circle.',
    'At most three levels may be nested.',
  ),
  executor_fault: answered(
    40,
    422,
    EXIT.rejected,
    'A fault of this release; only this transaction was affected.',
    'Report it with the transaction.',
  ),
  instructions_limit: answered(
    41,
    422,
    EXIT.rejected,
    'The instructions of the trigger or proposal have more bytes than the chain stores.',
    'Split them over several; docs/reference/limits.md has the bound.',
  ),
  vault_closed: answered(
    43,
    422,
    EXIT.rejected,
    'A vault holds value for an agreement: no instruction on balances moves it.',
    'Use the instructions of the agreement that the vault belongs to.',
  ),
  due_runs_full: answered(
    44,
    422,
    EXIT.rejected,
    'The account has as many runs due at that time as it may.',
    'Choose another time: an account has at most 2,048 runs a minute.',
  ),
  upgrade_overlap: answered(
    45,
    409,
    EXIT.rejected,
    'The window of the upgrade overlaps with that of another one.',
    'Choose heights after the other window, or cancel that upgrade: `causeway runtime upgrades`.',
  ),
  signature_insufficient: row(
    400,
    EXIT.badInput,
    'The signatures weigh less than the quorum of the policy.',
    'More members must sign.',
  ),

  // Gateway.
  malformed_request: row(400, EXIT.badInput, 'The request is not valid HTTP.', 'Fix what the message names.'),
  validation_failed: row(400, EXIT.badInput, 'Parameters or fields are invalid.', 'Fix what the message names.'),
  invalid_pagination: row(
    400,
    EXIT.badInput,
    '`limit`, `cursor` or `offset` does not fit the list.',
    'Read the list from the start, with a limit of 1 to 500.',
  ),
  unauthorised: row(
    401,
    EXIT.notAuthorised,
    'The credential is missing or invalid.',
    'docs/reference/authentication.md describes tokens and signed requests.',
  ),
  forbidden: row(
    403,
    EXIT.notAuthorised,
    'The credential is valid but does not permit this.',
    'Use the key of an operator that the node lists.',
  ),
  misdirected_request: row(
    421,
    EXIT.usage,
    'The name in the Host header is not a name of this gateway.',
    'Use an address or a name of the node; its operator lists further names in gateway.hosts.',
  ),
  not_found: row(
    404,
    EXIT.failed,
    'Nothing with this id was found here.',
    'Check the id; a node that is behind may not have it yet: `causeway status`.',
  ),
  evidence_invalid: row(
    400,
    EXIT.badInput,
    'The evidence does not prove a fault.',
    'It is two messages of one validator that contradict each other, for one height and view.',
  ),
  route_not_found: row(404, EXIT.failed, 'There is no such path.', 'GET /openapi lists the routes of this node.'),
  route_not_enabled: row(
    404,
    EXIT.failed,
    'The feature of this route is off on this node.',
    'GET /v1/node/capabilities lists what is on.',
  ),
  method_not_allowed: row(
    405,
    EXIT.badInput,
    'The path does not support this method.',
    'The header Allow lists the supported methods.',
  ),
  not_acceptable: row(
    406,
    EXIT.badInput,
    'The route supports none of the media types in Accept.',
    'Request one of `details.supported`.',
  ),
  query_unknown: row(404, EXIT.failed, 'There is no query of this name.', '`details.known` lists them.'),
  invalid_field_path: row(400, EXIT.badInput, 'Items have no such field.', '`details.known` lists their fields.'),
  cursor_mismatch: row(
    400,
    EXIT.badInput,
    'The cursor belongs to another list.',
    'Send the cursor of the last response of this list.',
  ),
  type_mismatch: row(422, EXIT.badInput, 'A value or a query has the wrong type.', 'Fix what the message names.'),
  query_too_complex: row(
    422,
    EXIT.badInput,
    'The query reads more than the limit.',
    'Request fewer items, or read the list page by page.',
  ),
  request_timeout: row(408, EXIT.unreachable, 'The request took too long.', 'Send it again, or request fewer items.'),
  cursor_expired: row(
    410,
    EXIT.failed,
    'The cursor is older than what the node stores, or newer than its state.',
    'Read the list from the start.',
  ),
  payload_too_large: row(
    413,
    EXIT.badInput,
    'The body is longer than the route accepts.',
    '`details.max_bytes` has the bound.',
  ),
  unsupported_media_type: row(
    415,
    EXIT.badInput,
    'The media type or the encoding of the body is not supported.',
    'Send one of `details.supported`, uncompressed.',
  ),
  rate_limited: row(
    429,
    EXIT.unreachable,
    'Requests from this address or credential exceed the rate limit.',
    'Wait for the time in Retry-After.',
  ),
  upgrade_required: row(426, EXIT.badInput, 'The path is a WebSocket endpoint.', 'Open a WebSocket on this path.'),
  headers_too_large: row(
    431,
    EXIT.badInput,
    'The headers are longer than the limit.',
    'Send fewer or shorter headers.',
  ),
  too_many_connections: row(
    503,
    EXIT.unreachable,
    'The node has reached its limit of connections, in all or from one address.',
    'Wait for the time in Retry-After; keep connections open and use fewer, or raise gateway.connections_per_address.',
  ),
  too_many_streams: row(
    503,
    EXIT.unreachable,
    'The node has reached its limit of streams.',
    'Use another node, or raise gateway.connections_per_address.',
  ),
  telemetry_profile_restricted: row(
    503,
    EXIT.notAuthorised,
    'The telemetry profile of the node hides this route.',
    'Sign the request with an operator key (`--key-file`), or raise `telemetry.profile` in the node configuration.',
  ),
  node_starting: row(503, EXIT.unreachable, 'The node is starting.', 'Wait for the time in Retry-After.'),
  node_stopping: row(503, EXIT.unreachable, 'The node is stopping.', 'Use another node.'),
  node_halted: row(
    503,
    EXIT.unreachable,
    'The node halted: its state is not the certified one, so that it neither reads it to anybody nor takes transactions.',
    'Use another node. Its operator sees why in GET /status, and follows docs/operate/divergence.md.',
  ),
  internal: row(500, EXIT.internal, 'The program failed.', 'Its log has the cause under the request id; report it.'),

  // Files, keys, configuration, start-up.
  file_missing: row(
    0,
    EXIT.config,
    'There is no such file.',
    'Check the path; it is relative to the folder that the command runs in.',
  ),
  file_unreadable: row(0, EXIT.config, 'The file cannot be read.', 'Check its owner and mode.'),
  file_unwritable: row(
    0,
    EXIT.config,
    'Nothing can be written there: the disk is full, over its quota or read-only, or this user may not.',
    'Choose another path, or free some disk space.',
  ),
  file_exists: row(0, EXIT.config, 'The file already exists.', 'Choose another file name, or remove the old file.'),
  key_file_missing: row(
    0,
    EXIT.config,
    'There is no key to sign with.',
    'Give one with --key-file, or create one with `causeway key generate`.',
  ),
  key_file_loose: row(0, EXIT.config, 'Others may read the key file.', 'Run `chmod 600` on the file.'),
  key_file_invalid: row(0, EXIT.config, 'The file is not a key file, or is damaged.', 'Restore it from your backup.'),
  key_passphrase: row(
    0,
    EXIT.config,
    'The passphrase is missing or wrong.',
    'Give a file that contains it with --passphrase-file.',
  ),
  config_invalid: row(
    0,
    EXIT.config,
    'The configuration is invalid.',
    'Fix what the message names; `causeway config explain` shows where a value comes from.',
  ),
  genesis_invalid: row(
    0,
    EXIT.config,
    'The genesis manifest or the signed genesis is invalid.',
    'Fix the field that the message names; `causeway genesis verify` checks it.',
  ),
  genesis_mismatch: row(
    0,
    EXIT.config,
    'The data or the peer belongs to another genesis.',
    'All nodes of a network start from one signed genesis; compare `causeway genesis verify`.',
  ),
  topology_invalid: row(0, EXIT.config, 'The topology is invalid.', '`causeway topology check` lists them.'),
  lanes_mismatch: row(
    0,
    EXIT.config,
    'Configuration and chain disagree about lanes.',
    '`lanes.enabled` in the configuration and the parameter `lanes.enabled` must agree.',
  ),
  consensus_mode_mismatch: row(
    0,
    EXIT.config,
    'Configuration and genesis disagree about the consensus mode.',
    '`consensus.consensus_mode` in the configuration and `consensus_mode` in genesis must agree.',
  ),
  data_dir_format: row(
    0,
    EXIT.config,
    'The data directory was written by another release.',
    'Use that release, or a new data directory: the node syncs its blocks from the peers.',
  ),
  data_dir_locked: row(
    0,
    EXIT.config,
    'Another process uses the data directory.',
    'Stop the node that runs on it first.',
  ),
  address_in_use: row(
    0,
    EXIT.config,
    'Another program already listens on the address.',
    'Choose another port, or stop the program that listens on it.',
  ),
  storage_corrupt: row(
    0,
    EXIT.failed,
    'Stored data does not match its checksum or its position.',
    'Restore from peers: see docs/operate.',
  ),
  state_divergence: row(
    0,
    EXIT.failed,
    'The node cannot reproduce a certified state.',
    'Stop it and follow docs/operate/divergence.md.',
  ),
  snapshot_invalid: row(
    0,
    EXIT.checkFailed,
    'The snapshot is invalid: its state is not proven.',
    'Fetch it again, or from another node.',
  ),
  blocks_invalid: row(
    0,
    EXIT.checkFailed,
    'The block file is invalid: its blocks are not proven.',
    'Export it again, or from another node.',
  ),
  not_a_gateway: row(
    0,
    EXIT.failed,
    'The response is not that of a Causeway gateway of this release.',
    'Check the address of the gateway, and compare the releases of this program and of the node.',
  ),
  gateway_untrusted: row(
    0,
    EXIT.config,
    'The gateway is not the one that the key, the token or the pinned chain is for.',
    'Give the gateway with --gateway or CAUSEWAY_GATEWAY, or save gateway, key and token as one profile: `causeway profile add`.',
  ),
  gateway_insecure: row(
    0,
    EXIT.config,
    'A token would be sent over the network unencrypted.',
    'Use https, or give --insecure on a network that only you use.',
  ),
  proof_invalid: row(0, EXIT.checkFailed, 'The proof is invalid.', 'Fetch it again; compare the genesis hash.'),
  abi_missing: row(
    0,
    EXIT.checkFailed,
    'This release does not support an ABI that the chain needs.',
    'Install a release that supports this ABI.',
  ),
  peer_refused: row(
    0,
    EXIT.unreachable,
    'The peer refused the link.',
    'The message names what differs; `causeway doctor` checks it.',
  ),

  // Command line.
  usage: row(0, EXIT.usage, 'The arguments or flags of the command are wrong.', 'Run the command with --help.'),
  unreachable: row(
    0,
    EXIT.unreachable,
    'The node did not answer.',
    'Check that it runs and that the address is right: `causeway doctor` on its machine, or --gateway.',
  ),
  pending: row(
    0,
    EXIT.pending,
    'It was not committed within the time to wait.',
    'It may still be committed: `causeway tx get HASH`.',
  ),
  check_failed: row(0, EXIT.checkFailed, 'A check failed.', 'Fix what the checks above name.'),
} as const satisfies Record<string, ErrorDef>

/** Codes by their names; a feature merges the names of its own into it. */
export interface ErrorRegistry extends Record<keyof typeof KERNEL_ERRORS, ErrorDef> {}

/** A code of the catalogue. */
export type ErrorCode = keyof ErrorRegistry

const catalogue: Record<string, ErrorDef> = { ...KERNEL_ERRORS }

/** Every error code of what is loaded: all of them where the list of features is. */
export const ERRORS = catalogue as Readonly<ErrorRegistry>

/** Numbers of the codes of the kernel that instructions answer. */
export const KERNEL_ERROR_NUMBERS = numbersOf(KERNEL_ERRORS)

/** Adds the codes of a feature to the catalogue. Throws for a code that is there: two features may not share one. */
export function declareErrors<Rows extends Record<string, ErrorDef>>(rows: Rows): Rows {
  for (const [code, def] of Object.entries(rows)) {
    if (Object.hasOwn(catalogue, code)) throw new Error(`two features share the error code ${code}`)
    catalogue[code] = def
  }
  return rows
}

/** The codes among these rows that have a number, by their numbers. */
export function numbersOf(rows: Readonly<Record<string, ErrorDef>>): [code: ErrorCode, number: number][] {
  return Object.entries(rows)
    .flatMap(([code, { number }]): [ErrorCode, number][] => (number === undefined ? [] : [[code as ErrorCode, number]]))
    .sort(([, a], [, b]) => a - b)
}
