/** Owns the records of conferences: ids, names, bounds, manifests, relays. */

import {
  bounded,
  bytes,
  bytesN,
  hash32,
  type Infer,
  list,
  option,
  refine,
  type Schema,
  string,
  struct,
  text,
  u8,
  u32,
  u64,
  unitEnum,
  varint,
} from '../../../codec/index.js'
import { accountId, domainId, metadata, nameFault, range } from '../../../model/index.js'

export const CONFERENCE_IDS = range(3)
export const CONFERENCE_INDEXES = { counts: CONFERENCE_IDS.first } as const

/** Bounds of texts, in bytes: title, description, application data, remark. */
export const TITLE_MAX_BYTES = 128
export const DESCRIPTION_MAX_BYTES = 2 * 1024
export const METADATA_MAX_BYTES = 16 * 1024
export const NOTES_MAX_BYTES = 512
/** Maximum size of a signal body, in bytes: an SDP answer, encrypted. */
export const SIGNAL_MAX_BYTES = 4 * 1024
/** Maximum hops of a manifest: as many paths as a client can try in a few seconds. */
export const HOPS_MAX = 16
export const HOPS_MIN = 3
/** Maximum relays that a domain allows; one row holds all of them. */
export const ALLOW_LIST_MAX = 256
/** Maximum participants of a transparent call. */
export const MEMBERS_MAX = 1_000
/** Maximum keys and seats of a private call: the longest list that a proof supports. */
export const RING_MAX = 256
/** Maximum segments and signals counted by a call. */
export const COUNT_MAX = 2 ** 32 - 1
/** Maximum stored signals of one call. */
export const SIGNALS_MAX = 10_000
/** Number of recent roster roots that a proof may use, so that concurrent joins do not invalidate each other. */
export const ROOTS_KEPT = 64
/** Maximum size of a proof, in bytes: the size of a listed join with 256 keys. */
export const PROOF_MAX_BYTES = 864

/** Domain and name of a call. The name has no colon, so the last one separates them. */
export function splitConferenceId(id: string): { domain: string; name: string } {
  const at = id.lastIndexOf(':')
  return { domain: id.slice(0, at), name: id.slice(at + 1) }
}
export const conferenceIdOf = (domain: string, name: string): string => `${domain}:${name}`
function conferenceIdFault(value: string): string | undefined {
  if (!value.includes(':')) return 'a call is written domain:name'
  const { domain, name } = splitConferenceId(value)
  return nameFault(domain) ?? nameFault(name)
}
const CONFERENCE_ID_MAX_BYTES = 257
/** `domain:name`. */
export const conferenceId: Schema<string> = text(
  'ConferenceId',
  CONFERENCE_ID_MAX_BYTES,
  conferenceIdFault,
  '^[!-"%-?A-~]+:[!-"%-.0-9;-?A-~]+$',
)
const CALL_NAME_MAX_BYTES = 128
/** Name of a call: a name without a colon. */
export const callName: Schema<string> = text(
  'ConferenceName',
  CALL_NAME_MAX_BYTES,
  (value) => (value.includes(':') ? 'the name of a call must not contain a colon' : nameFault(value)),
  '^[!-"%-.0-9;-?A-~]{1,128}$',
)

export const privacyMode = unitEnum('ConferencePrivacyMode', { transparent: 0, zkRosterV1: 1 })
export const roomPolicy = unitEnum('ConferenceRoomPolicy', { public: 0, authenticated: 1 })
/** `listed`: only holders of admitted keys can join; `open`: anyone can, with any number of seats. */
export const admission = unitEnum('ConferenceAdmission', { listed: 0, open: 1 })
export const callStatus = unitEnum('ConferenceStatus', { active: 0, ended: 1 })
export type RelayHealth = Infer<typeof relayHealth>
export const relayHealth = unitEnum('ConferenceRelayHealth', { healthy: 0, degraded: 1, unavailable: 2 })
export type NullifierStatus = Infer<typeof nullifierStatus>
export const nullifierStatus = unitEnum('ConferenceNullifierStatus', { spent: 0, left: 1 })

/** A public key of HPKE (X25519). */
export const hpkeKey = refine(bytesN(32), 'ConferenceHpkeKey', (key) =>
  key.every((byte) => byte === 0) ? 'an HPKE key must not be zero' : undefined,
)
/** Bandwidth class, from 1; relays and clients agree on its meaning. */
export const bandwidthClass = refine(u8, 'ConferenceBandwidthClass', (value) =>
  value < 1 ? 'a bandwidth class must be at least 1' : undefined,
)

export interface RelayHop extends Infer<typeof relayHop> {}
export const relayHop = struct('ConferenceRelayHop', { relayId: accountId, hpkePublicKey: hpkeKey, weight: u8 })
/** Path through relays, in order; weights share the load. */
export interface RelayManifest extends Infer<typeof relayManifest> {}
export const relayManifest = struct('ConferenceRelayManifest', { hops: list(relayHop, HOPS_MAX), expiryMs: varint })

/** Proof with the commitment of the key that verifies it. */
export interface ConferenceProof extends Infer<typeof conferenceProof> {}
export const conferenceProof = struct('ConferenceProof', { vkHash: hash32, bytes: bytes(PROOF_MAX_BYTES) })

/** Kind of a signal, agreed on by applications. */
export const signalKind: Schema<string> = text(
  'ConferenceSignalKind',
  32,
  (value) => (/^[a-z0-9_-]{1,32}$/.test(value) ? undefined : 'a kind must have 1 to 32 of a-z 0-9 _ -'),
  '^[a-z0-9_-]{1,32}$',
)

export const callTitle = string(TITLE_MAX_BYTES)
export const callDescription = string(DESCRIPTION_MAX_BYTES)
export const callMetadata = bounded(metadata, METADATA_MAX_BYTES)
export const notes = string(NOTES_MAX_BYTES)

/** Seat of a private call: its commitment, and the session number of its holder. */
export interface Seat extends Infer<typeof seat> {}
export const seat = struct('ConferenceSeat', { commitment: hash32, session: u8 })

/** Call row; description, metadata and manifest have separate rows. */
export interface Call extends Infer<typeof call> {}
export const call = struct('ConferenceCall', {
  domain: domainId,
  name: callName,
  host: accountId,
  title: option(callTitle),
  /** Maximum participants without the host. */
  maxParticipants: option(u32),
  /** Rate reported by the host; it moves no money. */
  gasRatePerMinute: u64,
  scheduledStartMs: option(varint),
  billingAccount: option(accountId),
  privacyMode,
  roomPolicy,
  /** Present for private calls. */
  admission: option(admission),
  status: callStatus,
  createdAtMs: varint,
  endedAtMs: option(varint),
  totalDurationMs: u64,
  totalBilledGas: u64,
  segments: u32,
  /** Current number of participants without the host. */
  memberCount: u32,
  nullifierCount: u32,
  signalCount: u32,
  /** Present for private calls. */
  rosterRoot: option(hash32),
  /** Present for private calls with a list. */
  admissionRoot: option(hash32),
  admissionCount: u32,
})
