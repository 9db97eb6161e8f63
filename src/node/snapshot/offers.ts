/** Owns the choice among the snapshots that peers offer: what is proven at once comes first, then what is newest. */
import { checkCertifiedHeader, keyListHash, selectCommittee, verifyAll } from '../../consensus/index.js'
import type { CryptoService } from '../../crypto/index.js'
import { genesisSeed, type ValidatorKey } from '../../model/index.js'
import type { PinnedGenesis } from '../identity.js'
import { genesisRoster } from './chain.js'
import { manifestFault, type SnapshotManifest } from './manifest.js'

/** A snapshot that a peer offers. */
export interface Offer {
  readonly peer: ValidatorKey
  readonly manifest: SnapshotManifest
}

/** Why no correct peer of this network offers it; undefined when one may. */
export function offerFault(manifest: SnapshotManifest, pinned: PinnedGenesis): string | undefined {
  if (Buffer.compare(manifest.head.genesisHash, pinned.hash) !== 0) return 'its snapshot is of another network'
  const fault = manifestFault(manifest)
  return fault === undefined ? undefined : `the manifest of its snapshot is wrong: ${fault}`
}

/**
 * True when the certificate of the block is proven with the roster of genesis alone. Where validators changed since, or are
 * elected, the headers inside the snapshot prove it, once they are here: false says nothing against the peer.
 */
export async function isProvenAtOnce(
  { certified }: SnapshotManifest,
  pinned: PinnedGenesis,
  crypto: CryptoService,
): Promise<boolean> {
  const { header } = certified
  const roster = genesisRoster(pinned.genesis)
  if (Buffer.compare(keyListHash(roster), header.rosterHash) !== 0) return false
  const { chainHash } = pinned
  const committee = selectCommittee(roster, chainHash, genesisSeed(pinned.genesis.payload.bytes), header.height)
  const domain = { chainHash, committeeHash: committee.hash, epoch: 0, height: header.height }
  const check = checkCertifiedHeader(certified, committee, domain)
  return !('fault' in check) && (await verifyAll(crypto, check.checks))
}

/** The offers, the one to try first before the others. */
export async function ranked(
  offers: readonly Offer[],
  pinned: PinnedGenesis,
  crypto: CryptoService,
): Promise<readonly Offer[]> {
  const judged = await Promise.all(
    offers.map(async (offer) => ({ offer, proven: await isProvenAtOnce(offer.manifest, pinned, crypto) })),
  )
  const heightOf = ({ offer }: { readonly offer: Offer }): number => offer.manifest.head.height
  judged.sort((a, b) => Number(b.proven) - Number(a.proven) || heightOf(b) - heightOf(a))
  return judged.map(({ offer }) => offer)
}
