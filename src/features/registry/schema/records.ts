/** Owns the records of packages: names, versions, manifests, builders, attestations, bounds. */

import {
  bytesN,
  hash32,
  type Infer,
  list,
  option,
  type Schema,
  string,
  struct,
  text,
  unitEnum,
  varint,
} from '../../../codec/index.js'
import { hash } from '../../../crypto/index.js'
import { nameFault, range } from '../../../model/index.js'

export const REGISTRY_IDS = range(11)

/** Maximum length of the name of a package in its domain, in bytes. */
export const PACKAGE_NAME_MAX_BYTES = 64
/** Maximum length of a package id, in bytes: a domain, a slash and a name. */
const PACKAGE_ID_MAX_BYTES = 128 + 1 + PACKAGE_NAME_MAX_BYTES
/** Maximum length of a version, in bytes. */
export const VERSION_MAX_BYTES = 64
/** Maximum packages of a domain, which bounds the cost of searches and of the check for confusable names. */
export const PACKAGES_MAX = 1_024
/** Maximum versions on a page of a package; a page is one row. */
export const VERSIONS_PER_PAGE = 64
/** Maximum pages of a package. */
export const VERSION_PAGES_MAX = 64
/** Maximum versions of a package. */
export const VERSIONS_MAX = VERSIONS_PER_PAGE * VERSION_PAGES_MAX
/** Maximum maintainers of a package. */
export const MAINTAINERS_MAX = 16
/** Maximum builder keys of a package, including revoked ones. */
export const BUILDERS_MAX = 8
/** Maximum tags of a package. */
export const TAGS_MAX = 16
/** Maximum attestations of a release; its row contains all of them. */
export const ATTESTATIONS_MAX = 8
/** Maximum size of a manifest, in canonical bytes. */
export const MANIFEST_MAX_BYTES = 8 * 1024
/** Maximum dependencies of a release. */
const DEPENDENCIES_MAX = 64
/** Maximum alternatives of a dependency, and comparators of an alternative. */
export const ALTERNATIVES_MAX = 4
export const COMPARATORS_MAX = 4
/** Maximum exported names of a release, and the maximum length of each, in bytes. */
const EXPORTS_MAX = 64
const EXPORT_MAX_BYTES = 128
/** Maximum length of a media type, a licence expression, a content id and a description, in bytes. */
const MEDIA_TYPE_MAX_BYTES = 127
const LICENCE_MAX_BYTES = 64
const CID_MAX_BYTES = 100
const DESCRIPTION_MAX_BYTES = 1_024
/** Maximum length of the reason of a yank, in bytes. */
const REASON_MAX_BYTES = 256
/** Maximum length of a field of a provenance, in bytes. */
const PROVENANCE_MAX_BYTES = 256

const PACKAGE_NAME = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/
/** Semantic Versioning 2.0.0 without build metadata (semver.org, rules 2 to 10). */
const SEMVER =
  /^(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)(?:-(?:0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*)(?:\.(?:0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*))*)?$/
