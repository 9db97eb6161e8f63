/** Owns the times of live telemetry, each with its unit and its reason. */

/** Polling interval of a watched gateway, in ms, in addition to its stream of blocks. */
export const ASK_MS = 5_000
/** Timeout of a poll, in ms. */
export const ASK_TIMEOUT_MS = 3_000
/**
 * Maximum response size of a watched gateway, in bytes. The longest response, its capabilities, has about 8 KiB. This
 * node parses three responses of each of 64 gateways in `ASK_MS`, which takes at most 3 % of the time of its main
 * thread.
 */
export const ANSWER_MAX_BYTES = 64 * 1024
/** First delay before a stream is reopened, in ms; doubled each time, up to the second value. */
export const RETRY_FIRST_MS = 500
export const RETRY_LAST_MS = 15_000
/** Interval of change events, in ms, one per peer each time: ten per second. */
export const PUBLISH_INTERVAL_MS = 100
/** Polling interval of the peer links, in ms: heights arrive with each heartbeat of a peer, once per second. */
export const LINKS_MS = 1_000
/** Interval of the network summary, in ms. */
export const NETWORK_MS = 5_000
/** Distance above this node's height up to which reports about blocks that it does not have yet are kept. */
export const AHEAD_BLOCKS_MAX = 256
/**
 * Maximum bytes per second read from the stream of one gateway: 50 blocks of half a kilobyte are less than half of it.
 */
export const READ_BYTES_PER_SECOND = 64 * 1024
/** Time for which gateways are watched after the last read, in ms: longer than any usual scrape interval of metrics. */
export const WATCHED_AFTER_READ_MS = 120_000
/** Maximum wait of the first read for responses of the gateways, in ms: enough for a gateway on another continent. */
export const FIRST_ANSWERS_MS = 1_000
