/** Owns releases: publication, attestations, yanks, assertions. A version is never reused and never removed. */
import { sameBytes } from '../../../base/bytes.js'
import { verifyEd25519 } from '../../../crypto/index.js'
import { type ExecContext, type Rejection, reject } from '../../../executor/contract.js'
import { perContent } from '../../../executor/costs.js'
import type { Executions } from '../../../executor/feature.js'
import { type AccountId, accountKeyOf, accountOfKey } from '../../../model/index.js'
import { events } from '../schema/events.js'
import type { instructions, PublishRelease } from '../schema/instructions.js'
import {
  ATTESTATIONS_MAX,
  type Attestation,
  MANIFEST_MAX_BYTES,
  releaseDigest,
  releaseManifest,
  splitPackage,
  VERSIONS_MAX,
  versionFault,
} from '../schema/records.js'
import { type StatementSubject, signedBytesOf } from '../schema/statement.js'
import { absentPackage, requireMaintainer } from './packages.js'
import { type PackageRow, packageOf, registryPackages, registryReleases, releaseOf, setVersionEntry } from './tables.js'

const absentRelease = (id: string, version: string): Rejection =>
  reject('absent', `package ${id} has no version ${version}`)

/** Account of an Ed25519 key. */
const accountOf = (key: Uint8Array): AccountId => accountOfKey(accountKeyOf('ed25519', key))

const invalid = (message: string): Rejection => reject('provenance_invalid', message)

/**
 * Rejection of an attestation because of its key, its source or its signature, in this order. `isBuilder`: only keys of
 * builders count.
 */
function attestationFault(
  { builders, maintainers }: PackageRow,
  subject: StatementSubject,
  { key, provenance, signature }: Attestation,
  isBuilder: boolean,
): Rejection | undefined {
  const builder = builders.find((one) => sameBytes(one.key, key))
  const text = Buffer.from(key).toString('hex')
  if (builder === undefined) {
    if (isBuilder || !maintainers.includes(accountOf(key)))
      return invalid(`${text} is not the key of a builder${isBuilder ? '' : ' or maintainer'}`)
  } else {
    if (builder.revokedMs !== undefined) return invalid(`the builder ${text} is revoked`)
    if (!provenance.source.startsWith(builder.sourcePrefix))
      return invalid(`the source is not below ${builder.sourcePrefix}`)
  }
  return verifyEd25519(key, signedBytesOf(subject, provenance), signature)
    ? undefined
    : invalid('the signature does not cover the statement of the release')
}

/** Rejection of a manifest because of its size, or of a dependency that does not exist. */
function manifestFault(ctx: ExecContext, { package: id, manifest }: PublishRelease): Rejection | undefined {
  const bytes = releaseManifest.encode(manifest).length
  if (bytes > MANIFEST_MAX_BYTES)
    return reject('bad_parameter', `the manifest has ${bytes} bytes; the limit is ${MANIFEST_MAX_BYTES}`)
  const missing = manifest.dependencies.find(
    (one) => one.package !== id && !ctx.has(registryPackages, splitPackage(one.package)),
  )
  return missing && reject('absent', `dependency ${missing.package} does not exist`)
}

/** Reason why a release may not be published in the domain of its package. */
function gateFault(
  ctx: ExecContext,
  { package: id, version, manifest: { abiHash } }: PublishRelease,
  digest: Uint8Array,
): Rejection | undefined {
  const { domain, name } = splitPackage(id)
  const use = { kind: 'package', domain, name: `${name}@${version}`, digest, abiHash } as const
  return ctx.abi.policies.namespaceGate?.(ctx, use)
}

