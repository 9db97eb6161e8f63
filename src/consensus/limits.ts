/** Owns the bounds of consensus: caches, windows and waits, each with its unit and reason. */

/** Heights for which a member that let a view fail stays demoted (docs/design/consensus.md 2). */
export const DEMOTION_HEIGHTS = 32
/**
 * Number of heights above the reported ones after which a node that may have forgotten votes takes part again
 * (docs/design/consensus.md 8).
 */
export const ABSTAIN_HEIGHTS = 3
/**
 * Highest view of a timeout, so that derived numbers such as the next view stay within 32 bits. At the shortest timeout it is reached
 * after 27 years.
 */
export const VIEW_MAX = 0x7fff_ffff
/** Late commit votes still count for this many views, so that a certificate can complete after a view change. */
export const LATE_COMMIT_VIEWS = 4
/** Views above ours for which votes are kept: a correct member is at most one ahead, one more for reordering. */
export const FUTURE_VIEWS = 2
/** Parked messages of greater heights per kind and committee member, and once more for a second view (design: 2m per kind). */
export const BUFFERED_PER_MEMBER = 2
/** Candidate blocks kept per height: one per view that a correct proposer could reach before a re-proposal. */
export const CANDIDATES_PER_HEIGHT_MAX = 16
/**
 * Signature checks in flight for one peer: a proposal, a timeout, a Status and certificates of two views. Further messages are dropped
 * and arrive again by retransmission; checks for other peers and our own work do not wait for them.
 */
export const CHECKS_PER_PEER_MAX = 32
/** Certificates remembered as verified, so that each is verified once. */
export const VERIFIED_CERTIFICATES_MAX = 256
/**
 * Minimum time between two Status messages, or between two SyncRequests without a good block in between, to one peer,
 * in ms.
 */
export const STATUS_INTERVAL_MS = 1_000
/** Time in ms after which an unanswered payload request goes to the next source. */
export const FETCH_RETRY_MS = 250
/** Time in ms after which an unanswered range request goes to another peer. */
export const SYNC_TIMEOUT_MS = 2_000
/** Longest pause in ms before a slow peer is asked again while others are available. */
export const SYNC_REST_MAX_MS = 30_000
/** Pause in ms for a peer that served invalid blocks, which no correct peer does. */
export const SYNC_BAN_MS = 60_000
/** Blocks requested ahead of the tip: eight ranges keep several peers busy while one block executes. */
export const SYNC_WINDOW_BLOCKS = 256
/** Bytes of waiting bodies and of pending responses: bounds the memory of a node that catches up. */
export const SYNC_BUFFER_BYTES = 64 * 1024 * 1024
/** Peers remembered as sources of blocks: as many as can be registered. */
export const SYNC_PEERS_MAX = 512
/** Blocks per sync range: bounds one answer and its verification. */
export const SYNC_RANGE_BLOCKS = 32
/** Bytes of bodies per sync response, so that a response fits in a frame and is processed quickly. */
export const SYNC_RANGE_BYTES = 8 * 1024 * 1024
/** Shortest view-0 timeout in ms, and the longest (docs/design/consensus.md 6). */
export const T0_MIN_MS = 400
export const T0_MAX_MS = 5_000
/** Longest timeout of any view in ms, which bounds the wait for the next attempt. */
export const TIMEOUT_MAX_MS = 30_000
/** Growth of the timeout per failed view, and the view at which it stops growing. */
export const BACKOFF_FACTOR = 1.5
export const BACKOFF_EXPONENT_MAX = 6
/** Weight of the newest height in the moving average of height times. */
export const HEIGHT_EWMA_ALPHA = 0.2
/** T0 is this many times the average height time: two executions and a transfer fit in half of it. */
export const T0_HEIGHT_FACTOR = 8
/** Upper bound of the average as a multiple of `baseHeightMs`, so that a stall cannot inflate the timeout permanently. */
export const HEIGHT_EWMA_CEILING = 4
/**
 * A proposer waits this many times the median processor time of its recent blocks: if transactions arrive one by one, a
 * node spends a fifth of one processor on blocks.
 */
export const PACE_COST_FACTOR = 5
/** Number of blocks in the median of processor time; a single expensive block barely changes it. */
export const PACE_BLOCKS = 16
/** Longest wait of a proposer as a share of T0: the rest of the view is left to the block. */
export const PACE_T0_SHARE = 0.25
/** Timeout after the link to the proposer is refused or reset, in ms. */
export const UNREACHABLE_TIMEOUT_MS = 100
/** Share of a timer that the driver adds at random, so that members do not fire simultaneously. */
export const TIMER_JITTER = 0.1
