/** Owns the routes of packages (specification 4.3). */
import { pageFields } from '../../../api/paging.js'
import { defineRoute, publicRead } from '../../../api/route.js'
import { draft, draftRow } from '../../../api/schema/draft.js'
import { bytes, hash32, list, omissible, option, type Schema, string, struct, varint } from '../../../codec/index.js'
import { domainId } from '../../../model/index.js'
import { instructions } from './instructions.js'
import { ATTESTATIONS_MAX, MANIFEST_MAX_BYTES, packageId, releaseManifest, releaseVersion, tagName } from './records.js'
import * as views from './views.js'
import { queries, SEARCH_MAX_BYTES } from './views.js'

const BASE = '/v1/registry'
/** Maximum length of a version range, in bytes. */
const RANGE_MAX_BYTES = 256
/** Maximum size of a draft, in bytes of JSON: a manifest of 8 KiB with its names and escapes. */
const BODY_MAX_BYTES = 64 * 1024

const about = {
  package: 'Package, `domain/name`.',
  version: 'Version of a release.',
  q: 'Part of the package id.',
  tag: 'Name of a tag.',
} as const

const packagesParameters_ = struct('PackagesParameters', {
  q: option(string(SEARCH_MAX_BYTES)),
  domain: option(domainId),
  ...pageFields,
})
const packageParameters_ = struct('PackageParameters', { package: packageId })
const packagePageParameters_ = struct('PackagePageParameters', { package: packageId, ...pageFields })
const releaseParameters_ = struct('ReleaseParameters', { package: packageId, version: releaseVersion })

const noPackage = ({ query }: { readonly query: { readonly package: string } }): string =>
  `package ${query.package} does not exist`

export const packagesRoute = defineRoute({
  ...publicRead,
  id: 'registry.packages',
  path: `${BASE}/packages`,
  summary: 'Packages in the order of their ids, optionally of one domain or with a part of the id',
  query: packagesParameters_,
  about,
  response: views.packagePage,
}).byPage(queries.registryPackages, ({ query: { q, domain } }) => ({ q, domain }))

export const packageRoute = defineRoute({
  ...publicRead,
  id: 'registry.package',
  path: `${BASE}/package`,
  summary: 'A package: its policy, maintainers, builders and tags',
  query: packageParameters_,
  about,
  response: views.packageView,
}).byQuery(queries.registryPackage, ({ query }) => query, noPackage)

export const releaseRoute = defineRoute({
  ...publicRead,
  id: 'registry.release',
  path: `${BASE}/release`,
  summary: 'A release: its manifest, digest, attestations and yank',
  query: releaseParameters_,
  about,
  response: views.releaseView,
}).byQuery(
  queries.registryRelease,
  ({ query }) => query,
  ({ query }) => `package ${query.package} has no version ${query.version}`,
)

export const releasesRoute = defineRoute({
  ...publicRead,
  id: 'registry.releases',
  path: `${BASE}/releases`,
  summary: 'Releases of a package, newest first',
  query: packagePageParameters_,
  about,
  errors: ['not_found'],
  response: views.releasePage,
}).byPage(queries.registryReleases, ({ query }) => ({ package: query.package }), noPackage)

export const versionsRoute = defineRoute({
  ...publicRead,
  id: 'registry.versions',
  path: `${BASE}/versions`,
  summary: 'Versions of a package with their yanks, newest first',
  query: packagePageParameters_,
  about,
  errors: ['not_found'],
  response: views.versionPage,
}).byPage(queries.registryVersions, ({ query }) => ({ package: query.package }), noPackage)

export const tagRoute = defineRoute({
  ...publicRead,
  id: 'registry.tag',
  path: `${BASE}/aliases/{tag}`,
  summary: 'The release that a tag of a package names',
  params: struct('ReleaseTagPath', { tag: tagName }),
  query: packageParameters_,
  about,
  errors: ['not_found'],
  response: views.releaseView,
})

