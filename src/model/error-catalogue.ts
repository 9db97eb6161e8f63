/** Owns the error catalogue: every code with its HTTP status, its exit code, what it means and what to try. */

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
  /** What the code says, where nothing more specific is known. */
  readonly means: string
  /** What to try, when nothing more specific is known. */
  readonly hint: string
}

const row = (http: number, exit: number, means: string, hint: string): ErrorDef => ({ http, exit, means, hint })

/** Every error code of Causeway. Append only: scripts match on the codes. */
export const ERRORS = {
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
    'Mend the field that the message names.',
  ),
  bad_magic: row(
    400,
    EXIT.badInput,
    'The body is no Causeway frame.',
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
    'The body was made for another record or another release.',
    'Compare the versions at GET /v1/node/capabilities.',
  ),
  bad_checksum: row(400, EXIT.badInput, 'The bytes of a frame do not match its checksum.', 'Send it again.'),
  malformed_json: row(400, EXIT.badInput, 'The text is no JSON.', 'Mend it at the line and column of the message.'),
  unknown_field: row(
    400,
    EXIT.badInput,
    'A JSON object has a field that its record does not have.',
    'Remove it, or mend its name.',
  ),
  duplicate_field: row(400, EXIT.badInput, 'A JSON object or a query string names a field twice.', 'Name it once.'),
  missing_field: row(400, EXIT.badInput, 'A JSON object lacks a field that its record needs.', 'Add it.'),
  unknown_instruction: row(
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
    'Its creation time lies ahead of the node’s clock.',
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
    'A signature is not by a key that speaks for the authority.',
    'Sign with the key of the authority, or of a member of its policy.',
  ),
  signature_algorithm_denied: row(
    400,
    EXIT.badInput,
    'The signature is of a kind that is not taken here.',
    'Sign with Ed25519 or secp256k1.',
  ),
  already_committed: row(
    409,
    EXIT.rejected,
    'This transaction is in a block.',
    'Nothing is to be done: `causeway tx get HASH` shows it.',
  ),
  already_enqueued: row(
    409,
    EXIT.rejected,
    'This transaction is queued.',
    'Nothing is to be done: `causeway tx wait HASH` waits for it.',
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
    'The account has as many queued transactions, or bytes of them, as one may have.',
    'Wait until some are committed.',
  ),
  queue_unresolved_route: row(
    400,
    EXIT.badInput,
    'No lane takes the transaction.',
    'Leave the dataspace hint out, or name one that exists; `causeway lane route explain` shows the rule.',
  ),

  // Execution on the ledger.
  unknown_account: row(
    422,
    EXIT.rejected,
    'The account is not registered.',
    'Register it: `causeway ledger account register`.',
  ),
  absent: row(422, EXIT.rejected, 'What it names does not exist.', 'Check the id; names are case sensitive.'),
  exists: row(
    422,
    EXIT.rejected,
    'There is one with this id already.',
    'Choose another id, or change the one that is there.',
  ),
  not_permitted: row(
    403,
    EXIT.rejected,
    'The authority may not do this.',
    'It must own the object or hold a token for it; the owner can grant one.',
  ),
  unknown_permission: row(
    422,
    EXIT.rejected,
    'There is no such permission, or it does not fit its object.',
    'docs/reference/instructions.md lists permissions and their objects.',
  ),
  last_holder: row(
    422,
    EXIT.rejected,
    'Nobody else holds this global permission.',
    'Grant it to another account first.',
  ),
  not_empty: row(
    422,
    EXIT.rejected,
    'Something still belongs to it.',
    'Remove or pass on first what the message names.',
  ),
  bad_name: row(
    400,
    EXIT.badInput,
    'The text is no name.',
    'Names have 1 to 128 visible ASCII characters, none of @ # $ /.',
  ),
  bad_label: row(422, EXIT.rejected, 'The label is taken in the domain, or is no label.', 'Choose another label.'),
  unmintable: row(
    422,
    EXIT.rejected,
    'The definition can no longer be minted.',
    'Its mintability was fixed when it was registered.',
  ),
  not_enough: row(422, EXIT.rejected, 'The balance is smaller than the amount.', 'Pay less, or fund the account.'),
  bad_amount: row(
    422,
    EXIT.rejected,
    'The amount is not positive, or does not fit its rule.',
    'Name an amount greater than zero.',
  ),
  bad_scale: row(
    422,
    EXIT.rejected,
    'The amount has more fraction digits than its definition.',
    'Round it to the scale of its definition.',
  ),
  overflow: row(
    422,
    EXIT.rejected,
    'The result would not fit a decimal of 512 bits.',
    'Use smaller amounts, or a definition with larger units.',
  ),
  self_transfer: row(422, EXIT.rejected, 'Source and destination are the same.', 'Name another destination.'),
  bad_parameter: row(
    422,
    EXIT.rejected,
    'The parameter does not exist, or may not have this value.',
    'GET /v1/parameters has names and values.',
  ),
  metadata_limit: row(
    422,
    EXIT.rejected,
    'The metadata would be too large, too deep, or have too many keys.',
    'Store less; docs/reference/limits.md has the bounds.',
  ),
  too_many_tokens: row(
    422,
    EXIT.rejected,
    'The account or role holds as many permissions as it may.',
    'Revoke some, or use a role.',
  ),
  membership_cap: row(
    422,
    EXIT.rejected,
    'The roster would grow or shrink by more than is safe at once.',
    'Change it in smaller steps.',
  ),
  quorum_not_seen: row(
    422,
    EXIT.rejected,
    'Too few members were seen lately for the roster to change.',
    'Bring them back, or use the forced change that the message names.',
  ),
  key_reused: row(
    422,
    EXIT.rejected,
    'The key is or was the key of a peer.',
    'Make a new one with `causeway key generate`.',
  ),
  last_validator: row(422, EXIT.rejected, 'The last validator cannot go.', 'Register another one first.'),
  bad_activation: row(
    422,
    EXIT.rejected,
    'The height or the state of the change does not fit.',
    'Choose a height inside the window that the message names.',
  ),
  bad_proof_of_possession: row(
    422,
    EXIT.rejected,
    'The proof does not show that the peer has the secret of its key.',
    'Make it anew with `causeway key pop`.',
  ),
  teu_exhausted: row(
    422,
    EXIT.rejected,
    'It needs more execution units than it may have.',
    'Split it, or raise `teu_limit` in its metadata.',
  ),
  asset_frozen: row(
    422,
    EXIT.rejected,
    'The balance of the payer is frozen.',
    'The owner of the asset definition froze it and can free it.',
  ),
  asset_blacklisted: row(
    422,
    EXIT.rejected,
    'An account of the transfer may not hold or move this asset.',
    'The owner of the asset definition decides about it.',
  ),
  transfer_limit: row(
    422,
    EXIT.rejected,
    'A cap on what leaves the account would be passed.',
    'Wait for the next window, or ask the owner of the asset definition for a higher cap.',
  ),
  trigger_depth: row(
    422,
    EXIT.rejected,
    'A trigger ran a trigger that ran a trigger.',
    'At most three follow each other: let them set off less.',
  ),
  too_many_triggers: row(
    422,
    EXIT.rejected,
    'The list of this event, the account or the calendar has no room.',
    'Unregister one that is not needed.',
  ),
  bad_trigger: row(
    422,
    EXIT.rejected,
    'The filter, the runs or the instructions of the trigger do not fit.',
    'docs/reference/instructions.md describes triggers.',
  ),
  too_many_roles: row(422, EXIT.rejected, 'The account has as many roles as it may.', 'Revoke one.'),
  bad_policy: row(
    422,
    EXIT.rejected,
    'The policy has no members, a quorum that they cannot reach, or a member twice.',
    'The quorum lies between 1 and the sum of the weights.',
  ),
  not_a_member: row(
    403,
    EXIT.rejected,
    'The account is no member of the multisig account.',
    'Members of the multisig account propose and approve.',
  ),
  too_many_proposals: row(
    422,
    EXIT.rejected,
    'The account has as many open proposals as it may.',
    'Approve, cancel, or let the open ones expire.',
  ),
  proposal_expired: row(422, EXIT.rejected, 'The proposal is over.', 'Propose it again.'),
  multisig_nesting: row(
    422,
    EXIT.rejected,
    'Multisig accounts stand in one another too deep, or in a circle.',
    'At most three stand in one another.',
  ),
  admission_limit: row(
    422,
    EXIT.rejected,
    'The transaction or the block makes as many accounts as it may.',
    'Register them first, or pay in smaller batches.',
  ),
  fee_unpayable: row(
    402,
    EXIT.rejected,
    'The payer cannot pay the largest fee that it can cost.',
    'Fund the payer; metadata `teu_limit` lowers what it can cost.',
  ),
  executor_fault: row(
    422,
    EXIT.rejected,
    'A fault of this release that cost nobody but this transaction.',
    'Report it with the transaction.',
  ),
  instructions_limit: row(
    422,
    EXIT.rejected,
    'The instructions of the trigger or proposal take more bytes than the chain keeps.',
    'Split them over several; docs/reference/limits.md has the bound.',
  ),
  signature_insufficient: row(
    400,
    EXIT.badInput,
    'The signatures weigh less than the quorum of the policy.',
    'Let more members sign.',
  ),

  // Lanes, settlement, relays.
  lane_in_use: row(
    422,
    EXIT.rejected,
    'The lane is needed: by default, by a rule, or as the last of its dataspace.',
    'Change the routing policy first.',
  ),
  lane_limit: row(
    422,
    EXIT.rejected,
    'There are as many lanes as there may be, or the id was used.',
    'Retire one; ids are never used again.',
  ),
  bad_routing_policy: row(
    422,
    EXIT.rejected,
    'The policy names lanes or dataspaces that do not fit, or an old version.',
    'Compare with `causeway lane list`: lanes, dataspaces and the version in force.',
  ),
  dataspace_in_use: row(
    422,
    EXIT.rejected,
    'A lane or a domain lies in the dataspace.',
    'Retire its lanes first; domains stay where they are.',
  ),
  space_denied: row(
    403,
    EXIT.rejected,
    'What the instruction touches belongs to a restricted dataspace.',
    'Ask a holder of CanManageLanes for CanUseDataspace on it; `causeway lane list` shows the dataspaces.',
  ),
  lane_mismatch: row(
    422,
    EXIT.rejected,
    'The settlement stands in another lane than its own.',
    '`causeway lane route explain` says which lane a transaction takes.',
  ),
  bad_variance: row(
    422,
    EXIT.rejected,
    'The figures of the receipt do not add up.',
    'Variance is what was due less what is left after the haircut.',
  ),
  relay_envelope_invalid: row(
    422,
    EXIT.rejected,
    'The envelope does not prove what it says.',
    'Run `causeway lane envelope verify` on the envelope.',
  ),

  // ISO 20022 bridge.
  iso_malformed: row(
    400,
    EXIT.badInput,
    'The message is no XML, JSON or line that can be read.',
    'Mend it at the place of the message.',
  ),
  iso_too_large: row(
    413,
    EXIT.badInput,
    'The message is longer than the bridge reads.',
    'Split it into messages of fewer payments.',
  ),
  iso_encoding: row(415, EXIT.badInput, 'The message is in an encoding that is not taken.', 'Send UTF-8.'),
  iso_invalid: row(
    422,
    EXIT.badInput,
    'The message breaks rules of its family.',
    'Every fault is listed; `causeway iso validate` lists them without sending.',
  ),
  iso_duplicate_message: row(409, EXIT.rejected, 'The message id was paid.', 'Send a new id for another payment.'),
  iso_unknown_message: row(
    404,
    EXIT.failed,
    'No such message is known here.',
    'Check id, family and submitter; old ones are forgotten after the retention.',
  ),
  iso_submitter: row(
    403,
    EXIT.notAuthorised,
    'The account is no submitter, or may not debit this account.',
    'Bind the submitter with `causeway iso submitter set`.',
  ),
  iso_unbound: row(
    422,
    EXIT.rejected,
    'An IBAN or a currency of the message is bound to nothing.',
    'Bind it with `causeway iso bind`.',
  ),
  iso_ambiguous: row(409, EXIT.badInput, 'Several messages have this id.', 'Add ?family= or ?submitter=.'),
  iso_claim: row(
    422,
    EXIT.rejected,
    'A claim does not stand before exactly the transfer that it is for.',
    'Let the bridge make it: `causeway iso submit`.',
  ),
  iso_limit: row(
    422,
    EXIT.rejected,
    'The payment passes a limit of its submitter.',
    'The limit is set with `causeway iso submitter set`.',
  ),
  iso_refdata: row(
    503,
    EXIT.unreachable,
    'A file of reference data has faults, so nothing is checked against it.',
    'Correct the file; `causeway iso refdata lint` lists its faults. It is read again by itself.',
  ),
  iso_not_held: row(
    409,
    EXIT.rejected,
    'The message is not held.',
    'Only a held message is released, refused or changed; `causeway iso hold` lists them.',
  ),

  // Gateway.
  malformed_request: row(
    400,
    EXIT.badInput,
    'The request is no HTTP that this node reads.',
    'Mend what the message names.',
  ),
  validation_failed: row(400, EXIT.badInput, 'Parameters or fields have faults.', 'Mend what the message names.'),
  invalid_pagination: row(
    400,
    EXIT.badInput,
    '`limit`, `cursor` or `offset` does not fit the list.',
    'Start the list again, with a limit of 1 to 500.',
  ),
  unauthorised: row(
    401,
    EXIT.notAuthorised,
    'The credential is missing or does not hold.',
    'docs/reference/authentication.md describes tokens and signed requests.',
  ),
  forbidden: row(
    403,
    EXIT.notAuthorised,
    'The credential holds and may not do this.',
    'Use the key of an operator that the node lists.',
  ),
  misdirected_request: row(
    421,
    EXIT.usage,
    'The gateway does not go by the name in the Host header.',
    'Use an address or a name of the node; its operator lists further names in gateway.hosts.',
  ),
  not_found: row(
    404,
    EXIT.failed,
    'There is nothing of this name here.',
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
    'The path does not take this method.',
    'The header Allow lists those that it takes.',
  ),
  not_acceptable: row(
    406,
    EXIT.badInput,
    'The route speaks none of the media types in Accept.',
    'Ask for one of `details.supported`.',
  ),
  query_unknown: row(404, EXIT.failed, 'There is no query of this name.', '`details.known` lists them.'),
  invalid_field_path: row(400, EXIT.badInput, 'Items have no such field.', '`details.known` lists their fields.'),
  cursor_mismatch: row(400, EXIT.badInput, 'The cursor stands elsewhere.', 'Send the cursor of the last answer.'),
  type_mismatch: row(
    422,
    EXIT.badInput,
    'A value or a query is of another kind than is needed here.',
    'Mend what the message names.',
  ),
  query_too_complex: row(
    422,
    EXIT.badInput,
    'The query looks at more than one may.',
    'Ask for less, or read the list page by page.',
  ),
  request_timeout: row(408, EXIT.unreachable, 'The request took too long.', 'Send it again, or ask for less.'),
  cursor_expired: row(
    410,
    EXIT.failed,
    'The cursor is older than the node keeps, or newer than its state.',
    'Start the list again.',
  ),
  payload_too_large: row(
    413,
    EXIT.badInput,
    'The body is longer than the route takes.',
    '`details.max_bytes` has the bound.',
  ),
  unsupported_media_type: row(
    415,
    EXIT.badInput,
    'The body is of a media type or an encoding that is not taken.',
    'Send one of `details.supported`, uncompressed.',
  ),
  rate_limited: row(
    429,
    EXIT.unreachable,
    'There are more requests than the node takes from one address or credential.',
    'Wait for the time in Retry-After.',
  ),
  upgrade_required: row(426, EXIT.badInput, 'The path is a WebSocket.', 'Open a WebSocket on this path.'),
  headers_too_large: row(
    431,
    EXIT.badInput,
    'The headers are longer than the node reads.',
    'Send fewer or shorter headers.',
  ),
  too_many_streams: row(
    503,
    EXIT.unreachable,
    'The node has as many streams as it takes.',
    'Use another node, or raise gateway.connections_per_address.',
  ),
  telemetry_profile_restricted: row(
    503,
    EXIT.notAuthorised,
    'The telemetry profile of the node hides this route.',
    'Ask with the key of an operator (`--key-file`), or raise `telemetry.profile` in the node configuration.',
  ),
  node_starting: row(503, EXIT.unreachable, 'The node is starting.', 'Wait for the time in Retry-After.'),
  node_stopping: row(503, EXIT.unreachable, 'The node is stopping.', 'Use another node.'),
  internal: row(500, EXIT.internal, 'The program failed.', 'Its log has the cause under the request id; report it.'),

  // Files, keys, configuration, start-up.
  file_missing: row(
    0,
    EXIT.config,
    'There is no such file.',
    'Check the path; it is taken from the folder that the command runs in.',
  ),
  file_unreadable: row(0, EXIT.config, 'The file cannot be read.', 'Check its owner and mode.'),
  file_unwritable: row(
    0,
    EXIT.config,
    'Nothing can be written there: the disk is full, over its quota or read-only, or this user may not.',
    'Name another place, or free some space.',
  ),
  file_exists: row(0, EXIT.config, 'There is a file already.', 'Name another file, or remove the old one yourself.'),
  key_file_missing: row(
    0,
    EXIT.config,
    'There is no key to sign with.',
    'Name one with --key-file, or make one with `causeway key generate`.',
  ),
  key_file_loose: row(0, EXIT.config, 'Others may read the key file.', 'Run `chmod 600` on the file.'),
  key_file_invalid: row(0, EXIT.config, 'The file is no key file, or is damaged.', 'Restore it from your backup.'),
  key_passphrase: row(
    0,
    EXIT.config,
    'The passphrase is missing or wrong.',
    'Name a file that holds it with --passphrase-file.',
  ),
  config_invalid: row(
    0,
    EXIT.config,
    'The configuration has faults.',
    'Mend what the message names; `causeway config explain` shows where a value comes from.',
  ),
  genesis_invalid: row(
    0,
    EXIT.config,
    'The genesis manifest or the signed genesis has faults.',
    'Mend the place that the message names; `causeway genesis verify` checks it.',
  ),
  genesis_mismatch: row(
    0,
    EXIT.config,
    'The data or the peer comes of another genesis.',
    'All nodes of a network start from one signed genesis; compare `causeway genesis verify`.',
  ),
  topology_invalid: row(0, EXIT.config, 'The topology has faults.', '`causeway topology check` lists them.'),
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
    'Use that release, or a new data directory: blocks come from the peers.',
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
    'Another program listens on the address.',
    'Choose another port, or stop the program that listens on it.',
  ),
  storage_corrupt: row(
    0,
    EXIT.failed,
    'Stored bytes do not match their checksum or their place.',
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
    'The snapshot does not prove its state.',
    'Fetch it again, or from another node.',
  ),
  blocks_invalid: row(
    0,
    EXIT.checkFailed,
    'The file of blocks does not prove its blocks.',
    'Export it again, or from another node.',
  ),
  not_a_gateway: row(
    0,
    EXIT.failed,
    'What answered is no Causeway gateway of this release.',
    'Is the address that of a Causeway gateway? Compare the releases of this program and of the node.',
  ),
  gateway_untrusted: row(
    0,
    EXIT.config,
    'The gateway is not the one that the key, the token or the pinned chain is for.',
    'Name the gateway with --gateway or CAUSEWAY_GATEWAY, or save all of them as one profile: `causeway profile add`.',
  ),
  gateway_insecure: row(
    0,
    EXIT.config,
    'A token would go over the network in the clear.',
    'Reach the gateway over https, or give --insecure where the network is yours alone.',
  ),
  proof_invalid: row(
    0,
    EXIT.checkFailed,
    'The proof does not prove what it says.',
    'Fetch it again; compare the genesis hash.',
  ),
  abi_missing: row(
    0,
    EXIT.checkFailed,
    'The release does not carry an ABI of the chain.',
    'Install a release that carries this ABI.',
  ),
  peer_refused: row(
    0,
    EXIT.unreachable,
    'The peer refused the link.',
    'The message names what differs; `causeway doctor` checks it.',
  ),

  // Command line.
  usage: row(0, EXIT.usage, 'The command was called in another way than it takes.', 'Add --help to see how.'),
  unreachable: row(
    0,
    EXIT.unreachable,
    'The node did not answer.',
    'Is it running, and is the address right? `causeway doctor` on its machine, or --gateway.',
  ),
  pending: row(
    0,
    EXIT.pending,
    'It was not committed within the time to wait.',
    'It may still be committed: `causeway tx get HASH`.',
  ),
  check_failed: row(0, EXIT.checkFailed, 'A check found a fault.', 'Mend what the checks above name.'),
} as const satisfies Record<string, ErrorDef>

/** A code of the catalogue. */
export type ErrorCode = keyof typeof ERRORS
/** Numbers of the codes that instructions answer; results hash them, so none is used twice. */
export type ErrorNumbers = { readonly [Code in ErrorCode]?: number }
