/** Owns one row per validator and observer: its part in consensus, its link, and the severity of its problems. */
import type { PeerRecord } from '../../api/index.js'
import { nameOf } from '../gateway/node-names.js'
import { clean } from '../text/escape.js'
import type { WatchModel } from './model.js'
import { named } from './names.js'

export type Link = 'self' | 'up' | 'DOWN' | 'unknown'

export interface ValidatorRow {
  readonly key: string
  readonly name: string
  /** Position in the committee; undefined for a validator without a vote at this height. */
  readonly place: number | undefined
  readonly role: 'you' | 'LEADER' | 'you, LEADER' | 'validator' | 'standby' | 'observer'
  readonly link: Link
  readonly address: string | undefined
  readonly error: string | undefined
  readonly roundTripMs: number | undefined
  /** True if the last commit certificate has its signature; undefined before the first one. */
  readonly signedLast: boolean | undefined
  /** Its votes of this height and view, as far as the node has them; undefined if unavailable. */
  readonly votes: { readonly prepare: boolean; readonly commit: boolean } | undefined
  /** Blocks that it is behind the node; undefined if unavailable. */
  readonly behind: number | undefined
  /** True if its votes are from before its link ended, so that its current state is unknown. */
  readonly isOld: boolean
  /** True if the stall explainer waits for it. */
  readonly missing: boolean
  readonly signed: number
  readonly seen: number
  /** Number of latest consecutive commits without its signature. */
  readonly silent: number
  /** Severity: 0 without problems; higher is worse. */
  readonly trouble: number
}

/**
 * Number of consecutive commits without a signature that is reported: certificates close at the quorum, so a few are
 * normal.
 */
export const SILENT_COMMITS = 20

/** Number of blocks behind that is reported: heights arrive in messages, so one or two are normal. */
export const BEHIND_BLOCKS = 3

/** All validators in committee order, then the other peers. */
export function validatorRows(model: WatchModel): readonly ValidatorRow[] {
  const { consensus, peers } = model
  const committee = consensus?.committee ?? []
  const peerOf = new Map(peers.map((one) => [one.id, one]))
  const others = peers.filter(({ id }) => !committee.includes(id))
  const missing = new Set((consensus?.stall?.missing ?? []).map((one) => named(model, one)))
  return [
    ...committee.map((key, place) => rowOf(model, key, place, peerOf.get(key), missing)),
    ...others.map((peer) => rowOf(model, peer.id, undefined, peer, missing)),
  ]
}

function rowOf(
  model: WatchModel,
  key: string,
  place: number | undefined,
  peer: PeerRecord | undefined,
  waitedFor: ReadonlySet<string>,
): ValidatorRow {
  const self = key === model.node.validatorKey
  const name = nameOf(model, key)
  const history = model.participation.get(key) ?? []
  const link: Link = self ? 'self' : peer === undefined ? 'unknown' : peer.connected ? 'up' : 'DOWN'
  const missing = waitedFor.has(name)
  const { votes } = model.consensus ?? {}
  const behind = behindOf(model, peer, self)
  const silent = history.length - 1 - history.lastIndexOf(true)
  const leads = model.consensus?.proposer === key
  const role = leads
    ? self
      ? 'you, LEADER'
      : 'LEADER'
    : self
      ? 'you'
      : place !== undefined
        ? 'validator'
        : without(peer)
  return {
    key,
    name,
    place,
    role,
    link,
    address: peer === undefined ? undefined : clean(peer.address),
    error: peer?.lastError === undefined ? undefined : clean(peer.lastError),
    roundTripMs: model.roundTrips.get(key),
    signedLast: history.at(-1),
    votes:
      votes === undefined || place === undefined
        ? undefined
        : { prepare: votes.prepare.includes(place), commit: votes.commit.includes(place) },
    behind,
    isOld: link === 'DOWN',
    missing,
    signed: history.filter(Boolean).length,
    seen: history.length,
    silent,
    trouble:
      (link === 'DOWN' ? 1_000 : 0) +
      (missing ? 500 : 0) +
      ((behind ?? 0) >= BEHIND_BLOCKS ? 100 : 0) +
      (silent >= SILENT_COMMITS ? silent : 0),
  }
}

const without = (peer: PeerRecord | undefined): 'standby' | 'observer' =>
  peer?.role === 'validator' ? 'standby' : 'observer'

/** Number of blocks that a peer is behind this node, by its last reported height. */
function behindOf({ consensus }: WatchModel, peer: PeerRecord | undefined, self: boolean): number | undefined {
  if (self) return 0
  if (consensus === undefined || peer?.height === undefined) return undefined
  return Math.max(0, consensus.height - peer.height)
}