/** Choice of a release. */
const resolution_ = struct('ReleaseResolution', {
  package: packageId,
  version: releaseVersion,
  digest: hash32,
  publishedMs: varint,
  manifest: releaseManifest,
  /** Present for a yanked release, which can be selected only by its digest. */
  warning: omissible(string(512)),
  height: varint,
})
export const resolveRoute = defineRoute({
  ...publicRead,
  id: 'registry.resolve',
  path: `${BASE}/resolve`,
  summary:
    'The highest release of a package in a range of versions; pre-releases only if the range names one, denied archives never',
  query: struct('ResolveParameters', {
    package: packageId,
    range: option(string(RANGE_MAX_BYTES)),
    minAgeMs: option(varint),
    digest: option(hash32),
  }),
  about: {
    ...about,
    range: 'Range of versions as npm writes it, such as `^1.0`; default: any version.',
    min_age_ms: 'Minimum age of the release in ms, by the time of the last block.',
    digest: 'Digest of the release, which also selects a yanked one.',
  },
  errors: ['not_found', 'malformed_request'],
  response: resolution_,
})

/** Envelope of DSSE v1, with the names of its JSON format. */
const envelope_ = struct(
  'DsseEnvelope',
  {
    payloadType: string(64),
    payload: bytes(8 * 1024),
    signatures: list(struct('DsseSignature', { keyid: string(64), sig: bytes(64) }), 1),
  },
  { payloadType: 'payloadType' },
)
export const provenanceRoute = defineRoute({
  ...publicRead,
  id: 'registry.provenance',
  path: `${BASE}/provenance`,
  summary: 'Attestations of a release as in-toto statements in DSSE envelopes',
  query: releaseParameters_,
  about,
  errors: ['not_found'],
  response: struct('ReleaseProvenances', {
    package: packageId,
    version: releaseVersion,
    envelopes: list(envelope_, ATTESTATIONS_MAX),
    height: varint,
  }),
})

const drafted = { ...draftRow, method: 'POST', access: 'public', response: draft } as const
const body = <T>(schema: Schema<T>) => ({ as: 'record', schema, maxBytes: BODY_MAX_BYTES }) as const

export const createDraftRoute = defineRoute({
  ...drafted,
  id: 'registry.drafts.create',
  path: `${BASE}/instructions/create-package`,
  summary: 'Draft the creation of a package; the owner of its domain or a holder of CanPublishPackage signs it',
  body: body(instructions.createPackage.schema),
})
export const publishDraftRoute = defineRoute({
  ...drafted,
  id: 'registry.drafts.publish',
  path: `${BASE}/instructions/publish-release`,
  summary: `Draft a release; a maintainer signs it. A manifest has at most ${MANIFEST_MAX_BYTES} bytes`,
  body: body(instructions.publishRelease.schema),
})
export const yankDraftRoute = defineRoute({
  ...drafted,
  id: 'registry.drafts.yank',
  path: `${BASE}/instructions/yank-release`,
  summary: 'Draft the yank of a release, or its end; a maintainer signs it',
  body: body(instructions.yankRelease.schema),
})
export const tagDraftRoute = defineRoute({
  ...drafted,
  id: 'registry.drafts.tag',
  path: `${BASE}/instructions/set-alias`,
  summary: 'Draft a tag of a package, or its removal; a maintainer signs it',
  body: body(instructions.setTag.schema),
})
export const attestDraftRoute = defineRoute({
  ...drafted,
  id: 'registry.drafts.attest',
  path: `${BASE}/instructions/attest-release`,
  summary: 'Draft a further attestation of a release; a builder or a maintainer signs it',
  body: body(instructions.attestRelease.schema),
})
export const assertDraftRoute = defineRoute({
  ...drafted,
  id: 'registry.drafts.assert',
  path: `${BASE}/instructions/assert-release-exists`,
  summary:
    'Draft the assertion that a release exists unchanged; any account signs it in front of its other instructions',
  body: body(instructions.assertRelease.schema),
})
