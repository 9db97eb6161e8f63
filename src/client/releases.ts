/** Owns the verification of releases of packages: their row against a state root, their attestations, their archive. */
import { sameBytes } from '../base/bytes.js'
import type { CodecContext } from '../codec/index.js'
import { verifyEd25519 } from '../crypto/index.js'
import { releaseDigest } from '../features/registry/schema/records.js'
import { signedBytesOf } from '../features/registry/schema/statement.js'
import {
  RELEASE_TABLE,
  type ReleaseKey,
  type ReleaseRow,
  releaseKey,
  releaseRow,
} from '../features/registry/schema/stored.js'
import type { ProvenRow } from './proven.js'
import { unproven } from './proven.js'
import type { AskedRow } from './state-rows.js'

/** Release and the proven height; undefined if its absence is proven. */
export interface ProvenRelease {
  readonly release: ReleaseRow | undefined
  readonly height: number
}

/** Decode the proven row of a release. Throws `proof_invalid` if it does not decode or contradicts itself. */
export function releaseOfRow(key: ReleaseKey, value: Uint8Array, codec: CodecContext): ReleaseRow {
  const what = `the release ${key.package}@${key.version}`
  const row = releaseRow.decode(value, codec)
  if (!row.ok) throw unproven(what, row.fault.message)
  if (!sameBytes(row.value.digest, releaseDigest(key.package, key.version, row.value.manifest)))
    throw unproven(what, 'its digest is of another manifest')
  return row.value
}

/** Request for the row of a release. */
export const askedRelease = (key: ReleaseKey): AskedRow => ({
  table: RELEASE_TABLE.name,
  key: JSON.stringify(key),
  tableId: RELEASE_TABLE.id,
  keyBytes: releaseKey.encode(key),
  what: `the release ${key.package}@${key.version}`,
})

/** Release of a version, proven against the pinned genesis hash. Throws `proof_invalid`, and `usage` without a pin. */
export async function provenRelease(
  rowOf: (row: AskedRow) => Promise<ProvenRow>,
  codec: CodecContext,
  key: ReleaseKey,
): Promise<ProvenRelease> {
  const { value, height } = await rowOf(askedRelease(key))
  return { release: value === undefined ? undefined : releaseOfRow(key, value, codec), height }
}

/** Attestations of a release whose signature covers its statement, as hexadecimal keys. */
export function validAttestations(key: ReleaseKey, { manifest, attestations }: ReleaseRow): readonly string[] {
  const subject = { ...key, sha256: manifest.archive.sha256 }
  return attestations
    .filter(({ attestation: { key: signer, provenance, signature } }) =>
      verifyEd25519(signer, signedBytesOf(subject, provenance), signature),
    )
    .map(({ attestation }) => Buffer.from(attestation.key).toString('hex'))
}
