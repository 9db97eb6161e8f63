/** Owns the tables of packages. */
import {
  bool,
  bytesN,
  hash32,
  type Infer,
  list,
  option,
  string,
  struct,
  u8,
  u32,
  varint,
} from '../../../codec/index.js'
import { accountId, domainId } from '../../../model/index.js'
import type { StateReader, StateWriter, TableDef } from '../../../state/index.js'
import {
  BUILDERS_MAX,
  MAINTAINERS_MAX,
  PACKAGE_NAME_MAX_BYTES,
  packageId,
  releasePolicy,
  releaseVersion,
  splitPackage,
  TAGS_MAX,
  tagName,
  VERSIONS_PER_PAGE,
  versionFault,
} from '../schema/records.js'
import { RELEASE_TABLE, type ReleaseKey, type ReleaseRow, releaseKey, releaseRow } from '../schema/stored.js'

export interface BuilderRow extends Infer<typeof builder_> {}
const builder_ = struct('PackageBuilderRow', {
  key: bytesN(32),
  sourcePrefix: string(256),
  revokedMs: option(varint),
})
export interface TagRow extends Infer<typeof tag_> {}
const tag_ = struct('PackageTagRow', { tag: tagName, version: releaseVersion, revision: u32 })

export interface PackageRow extends Infer<typeof package_> {}
const package_ = struct('PackageRow', {
  maintainers: list(accountId, MAINTAINERS_MAX),
  builders: list(builder_, BUILDERS_MAX),
  policy: releasePolicy,
  tags: list(tag_, TAGS_MAX),
  /** Number of releases, which is the position of the next one. */
  releases: u32,
  createdMs: varint,
})
/** Key of a package. The domain is first, so that the packages of a domain are adjacent. */
interface PackageKey extends Infer<typeof packageKey_> {}
const packageKey_ = struct('PackageKey', { domain: domainId, name: string(PACKAGE_NAME_MAX_BYTES) })
export const registryPackages: TableDef<PackageKey, PackageRow> = {
  id: 1300,
  name: 'registry_package',
  bound: {
    holds: 'one package: 16 maintainers, 8 builders, 16 tags',
    filledBy: 'CreatePackage',
    atBound: 'package_limit at 1,024 in a domain; leaves with RemovePackage',
  },
  key: packageKey_,
  value: package_,
}

/** Row of a package by its id. */
export const packageOf = (state: StateReader, id: string): PackageRow | undefined =>
  state.get(registryPackages, splitPackage(id))

export interface VersionEntry extends Infer<typeof version_> {}
const version_ = struct('PackageVersionEntry', {
  version: releaseVersion,
  publishedMs: varint,
  isYanked: bool,
  /** Digest of the release and SHA-256 of its archive, so that a release is found without reading its row. */
  digest: hash32,
  sha256: bytesN(32),
})
interface VersionsKey extends Infer<typeof versionsKey_> {}
const versionsKey_ = struct('PackageVersionsKey', { package: packageId, page: u8 })
export const registryVersions: TableDef<VersionsKey, readonly VersionEntry[]> = {
  id: 1301,
  name: 'registry_versions',
  bound: {
    holds: '64 versions of a package in the order of their publication',
    filledBy: 'PublishRelease',
    atBound: 'version_limit at 64 pages; versions are never removed',
  },
  key: versionsKey_,
  value: list(version_, VERSIONS_PER_PAGE),
}

export const registryReleases: TableDef<ReleaseKey, ReleaseRow> = {
  ...RELEASE_TABLE,
  bound: {
    holds: 'one release: a manifest of 8 KiB and 8 attestations',
    filledBy: 'PublishRelease',
    atBound: 'version_limit at 4,096 of a package; never removed',
  },
  key: releaseKey,
  value: releaseRow,
}

interface SkeletonKey extends Infer<typeof skeletonKey_> {}
const skeletonKey_ = struct('PackageSkeletonKey', { domain: domainId, skeleton: string(PACKAGE_NAME_MAX_BYTES) })
export const registrySkeletons: TableDef<SkeletonKey, string> = {
  id: 1303,
  name: 'registry_skeleton',
  bound: {
    holds: 'the package of a name without hyphens',
    filledBy: 'CreatePackage',
    atBound: 'one for each package; leaves with it',
  },
  key: skeletonKey_,
  value: packageId,
}

export const registryDomains: TableDef<string, number> = {
  id: 1304,
  name: 'registry_domain',
  bound: {
    holds: 'the number of packages of a domain',
    filledBy: 'CreatePackage',
    atBound: 'package_limit at 1,024; leaves with the last package',
  },
  key: domainId,
  value: u32,
}

export const REGISTRY_TABLES = [
  registryPackages,
  registryVersions,
  registryReleases,
  registrySkeletons,
  registryDomains,
]

/** Page and index of a position. */
export const placeOf = (position: number) => ({
  page: Math.floor(position / VERSIONS_PER_PAGE),
  index: position % VERSIONS_PER_PAGE,
})

/** Release of a version in client form; undefined also for a malformed version. */
export const releaseOf = (state: StateReader, id: string, version: string): ReleaseRow | undefined =>
  versionFault(version) === undefined ? state.get(registryReleases, { package: id, version }) : undefined

/** All versions of a package in order of publication: at most 64 rows. */
export function versionsOf(state: StateReader, id: string, { releases }: PackageRow): readonly VersionEntry[] {
  const pages = Math.ceil(releases / VERSIONS_PER_PAGE)
  return Array.from({ length: pages }, (_, page) => state.get(registryVersions, { package: id, page }) ?? []).flat()
}

/** Replace the entry of a version in its page. */
export function setVersionEntry(state: StateWriter, id: string, position: number, entry: VersionEntry): void {
  const { page, index } = placeOf(position)
  const entries = state.get(registryVersions, { package: id, page }) ?? []
  if (index > entries.length) throw new Error(`the page ${page} of ${id} has no position ${index}`)
  state.set(registryVersions, { package: id, page }, [...entries.slice(0, index), entry, ...entries.slice(index + 1)])
}