export const execute = {
  publishRelease: {
    cost: { base: 1_200, per: [perContent('manifest', ({ manifest }) => releaseManifest.encode(manifest).length)] },
    primaryDomain: (value) => splitPackage(value.package).domain,
    execute(ctx, value) {
      const { package: id, version, manifest, attestation } = value
      const row = packageOf(ctx, id)
      if (row === undefined) return absentPackage(id)
      const denied = requireMaintainer(ctx, 'publishing a release', row)
      if (denied) return denied
      const malformed = versionFault(version)
      if (malformed !== undefined) return reject('bad_semver', `version ${version}: ${malformed}`)
      if (ctx.has(registryReleases, { package: id, version }))
        return reject('exists', `package ${id} already has the version ${version}`)
      const unfit = manifestFault(ctx, value)
      if (unfit) return unfit
      if (row.releases >= VERSIONS_MAX) return reject('version_limit', `package ${id} has ${VERSIONS_MAX} versions`)
      const digest = releaseDigest(id, version, manifest)
      const unapproved = gateFault(ctx, value, digest)
      if (unapproved) return unapproved
      if (attestation === undefined && row.policy !== 'none')
        return reject('provenance_required', `the policy of ${id} is ${row.policy}`)
      const subject = { package: id, version, sha256: manifest.archive.sha256 }
      const refused = attestation && attestationFault(row, subject, attestation, row.policy === 'builder')
      if (refused) return refused
      const publishedMs = ctx.env.timeMs
      ctx.set(
        registryReleases,
        { package: id, version },
        {
          manifest,
          digest,
          by: ctx.authority,
          height: ctx.env.height,
          publishedMs,
          position: row.releases,
          revision: 1,
          yanked: undefined,
          attestations: attestation === undefined ? [] : [{ atMs: publishedMs, attestation }],
        },
      )
      setVersionEntry(ctx, id, row.releases, { version, publishedMs, isYanked: false, digest, sha256: subject.sha256 })
      ctx.set(registryPackages, splitPackage(id), { ...row, releases: row.releases + 1 })
      ctx.emit(events.releasePublished, { package: id, by: ctx.authority, version, digest })
      return undefined
    },
  },

  yankRelease: {
    cost: { base: 96 },
    primaryDomain: (value) => splitPackage(value.package).domain,
    execute(ctx, { package: id, version, revision, yanked, reason }) {
      const row = packageOf(ctx, id)
      if (row === undefined) return absentPackage(id)
      const release = releaseOf(ctx, id, version)
      if (release === undefined) return absentRelease(id, version)
      const denied = requireMaintainer(ctx, 'yanking a release', row)
      if (denied) return denied
      if (revision !== release.revision)
        return reject('revision_changed', `the revision of the release is ${release.revision}, not ${revision}`)
      const atMs = ctx.env.timeMs
      const next = revision + 1
      const yank = yanked ? { atMs, reason } : undefined
      ctx.set(registryReleases, { package: id, version }, { ...release, revision: next, yanked: yank })
      const { position, publishedMs, digest, manifest } = release
      const { sha256 } = manifest.archive
      setVersionEntry(ctx, id, position, { version, publishedMs, isYanked: yanked, digest, sha256 })
      ctx.emit(events.releaseYanked, { package: id, by: ctx.authority, version, yanked, revision: next })
      return undefined
    },
  },

  attestRelease: {
    cost: { base: 1_200 },
    primaryDomain: (value) => splitPackage(value.package).domain,
    execute(ctx, { package: id, version, attestation }) {
      const row = packageOf(ctx, id)
      if (row === undefined) return absentPackage(id)
      const release = releaseOf(ctx, id, version)
      if (release === undefined) return absentRelease(id, version)
      const isBuilder = row.builders.some((one) => ctx.authority === accountOf(one.key))
      const denied = isBuilder ? undefined : requireMaintainer(ctx, 'attesting a release', row)
      if (denied) return denied
      const { attestations, manifest } = release
      if (attestations.some((one) => sameBytes(one.attestation.key, attestation.key)))
        return reject('exists', 'the release already has an attestation of this key')
      if (attestations.length >= ATTESTATIONS_MAX)
        return invalid(`a release has at most ${ATTESTATIONS_MAX} attestations`)
      const subject = { package: id, version, sha256: manifest.archive.sha256 }
      const refused = attestationFault(row, subject, attestation, false)
      if (refused) return refused
      const added = [...attestations, { atMs: ctx.env.timeMs, attestation }]
      ctx.set(registryReleases, { package: id, version }, { ...release, attestations: added })
      ctx.emit(events.releaseAttested, { package: id, by: ctx.authority, version, key: attestation.key })
      return undefined
    },
  },

  assertRelease: {
    cost: { base: 64 },
    primaryDomain: () => [],
    execute(ctx, { package: id, version, digest }) {
      const release = releaseOf(ctx, id, version)
      if (release === undefined) return reject('release_changed', `package ${id} has no version ${version}`)
      if (release.yanked !== undefined) return reject('release_changed', `${id}@${version} is yanked`)
      if (ctx.abi.policies.denyList?.(ctx, 'sha256', release.manifest.archive.sha256) === true)
        return reject('release_changed', `the archive of ${id}@${version} is denied`)
      return sameBytes(release.digest, digest)
        ? undefined
        : reject('release_changed', `the digest of ${id}@${version} is ${Buffer.from(release.digest).toString('hex')}`)
    },
  },
} satisfies Partial<Executions<typeof instructions>>
