/** Owns the bounds of passkeys, each with its unit and its reason. */

/** Life of a ticket, in ms: from the command to the browser. */
export const TICKET_MS = 600_000
/** Maximum concurrent tickets: operators create few, and each is used at once. */
export const TICKETS_MAX = 32
/** Life of a challenge, in ms: a finger on a sensor. */
export const CHALLENGE_MS = 120_000
/** Challenges that were answered are remembered until they are over; each costs a signature of a passkey. */
export const ANSWERED_MAX = 4_096
/** Requests of one client in a minute: a login is two, a passkey two more. */
export const REQUESTS_PER_MINUTE = 30
export const MINUTE_MS = 60_000
/** Failures of one client in five minutes before it is locked, and for how long, in ms. */
export const FAILURES_MAX = 5
export const FAILURES_MS = 300_000
export const LOCK_MS = 900_000
/**
 * Maximum failures of all clients per minute in the audit log, some 6 MB a day. Further ones are counted in the next
 * line.
 */
export const FAILURES_NOTED_PER_MINUTE = 16
/** Maximum clients in memory; the least recently seen one is evicted. */
export const CLIENTS_MAX = 4_096
