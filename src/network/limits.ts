/** Owns the bounds of the network layer, each with its unit and reason. */
import { BODY_MAX_BYTES } from '../model/index.js'

/** Largest message, in bytes: the largest block body with its header, certificate and the envelope around them. */
export const MESSAGE_MAX_BYTES = BODY_MAX_BYTES + 1024 * 1024
/** Largest message of each channel, in bytes, so that unfinished ones of one link take no more memory than they need. */
export const CHANNEL_MESSAGE_MAX_BYTES = {
  /** A proposal with 256 KiB of payload or 1 MiB of hashes, its digests and certificates. */
  consensus: 2 * 1024 * 1024,
  payload: MESSAGE_MAX_BYTES,
  /** A batch of 1 MiB of records. */
  gossip: 2 * 1024 * 1024,
} as const
/** A longer message travels in parts of this many bytes, so that a vote waits behind one part and not behind a block. */
export const PART_MAX_BYTES = 256 * 1024
/** Largest frame before the handshake is done, in bytes: a Hello with many features, nothing more. */
export const HELLO_MAX_BYTES = 64 * 1024
/** Bytes handed to a socket before it has to drain: enough to keep a fast link busy, little to wait behind. */
export const WRITE_WINDOW_BYTES = 512 * 1024
/** Bytes of consensus messages that may wait for one peer; beyond it the link is closed: it cannot keep up. */
export const CONSENSUS_QUEUE_MAX_BYTES = 32 * 1024 * 1024
/** Bytes of payload and sync answers that may wait for one peer; beyond it they are dropped, and asked for again. */
export const PAYLOAD_QUEUE_MAX_BYTES = 2 * MESSAGE_MAX_BYTES
/** Bytes of gossip that may wait for one peer; beyond it gossip is dropped, and offered again. */
export const GOSSIP_QUEUE_MAX_BYTES = 8 * 1024 * 1024
/** Observers that have a link; beyond it those without one are refused, and not dialed. Members always have theirs. */
export const OBSERVER_LINKS_MAX = 128
/** Bytes that may wait for all observers together; beyond it the links that hold most of them end, or take nothing more. */
export const OBSERVERS_QUEUE_MAX_BYTES = 64 * 1024 * 1024
/** Bytes of unfinished messages of all observers together; beyond it the links that hold most of them end. */
export const OBSERVERS_PARTS_MAX_BYTES = 64 * 1024 * 1024
/** A message that is not urgent waits this long for another one to share its write, in ms: less than a phase takes. */
export const SHARED_WRITE_MS = 10
/** From the first packet to the compared Hello, in ms. */
export const HANDSHAKE_TIMEOUT_MS = 5_000
/** Incoming connections that have not finished their handshake; beyond it new ones are closed at once. */
export const PENDING_INBOUND_MAX = 64
/** Pause before the first redial and the longest one, in ms: doubles between, with jitter. */
export const REDIAL_MIN_MS = 100
export const REDIAL_MAX_MS = 5_000
/** A link that stood this long, in ms, makes the next pause short again. */
export const STABLE_LINK_MS = 1_000
/** Between two pings on a link, in ms. */
export const PING_INTERVAL_MS = 5_000
/**
 * Pings and pongs of the other side between two pings of ours: a correct one sends one of each, some more where a process was
 * paused. They are in no budget of messages, so that a flood of them would take the thread that reads all links.
 */
export const CONTROLS_PER_PING_MAX = 256
/** A link without any byte from the other side for this long, in ms, is dead. */
export const DEAD_LINK_MS = 15_000
/** The second link of a pair is read for this long, in ms: by then both sides use the other one. */
export const DUPLICATE_GRACE_MS = 1_000
/** A closing link may flush and read for this long, in ms, so that the reason arrives before the end. */
export const CLOSE_GRACE_MS = 1_000
/** Longest text that a refusal of the other side carries, in bytes, and its number of differences. */
export const REFUSAL_TEXT_MAX_BYTES = 512
export const REFUSAL_DIFFERENCES_MAX = 64
/** Features that a Hello names. */
export const FEATURES_MAX = 256
/** ABIs that a release carries. */
export const ABIS_MAX = 256
/** First ban of a key whose messages did what those of no correct peer do, and the longest one, in ms: doubles between. */
export const BAN_MIN_MS = 10_000
export const BAN_MAX_MS = 3_600_000
/** Bans and other faults of one peer are told in the log once in this many ms: a peer can cause them at will. */
export const PEER_LOG_INTERVAL_MS = 60_000
/** Lines about a peer that comes and goes, in that time: a link that breaks now and then has all of them. */
export const LINK_LINES_MAX = 16
/** Refusals of strangers are warned about once in this many ms: anybody can cause them. */
export const STRANGER_LOG_INTERVAL_MS = 10_000
