/** Owns the times of live telemetry, each with its unit and its reason. */

/** Polling interval of a watched gateway, in ms, besides its stream of blocks. */
export const ASK_MS = 5_000
/** Longest time of one such question, in ms. */
export const ASK_TIMEOUT_MS = 3_000
/**
 * Longest answer of a watched gateway that is read, in bytes. Capabilities, the longest, have some 8 KiB. This node parses three such
 * answers of each of 64 gateways in `ASK_MS`, at the worst in 3 % of the time of its main thread.
 */
export const ANSWER_MAX_BYTES = 64 * 1024
/** First pause before a stream is opened again, in ms; doubled each time, up to the second. */
export const RETRY_FIRST_MS = 500
export const RETRY_LAST_MS = 15_000
/** Interval of change events, in ms, one per peer each time: ten a second. */
export const TELL_MS = 100
/** Polling interval of the peer links, in ms: heights arrive with each heartbeat of a peer, once a second. */
export const LINKS_MS = 1_000
/** Interval of the network summary, in ms. */
export const NETWORK_MS = 5_000
/** Reports of blocks that this node does not have yet are kept this far above its height. */
export const AHEAD_BLOCKS_MAX = 256
/** Bytes of the stream of one gateway that are read in a second: 50 blocks of half a kilobyte are less than half of it. */
export const READ_BYTES_PER_SECOND = 64 * 1024
/** Gateways are watched for so long after the last read, in ms: longer than any usual time between two scrapes of metrics. */
export const WATCHED_AFTER_READ_MS = 120_000
/** A read that begins the watching waits so long for first answers, in ms: a gateway of another continent answers well within it. */
export const FIRST_ANSWERS_MS = 1_000
