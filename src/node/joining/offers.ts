/** Owns the choice among offered snapshots: immediately provable ones first, then the newest; oversized ones last. */
import { sameBytes } from '../../base/bytes.js'
import { checkCertifiedHeader, keyListHash, selectCommittee, verifyAll } from '../../consensus/index.js'
import type { CryptoService } from '../../crypto/index.js'
import { genesisSeed, type ValidatorKey } from '../../model/index.js'
import type { PinnedGenesis } from '../identity/identity.js'
import { genesisRoster } from '../snapshot/chain.js'
import { manifestFault, type SnapshotManifest } from '../snapshot/manifest.js'

/** Snapshot offered by a peer. */
export interface Offer {
  readonly peer: ValidatorKey
  readonly manifest: SnapshotManifest
}

/** Reason why no correct peer of this network would make this offer; undefined if one may. */
export function offerFault(manifest: SnapshotManifest, pinned: PinnedGenesis): string | undefined {
  if (!sameBytes(manifest.head.genesisHash, pinned.hash)) return 'its snapshot belongs to another network'
  const fault = manifestFault(manifest)
  return fault === undefined ? undefined : `the manifest of its snapshot is invalid: ${fault}`
}

/**
 * True if the certificate of the block can be verified with the roster of genesis. After roster changes or elections
 * only the headers inside the snapshot prove it, so false is not a fault of the peer.
 */
export async function isProvenAtOnce(
  { certified }: SnapshotManifest,
  pinned: PinnedGenesis,
  crypto: CryptoService,
): Promise<boolean> {
  const { header } = certified
  const roster = genesisRoster(pinned.genesis)
  if (!sameBytes(keyListHash(roster), header.rosterHash)) return false
  const { chainHash } = pinned
  const committee = selectCommittee(roster, chainHash, genesisSeed(pinned.genesis.payload.bytes), header.height)
  const domain = { chainHash, committeeHash: committee.hash, epoch: 0, height: header.height }
  const check = checkCertifiedHeader(certified, committee, domain)
  return !('fault' in check) && (await verifyAll(crypto, check.checks))
}

/**
 * Factor above the usual length from which an offer is ranked last. The length in a manifest is unproven until the last
 * byte arrives: one peer could claim as much as the disk has space for, and delay a start by hours.
 */
const LONG_FACTOR = 4

/**
 * Length from which an offer is oversized, a multiple of the median; each peer counts once, so that two peers cannot
 * outvote each other.
 */
function longFrom(offers: readonly Offer[]): number {
  const lengths = [...new Map(offers.map(({ peer, manifest }) => [peer, manifest.bytes])).values()]
  return LONG_FACTOR * (lengths.sort((a, b) => a - b)[lengths.length >> 1] ?? 0)
}

/** Offers in the order in which to try them. */
export async function ranked(
  offers: readonly Offer[],
  pinned: PinnedGenesis,
  crypto: CryptoService,
): Promise<readonly Offer[]> {
  const candidates = await Promise.all(
    offers.map(async (offer) => ({ offer, proven: await isProvenAtOnce(offer.manifest, pinned, crypto) })),
  )
  const limit = longFrom(offers)
  const isLong = ({ manifest }: Offer): number => Number(manifest.bytes > limit)
  const heightOf = ({ manifest }: Offer): number => manifest.head.height
  candidates.sort(
    (a, b) =>
      isLong(a.offer) - isLong(b.offer) || Number(b.proven) - Number(a.proven) || heightOf(b.offer) - heightOf(a.offer),
  )
  return candidates.map(({ offer }) => offer)
}
