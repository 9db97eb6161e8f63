/** Owns the bounds of the streams, each with its unit and its reason. */

/** How far back a reader may resume, in blocks; before that it gets a gap and reads the blocks themselves. */
export const REPLAY_BLOCKS_MAX = 10_000

/** Readers that get a block in one go, less than a millisecond of writes: consensus is not kept waiting by a thousand of them. */
export const SLICE_READERS = 32

/** Bytes that a connection may have waiting in its socket before more is held back here. */
export const SOCKET_BUFFER_BYTES = 256 * 1024
/** Events held back for one reader; the oldest go first when it falls further behind. They are shared between readers. */
export const RING_EVENTS = 4_096
/** The same in bytes as they will be sent. */
export const RING_BYTES = 8 * 1024 * 1024
/** Bytes of one write that is made for one reader alone: the rest waits as items, whose bytes all readers share. */
export const WRITE_BYTES = 64 * 1024
/** A reader whose socket takes nothing for this long is gone, in ms. */
export const STALLED_MS = 60_000

/** Housekeeping every this many ms. */
export const TICK_MS = 1_000
/** An idle stream of Server-Sent Events gets a comment this often, in ms: proxies end silent connections. */
export const SSE_KEEPALIVE_MS = 15_000
/** What a browser waits before it connects again, in ms. */
export const SSE_RETRY_MS = 3_000
/** WebSockets are pinged this often, in ms, and end after this many pings without a pong. */
export const PING_MS = 20_000
export const PONGS_MISSED_MAX = 2
/** Time for the first frame of a client, in ms. */
export const SUBSCRIBE_MS = 10_000
/** Longest frame of a client, in bytes: a subscription with all its filters. */
export const CLIENT_FRAME_MAX_BYTES = 64 * 1024
/** Least time between two states that a reader is sent, in ms: ten a second. */
export const STATE_MS = 100
