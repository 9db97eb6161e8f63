/** Owns the bounds of passkeys, each with its unit and its reason. */

/** Lifetime of a ticket, in ms: from the command to the browser. */
export const TICKET_MS = 600_000
/** Maximum concurrent tickets: operators create few, and each is used at once. */
export const TICKETS_MAX = 32
/** Lifetime of a challenge, in ms: enough time for the user to touch the sensor. */
export const CHALLENGE_MS = 120_000
/** Maximum answered challenges in memory until their expiry; each cost a signature of a passkey. */
export const ANSWERED_MAX = 4_096
/** Maximum requests of one client per minute: a login takes two, a new passkey two more. */
export const REQUESTS_PER_MINUTE = 30
export const MINUTE_MS = 60_000
/** Failures of one client in five minutes after which it is locked, and the time of the lock, in ms. */
export const FAILURES_MAX = 5
export const FAILURES_MS = 300_000
export const LOCK_MS = 900_000
/**
 * Maximum failures of all clients per minute in the audit log, about 6 MB a day. Further failures are counted in the
 * next line.
 */
export const FAILURES_NOTED_PER_MINUTE = 16
/** Maximum clients in memory; the least recently seen one is evicted. */
export const CLIENTS_MAX = 4_096
