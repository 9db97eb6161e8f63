/** Owns the row of a release on the ledger, which clients verify against a state root. */
import { bounded, hash32, type Infer, list, option, struct, u32, varint } from '../../../codec/index.js'
import { accountId } from '../../../model/index.js'
import {
  ATTESTATIONS_MAX,
  attestation,
  MANIFEST_MAX_BYTES,
  packageId,
  releaseManifest,
  releaseVersion,
  yankReason,
} from './records.js'

/** Number and name of the table of releases. */
export const RELEASE_TABLE = { id: 1302, name: 'registry_release' } as const

export interface ReleaseKey extends Infer<typeof releaseKey> {}
export const releaseKey = struct('ReleaseKey', { package: packageId, version: releaseVersion })

export interface ReleaseRow extends Infer<typeof releaseRow> {}
export const releaseRow = struct('ReleaseRow', {
  manifest: bounded(releaseManifest, MANIFEST_MAX_BYTES),
  digest: hash32,
  by: accountId,
  height: varint,
  publishedMs: varint,
  /** Position in the pages of versions. */
  position: u32,
  revision: u32,
  yanked: option(struct('ReleaseYank', { atMs: varint, reason: yankReason })),
  attestations: list(struct('ReleaseAttestationRow', { atMs: varint, attestation }), ATTESTATIONS_MAX),
})
