/** Owns the bounds of a signer and of its nodes, each with its unit and reason. */

/** Maximum frame, in bytes: a certificate with its header, the keys of the largest committee, and a reserve. */
export const FRAME_MAX_BYTES = 64 * 1024
/** Timeout of the TLS handshake and the first message of a node, in ms; both need two round trips. */
export const HELLO_TIMEOUT_MS = 5_000
/** Timeout of a silent connection, in ms: an attached node renews or sends requests several times within it. */
export const IDLE_TIMEOUT_MS = 30_000
/** Maximum concurrent connections of nodes: an active node and its standbys, and their redials. */
export const CONNECTIONS_MAX = 16
/** Time for the TLS handshake, in ms. */
export const HANDSHAKE_TIMEOUT_MS = 2_000
/** Maximum connections in their handshake, in total and per address, because anyone can open them. */
export const HANDSHAKES_MAX = 256
export const HANDSHAKES_PER_ADDRESS_MAX = 32
/** Maximum pending requests of one connection: a node sends one per kind and view. */
export const WAITING_MAX = 64
/**
 * Minimum and maximum lease, in ms: a brief network failure must not end it, and a dead node must not hold it for long.
 */
export const LEASE_MIN_MS = 500
export const LEASE_MAX_MS = 60_000
export const LEASE_DEFAULT_MS = 2_000
/** Number of renewals within one lease. */
export const RENEWALS_PER_LEASE = 4
/** Minimum and maximum pause before a node dials again, in ms; a restarted signer is available within a second. */
export const REDIAL_MIN_MS = 50
export const REDIAL_MAX_MS = 1_000
/** Size of a record at which it is rewritten, in bytes. */
export const RECORD_ROTATE_BYTES = 4 * 1024 * 1024
