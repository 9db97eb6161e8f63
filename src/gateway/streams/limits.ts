/** Owns the bounds of the streams, each with its unit and its reason. */

/** Maximum distance of a resume, in blocks; a reader that is further behind gets a gap and must read the blocks. */
export const REPLAY_BLOCKS_MAX = 10_000

/**
 * Readers served per slice, which takes less than a millisecond of writes, so that a thousand readers do not delay
 * consensus.
 */
export const SLICE_READERS = 32

/** Maximum bytes that wait in the socket of a connection; further bytes are buffered here. */
export const SOCKET_BUFFER_BYTES = 256 * 1024
/**
 * Maximum buffered events of one reader; if it falls further behind, the oldest are dropped. Buffers share their
 * events.
 */
export const RING_EVENTS = 4_096
/** Maximum buffered bytes of one reader, counted as they will be sent. */
export const RING_BYTES = 8 * 1024 * 1024
/** Maximum bytes of one write for one reader; the rest is buffered as items that share their bytes. */
export const WRITE_BYTES = 64 * 1024
/** Timeout of a reader whose socket accepts no data, in ms. */
export const STALLED_MS = 60_000

/** Housekeeping interval, in ms. */
export const TICK_MS = 1_000
/** Interval of comments on an idle stream of Server-Sent Events, in ms: proxies close silent connections. */
export const SSE_KEEPALIVE_MS = 15_000
/** Reconnection delay of a browser, in ms. */
export const SSE_RETRY_MS = 3_000
/** Interval of WebSocket pings, in ms, and the number of unanswered ones that ends a connection. */
export const PING_MS = 20_000
export const PONGS_MISSED_MAX = 2
/** Time for the first frame of a client, in ms. */
export const SUBSCRIBE_MS = 10_000
/** Maximum size of a client frame, in bytes: a subscription with all its filters. */
export const CLIENT_FRAME_MAX_BYTES = 64 * 1024
/** Minimum interval between two states sent to a reader, in ms: ten per second. */
export const STATE_MS = 100
