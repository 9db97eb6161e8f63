/** Owns the bounds of a signer and of its nodes, each with its unit and reason. */

/** Longest frame, in bytes: a certificate with its header, the keys of the largest committee, and room. */
export const FRAME_MAX_BYTES = 64 * 1024
/**
 * Timeout of the TLS handshake and the first message of a node, in ms: both need two round trips on any network in use.
 */
export const HELLO_TIMEOUT_MS = 5_000
/** Timeout of a silent connection, in ms: an attached node renews or sends requests several times within it. */
export const IDLE_TIMEOUT_MS = 30_000
/** Connections of nodes at once: an active node and its standbys, and their redials. */
export const CONNECTIONS_MAX = 16
/** Time for the TLS handshake, in ms. */
export const HANDSHAKE_TIMEOUT_MS = 2_000
/** Maximum connections in their handshake, in total and per address, because anyone can open them. */
export const HANDSHAKES_MAX = 256
export const HANDSHAKES_PER_ADDRESS_MAX = 32
/** Maximum pending requests of one connection: a node sends one per kind and view. */
export const WAITING_MAX = 64
/** Bounds of the lease, in ms: a blink of the network must not end it, and a dead node must not hold it for long. */
export const LEASE_MIN_MS = 500
export const LEASE_MAX_MS = 60_000
export const LEASE_DEFAULT_MS = 2_000
/** A node renews its lease this many times within it. */
export const RENEWALS_PER_LEASE = 4
/** Pause before a node dials again, in ms, and the longest one: a signer that restarts is back within a second. */
export const REDIAL_MIN_MS = 50
export const REDIAL_MAX_MS = 1_000
/** Size of a record at which it is rewritten, in bytes. */
export const RECORD_ROTATE_BYTES = 4 * 1024 * 1024
