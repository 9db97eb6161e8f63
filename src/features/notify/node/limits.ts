/** Owns the bounds of notifications, each with its unit and its reason. */
import { DEVICES_MAX } from '../schema.js'

/** Lifetime of a device, in ms; devices in use are registered again in that time. */
export const DEVICE_MS = 90 * 86_400_000
/** Minimum interval between two notifications of a device, in ms, and maximum notifications per day. */
export const PAUSE_MS = 2_000
export const DAY_MS = 86_400_000
export const PER_DAY_MAX = 200
/** Maximum devices with a tracked rate, including removed ones: twice the maximum of devices. */
export const PACES_MAX = 2 * DEVICES_MAX
/**
 * Length of a step, in ms, and maximum notifications of the node per step. Encryption of 50 notifications takes about
 * 25 ms of each second.
 */
export const STEP_MS = 100
export const PER_STEP_MAX = 5
/** Delays before a failed push service is retried, in ms: three times within ten minutes. */
export const RETRIES_MS = [30_000, 120_000, 300_000] as const
/** Maximum `Retry-After` that is waited for, in ms. */
export const RETRY_AFTER_MAX_MS = 600_000
/** Lifetime of a message at the push service, in seconds (RFC 8030, section 5.2). */
export const TTL_SECONDS = 86_400
/** Maximum message size before encryption, in bytes, that all push services accept (RFC 8291, section 4). */
export const PAYLOAD_MAX_BYTES = 3_000
/** Lifetime of a token for a push service, and time of its use, in ms (RFC 8292, section 2: at most 24 hours). */
export const TOKEN_MS = 12 * 3_600_000
export const TOKEN_USED_MS = 6 * 3_600_000
/** Maximum push services with a cached token. */
export const ORIGINS_MAX = 256
/**
 * Maximum member lookups per block, since each is work of the ledger thread; and maximum accounts with cached members.
 */
export const MEMBERS_ASKED_MAX = 8
export const MEMBERS_KNOWN_MAX = 1_024
/** Interval of the search for expired devices, in ms. */
export const SWEEP_MS = 3_600_000
/** Timeout for an unavailable store, in ms. */
export const STORE_WAIT_MS = 5_000
