/** Owns the record of a peer with its links, and its form for display. */
import type { Peer, ValidatorKey } from '../model/index.js'
import { type Ban, banText } from './ban.js'
import type { Dialer } from './dialer.js'
import type { Hello } from './handshake.js'
import type { Link } from './link.js'

/** State of a peer and its links. */
export interface PeerState {
  readonly key: ValidatorKey
  readonly role: Peer['role']
  /** First registered address. */
  readonly address: string
  readonly connected: boolean
  /** Reason why there is no link, or why the previous one ended. */
  readonly lastError: string | undefined
  readonly rttMs: number | undefined
  /** Bytes received over all links to this peer since the start. */
  readonly bytesIn: number
  readonly bytesOut: number
  /** Height and release in its last handshake. */
  readonly height: number | undefined
  readonly release: string | undefined
}

/** Peer with its current and past links. */
export interface Entry {
  peer: Peer
  readonly dialer: Dialer
  link: Link | undefined
  hello: Hello | undefined
  lastError: string | undefined
  bytesIn: number
  bytesOut: number
  ban: Ban | undefined
  /** Timer that dials when the ban ends. */
  unban: NodeJS.Timeout | undefined
  /** Log lines about connects and disconnects, and the start of the counting interval, monotonic ms. */
  lines: { count: number; sinceMs: number }
}

/** Peer state for display. */
export const stateOf = (entry: Entry): PeerState => ({
  key: entry.peer.key,
  role: entry.peer.role,
  address: entry.peer.addresses[0] ?? '',
  connected: entry.link?.isOpen === true,
  lastError: banText(entry.ban) ?? entry.lastError,
  rttMs: entry.link?.rttMs,
  bytesIn: entry.bytesIn + (entry.link?.bytesIn ?? 0),
  bytesOut: entry.bytesOut + (entry.link?.bytesOut ?? 0),
  height: entry.hello?.height,
  release: entry.hello?.release,
})