/** Visible ASCII without quote and backslash, which JSON writes unchanged. */
const PLAIN_TEXT = /^[!#-[\]-~]+$/

/** Domain and name of a package id; a domain contains no slash. */
export function splitPackage(id: string): { readonly domain: string; readonly name: string } {
  const slash = id.indexOf('/')
  return { domain: id.slice(0, Math.max(0, slash)), name: id.slice(slash + 1) }
}

/** Id of a package from its domain and name. */
export const packageText = ({ domain, name }: { readonly domain: string; readonly name: string }): string =>
  `${domain}/${name}`

function packageFault(id: string): string | undefined {
  const { domain, name } = splitPackage(id)
  if (domain === '' || !PACKAGE_NAME.test(name))
    return 'a package is written domain/name; a name has 1 to 64 of a-z, 0-9 and inner hyphens'
  return nameFault(domain)
}

/** Id of a package: `domain/name`. */
export const packageId: Schema<string> = text(
  'PackageId',
  PACKAGE_ID_MAX_BYTES,
  packageFault,
  '^[!-.0-~]{1,128}/[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$',
)

/**
 * Reason why a version is invalid, or undefined. Core numbers above 2^53 - 1 are invalid, because clients cannot order
 * them exactly.
 */
export function versionFault(version: string): string | undefined {
  if (!SEMVER.test(version))
    return 'a version is MAJOR.MINOR.PATCH, optionally with a pre-release, and without build metadata'
  const numbers = version.split('-', 1)[0]?.split('.') ?? []
  return numbers.every((number) => Number.isSafeInteger(Number(number)))
    ? undefined
    : 'a number of a version must be at most 9007199254740991'
}

/** Version as clients send it; its form is checked in execution (`bad_semver`). */
export const versionText: Schema<string> = string(VERSION_MAX_BYTES)
/** Version of a stored release. */
export const releaseVersion: Schema<string> = text('ReleaseVersion', VERSION_MAX_BYTES, versionFault, SEMVER.source)

/** Name of a tag, such as `latest`. */
const TAG = /^[a-z][a-z0-9-]{0,31}$/
export const tagName: Schema<string> = text(
  'ReleaseTag',
  32,
  (value) => (TAG.test(value) ? undefined : 'a tag has 1 to 32 of a-z, 0-9 and hyphens, and begins with a letter'),
  TAG.source,
)

export interface VersionComparator extends Infer<typeof comparator_> {}
const comparator_ = struct('VersionComparator', {
  op: unitEnum('VersionOperator', { eq: 0, lt: 1, le: 2, gt: 3, ge: 4 }),
  version: releaseVersion,
})

/**
 * Dependency on one of several version ranges; all comparators of an alternative apply. An empty alternative, and an
 * empty list of alternatives, admit every version.
 */
export interface PackageDependency extends Infer<typeof dependency_> {}
const dependency_ = struct('PackageDependency', {
  package: packageId,
  kind: unitEnum('DependencyKind', { runtime: 0, development: 1, optional: 2 }),
  alternatives: list(list(comparator_, COMPARATORS_MAX), ALTERNATIVES_MAX),
})

/** Description of a release; the archive itself is not on the ledger. */
export interface ReleaseManifest extends Infer<typeof releaseManifest> {}
export const releaseManifest = struct('ReleaseManifest', {
  archive: struct('ReleaseArchive', {
    sha256: bytesN(32),
    bytes: varint,
    mediaType: string(MEDIA_TYPE_MAX_BYTES),
    /** Content id, if the archive is stored under one. */
    cid: option(string(CID_MAX_BYTES)),
  }),
  /** Hash of the contract module in the archive, and of its ABI. */
  codeHash: option(hash32),
  abiHash: option(hash32),
  dependencies: list(dependency_, DEPENDENCIES_MAX),
  exports: list(string(EXPORT_MAX_BYTES), EXPORTS_MAX),
  /** SPDX licence expression. */
  license: string(LICENCE_MAX_BYTES),
  description: string(DESCRIPTION_MAX_BYTES),
})

/** Digest of a release: of its package, its version and its manifest. */
export const releaseDigest = (id: string, version: string, manifest: ReleaseManifest): Buffer =>
  hash('registry-release', Buffer.from(id), Buffer.from(version), releaseManifest.encode(manifest))

const plainText = (name: string): Schema<string> =>
  text(name, PROVENANCE_MAX_BYTES, (value) =>
    PLAIN_TEXT.test(value) ? undefined : 'expected visible ASCII without quote and backslash',
  )

/** Fields of a SLSA provenance; the statement is rendered from them (`statement.ts`). */
export interface Provenance extends Infer<typeof provenance> {}
export const provenance = struct('ReleaseProvenance', {
  buildType: plainText('ProvenanceBuildType'),
  source: plainText('ProvenanceSource'),
  commit: plainText('ProvenanceCommit'),
  builder: plainText('ProvenanceBuilder'),
  invocation: plainText('ProvenanceInvocation'),
})

/** Signed provenance; `signature`: Ed25519 over the DSSE encoding of the statement. */
export interface Attestation extends Infer<typeof attestation> {}
export const attestation = struct('ReleaseAttestation', {
  key: bytesN(32),
  provenance,
  signature: bytesN(64),
})

/** Key of a builder, and the prefix of the sources that it may build. */
export const newBuilder = struct('NewBuilder', { key: bytesN(32), sourcePrefix: plainText('SourcePrefix') })

/** Requirement for the releases of a package: none, a valid attestation, or the attestation of a builder. */
export type ReleasePolicy = Infer<typeof releasePolicy>
export const releasePolicy = unitEnum('ReleasePolicy', { none: 0, signed: 1, builder: 2 })
/** Policies from weak to strong. */
export const POLICY_STRENGTH: Readonly<Record<ReleasePolicy, number>> = { none: 0, signed: 1, builder: 2 }

export const yankReason = string(REASON_MAX_BYTES)
