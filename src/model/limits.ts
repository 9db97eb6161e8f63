/** Owns the bounds of the data model, each with its unit and its reason. */

/** Longest name of a domain, asset, role or metadata key, in bytes (docs/design/ledger.md 3). */
export const NAME_MAX_BYTES = 128
/** Maximum length of a chain id, in bytes; every transaction and header contains it. */
export const CHAIN_ID_MAX_BYTES = 64
/** Longest metadata value, in bytes of canonical JSON (ledger-lanes.md row 19). */
export const METADATA_VALUE_MAX_BYTES = 16 * 1024
/** Maximum nesting of a metadata value; bounds the recursion of every reader. */
export const METADATA_MAX_DEPTH = 8
/** Maximum metadata keys on one object or transaction. */
export const METADATA_MAX_KEYS = 64
/**
 * Maximum metadata of one object, names and values, in encoded bytes: the work of its removal and the size of one
 * response.
 */
export const METADATA_MAX_BYTES = 64 * 1024
/** Maximum metadata of one transaction, in encoded bytes; it has no effect on execution. */
export const TRANSACTION_METADATA_MAX_BYTES = 16 * 1024
/** Maximum decodable instructions in one transaction; the parameter `max_instructions` may be lower. */
export const INSTRUCTIONS_MAX = 4_096
/** Maximum signatures on one transaction; the largest multisig policy has 32 members. */
export const SIGNATURES_MAX = 32
/** Largest signed transaction, in bytes; the parameter `max_tx_bytes` may be lower. */
export const TRANSACTION_MAX_BYTES = 1024 * 1024
/** Maximum decodable entries of one block; the parameter `block_max_transactions` may be lower. */
export const BLOCK_ENTRIES_MAX = 16_384
/**
 * Maximum block body, in bytes, that can be decoded; the parameter `max_block_bytes` may be lower. Half of the codec
 * limit, so that a body fits into every record and message around it (docs/generated/limits.md).
 */
export const BODY_MAX_BYTES = 32 * 1024 * 1024
/** Maximum block with its header and certificate, in bytes; these have some hundred bytes. */
export const BLOCK_MAX_BYTES = BODY_MAX_BYTES + 64 * 1024
/** Maximum evidence records in one block, so that a flood of evidence does not displace payments. */
export const EVIDENCE_PER_BLOCK_MAX = 16
/** Maximum members of one roster; keeps bitmaps and committees small (design: rosters of 1 to 10; NPoS caps at 128). */
export const ROSTER_MAX = 128
/** Longest bitmap over a committee, in bytes. */
export const BITMAP_MAX_BYTES = Math.ceil(ROSTER_MAX / 8)
/** Maximum network addresses of one peer. */
export const PEER_ADDRESSES_MAX = 4
/** Longest `host:port` of a peer, in bytes (DNS names are at most 253). */
export const PEER_ADDRESS_MAX_BYTES = 272
/** Maximum tokens on one account or role (ledger-lanes.md 1). */
export const TOKENS_MAX = 64
/** Maximum roles of one account (ledger-lanes.md 1), so that permission checks need no scan. */
export const ROLES_MAX = 16
/** Maximum accounts that may manage one role. */
export const ROLE_MANAGERS_MAX = 16
/** Maximum transfers in one batch (ledger-lanes.md row 15). */
export const BATCH_MAX = 256
/** Maximum text of a log instruction, in bytes (ledger-lanes.md row 51). */
export const LOG_TEXT_MAX_BYTES = 1024
/** Maximum instructions that one trigger or proposal keeps in the state. */
export const STORED_INSTRUCTIONS_MAX = 64
/** Maximum encoded bytes of the stored instructions, all of which are read to run them. */
export const STORED_INSTRUCTIONS_MAX_BYTES = 128 * 1024
/** Maximum event kinds of one trigger. */
export const TRIGGER_EVENTS_MAX = 16
/** Maximum members of one multisig policy (ledger-lanes.md 3). */
export const MULTISIG_MEMBERS_MAX = 32
/** Ed25519 and BLS sizes in bytes (RFC 8032; draft-irtf-cfrg-bls-signature, minimal public keys). */
export const ED25519_KEY_BYTES = 32
export const BLS_KEY_BYTES = 48
export const BLS_SIGNATURE_BYTES = 96
/** Highest lane number: lanes have three digits on disk (ledger-lanes.md 6). */
export const LANE_MAX = 999

/** Longest key of a due run, in bytes: the id of a record of its feature. */
export const RUN_KEY_MAX_BYTES = 160
