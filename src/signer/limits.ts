/** Owns the bounds of a signer and of the nodes that ask it, each with its unit and reason. */

/** Longest frame, in bytes: a certificate with its header, the keys of the largest committee, and room. */
export const FRAME_MAX_BYTES = 64 * 1024
/** Time for the TLS handshake and the first message of a node, in ms: both take two ways over any network in use. */
export const HELLO_TIMEOUT_MS = 5_000
/** A connection that says nothing for so long is dead, in ms: an attached node renews or asks several times within it. */
export const IDLE_TIMEOUT_MS = 30_000
/** Connections of nodes at once: an active node and its standbys, and their redials. */
export const CONNECTIONS_MAX = 16
/** Time for the TLS handshake, in ms. */
export const HANDSHAKE_TIMEOUT_MS = 2_000
/** Connections in their handshake at once, of all addresses and of one: anybody may open some. */
export const HANDSHAKES_MAX = 256
export const HANDSHAKES_PER_ADDRESS_MAX = 32
/** Requests of one connection that wait at once: a node asks for one thing per kind and view. */
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
/** Size of a record from which it is written anew, in bytes. */
export const RECORD_ROTATE_BYTES = 4 * 1024 * 1024
