/** Owns the bounds of the network layer, each with its unit and reason. */
import { BODY_MAX_BYTES } from '../model/index.js'

/** Largest message, in bytes: the largest block body with its header, certificate and the envelope around them. */
export const MESSAGE_MAX_BYTES = BODY_MAX_BYTES + 1024 * 1024
/** Maximum message of each channel, in bytes, so that the unfinished messages of one link use limited memory. */
export const CHANNEL_MESSAGE_MAX_BYTES = {
  /** A proposal with 256 KiB of payload or 1 MiB of hashes, its digests and certificates. */
  consensus: 2 * 1024 * 1024,
  payload: MESSAGE_MAX_BYTES,
  /** A batch of 1 MiB of records. */
  gossip: 2 * 1024 * 1024,
} as const
/** Size of a part, in bytes: longer messages are split, so that a vote waits for one part and not for a block. */
export const PART_MAX_BYTES = 256 * 1024
/** Maximum frame before the handshake is complete, in bytes: a Hello with many features. */
export const HELLO_MAX_BYTES = 64 * 1024
/** Bytes passed to a socket before it must drain: enough for a fast link, with a short queue. */
export const WRITE_WINDOW_BYTES = 512 * 1024
/** Maximum queued bytes of consensus messages for one peer; beyond it the peer is too slow and the link is closed. */
export const CONSENSUS_QUEUE_MAX_BYTES = 32 * 1024 * 1024
/** Maximum queued bytes of payload and sync responses for one peer; beyond it they are dropped and requested again. */
export const PAYLOAD_QUEUE_MAX_BYTES = 2 * MESSAGE_MAX_BYTES
/** Maximum queued bytes of gossip for one peer; beyond it gossip is dropped, and offered again. */
export const GOSSIP_QUEUE_MAX_BYTES = 8 * 1024 * 1024
/**
 * Maximum observers with a link; beyond it further observers are refused and not dialed. Links to members are not
 * limited.
 */
export const OBSERVER_LINKS_MAX = 128
/**
 * Maximum queued bytes for all observers together; beyond it the links with the most bytes are closed, or accept no
 * more.
 */
export const OBSERVERS_QUEUE_MAX_BYTES = 64 * 1024 * 1024
/**
 * Maximum bytes of unfinished messages of all observers together; beyond it the links with the most bytes are closed.
 */
export const OBSERVERS_PARTS_MAX_BYTES = 64 * 1024 * 1024
/** Delay of a non-urgent message to share a write with others, in ms: less than a phase. */
export const SHARED_WRITE_MS = 10
/** Maximum time from the first packet to the compared Hello, in ms. */
export const HANDSHAKE_TIMEOUT_MS = 5_000
/** Maximum incoming connections with an unfinished handshake; beyond it new ones are closed at once. */
export const PENDING_INBOUND_MAX = 64
/** Minimum and maximum pause before a redial, in ms; doubles between, with jitter. */
export const REDIAL_MIN_MS = 100
export const REDIAL_MAX_MS = 5_000
/** Duration of a link, in ms, after which the next pause is short again. */
export const STABLE_LINK_MS = 1_000
/** Interval of pings on a link, in ms. */
export const PING_INTERVAL_MS = 5_000
/**
 * Maximum pings and pongs of the other side between two pings of ours. A correct peer sends one of each, and a few more
 * after a paused process. They do not count toward the message budgets, so a flood of them would occupy the link
 * thread.
 */
export const CONTROLS_PER_PING_MAX = 256
/** Time without any byte from the other side after which a link is dead, in ms. */
export const DEAD_LINK_MS = 15_000
/** Time for which the second link of a pair is still read, in ms, until both sides use the other link. */
export const DUPLICATE_GRACE_MS = 1_000
/** Time in which a closing link may flush and read, in ms, so that the reason arrives before the end. */
export const CLOSE_GRACE_MS = 1_000
/** Maximum text of a received refusal, in bytes, and maximum number of its differences. */
export const REFUSAL_TEXT_MAX_BYTES = 512
export const REFUSAL_DIFFERENCES_MAX = 64
/** Maximum features in a Hello. */
export const FEATURES_MAX = 256
/** Maximum ABIs of a release. */
export const ABIS_MAX = 256
/** Minimum and maximum ban of a key after violations, in ms; doubled each time. */
export const BAN_MIN_MS = 10_000
export const BAN_MAX_MS = 3_600_000
/** Interval of log lines about bans and other faults of one peer, in ms, because a peer can cause them at will. */
export const PEER_LOG_INTERVAL_MS = 60_000
/** Maximum log lines about a flapping peer in that interval; high enough to log all occasional breaks. */
export const LINK_LINES_MAX = 16
/** Interval of warnings about refused unknown peers, in ms, because anyone can cause them. */
export const UNREGISTERED_LOG_INTERVAL_MS = 10_000
