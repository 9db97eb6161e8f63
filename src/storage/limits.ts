/** Owns the bounds of the storage layer, each with its unit and reason. */

/**
 * Maximum frame size of a log, in bytes: two records, each with a block of the largest size, and their certificates.
 */
export const FRAME_MAX_BYTES = 256 * 1024 * 1024
/** Size at which a group of appends is closed, in bytes, so that the first append does not wait for a long write. */
export const GROUP_MAX_BYTES = 8 * 1024 * 1024
/**
 * Maximum bytes that wait for the disk of a log; further appends are refused. Callers wait for their promises, so
 * reaching it is a bug.
 */
export const PENDING_MAX_BYTES = 1024 * 1024 * 1024
/** Bytes per read when a log is scanned. */
export const SCAN_WINDOW_BYTES = 1024 * 1024
/**
 * Size beyond which the vote log starts a new file, in bytes: about a hundred blocks of the largest directly sent size.
 */
export const VOTE_LOG_ROTATE_BYTES = 64 * 1024 * 1024
/**
 * Size beyond which the staging segment starts a new file, in bytes: several blocks of the largest size that is built.
 */
export const STAGING_LOG_ROTATE_BYTES = 32 * 1024 * 1024
/** Maximum durable records in one append of the vote log; an event needs a few. */
export const VOTE_RECORDS_PER_APPEND_MAX = 64
/** Size below which the queue log is not compacted, in bytes: a restart reads it quickly. */
export const QUEUE_LOG_COMPACT_BYTES = 16 * 1024 * 1024
/**
 * Size beyond which a payload segment is closed, in bytes. Pruning removes whole files, so that at most one per lane is
 * kept longer than needed.
 */
export const SEGMENT_MAX_BYTES = 64 * 1024 * 1024
/** Maximum blocks cached after a read, by count and by bytes of their bodies, for concurrently syncing peers. */
export const BLOCK_CACHE_COUNT = 64
export const BLOCK_CACHE_BYTES = 32 * 1024 * 1024
/** Maximum bytes of consecutive header records read together: about two hundred records of the usual size. */
export const HEADERS_READ_MAX_BYTES = 256 * 1024
/** Age of the last touch, in ms, after which a lock of another machine or container is considered stale. */
export const LOCK_STALE_MS = 15_000
/** Interval at which the holder of a data directory touches its lock, in ms. */
export const LOCK_TOUCH_MS = 3_000
/** Polling interval of a lock of another machine or container, in ms. */
export const LOCK_LOOK_MS = 250
/** Maximum length of an audit log line, in bytes: its fields are ids and hashes. */
export const AUDIT_LINE_MAX_BYTES = 16 * 1024
/** Size in bytes at which the audit log starts a new file; a start reads only the newest file, in a few seconds. */
export const AUDIT_FILE_MAX_BYTES = 64 * 1024 * 1024
/** Maximum bytes that wait to be written to the audit log, about a hundred thousand submissions. */
export const AUDIT_PENDING_MAX_BYTES = 64 * 1024 * 1024
/** Number of header terms kept in memory; blocks share their terms until the roster or its committee changes. */
export const HEADER_TERMS_KEPT = 64
/**
 * Interval in blocks at which a header record repeats its terms, so that a corrupt record affects at most that many
 * blocks.
 */
export const HEADER_TERMS_EVERY = 16
