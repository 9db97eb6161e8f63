/** Owns the queries of packages and their views. */
import { pageOf } from '../../../api/paging.js'
import { pageQueryFields } from '../../../api/query-inputs.js'
import {
  bool,
  bytesN,
  hash32,
  type Infer,
  list,
  option,
  string,
  struct,
  text,
  u32,
  varint,
} from '../../../codec/index.js'
import { accountId, defineQueries, domainId } from '../../../model/index.js'
import {
  ATTESTATIONS_MAX,
  attestation,
  BUILDERS_MAX,
  MAINTAINERS_MAX,
  packageId,
  releaseManifest,
  releasePolicy,
  releaseVersion,
  TAGS_MAX,
  tagName,
  VERSIONS_MAX,
  versionText,
  yankReason,
} from './records.js'

/** Maximum length of a search text for package ids, in bytes. */
export const SEARCH_MAX_BYTES = 64

const packageFields = {
  id: packageId,
  policy: releasePolicy,
  maintainers: list(accountId, MAINTAINERS_MAX),
  builders: list(
    struct('PackageBuilderView', { key: bytesN(32), sourcePrefix: string(256), revokedMs: option(varint) }),
    BUILDERS_MAX,
  ),
  tags: list(struct('PackageTagView', { tag: tagName, version: releaseVersion, revision: u32 }), TAGS_MAX),
  releases: u32,
  createdMs: varint,
}
export interface PackageItem extends Infer<typeof packageItem_> {}
const packageItem_ = struct('PackageItem', packageFields)
export const packagePage = pageOf('PackagePage', packageItem_)

export interface PackageView extends Infer<typeof packageView> {}
export const packageView = struct('PackageView', { ...packageFields, height: varint })

const releaseFields = {
  package: packageId,
  version: releaseVersion,
  digest: hash32,
  manifest: releaseManifest,
  by: accountId,
  publishedHeight: varint,
  publishedMs: varint,
  /** Revision on which the next yank must be based. */
  revision: u32,
  /** True if the archive is on the deny list of the ministry. */
  isDenied: bool,
  yanked: option(struct('ReleaseYankView', { atMs: varint, reason: yankReason })),
  attestations: list(struct('ReleaseAttestationView', { atMs: varint, attestation }), ATTESTATIONS_MAX),
}
export interface ReleaseItem extends Infer<typeof releaseItem_> {}
const releaseItem_ = struct('ReleaseItem', releaseFields)
export const releasePage = pageOf('ReleasePage', releaseItem_)

export interface ReleaseView extends Infer<typeof releaseView> {}
export const releaseView = struct('ReleaseView', { ...releaseFields, height: varint })

const versionFields = { version: releaseVersion, publishedMs: varint, isYanked: bool }
export interface VersionItem extends Infer<typeof versionItem_> {}
const versionItem_ = struct('PackageVersionItem', versionFields)
export const versionPage = pageOf('PackageVersionPage', versionItem_)

export interface VersionChoice extends Infer<typeof versionChoice_> {}
const versionChoice_ = struct('PackageVersionChoice', { ...versionFields, isDenied: bool })
/** Versions of a package, as input for the choice of a version. */
export interface VersionList extends Infer<typeof versionList_> {}
const versionList_ = struct('PackageVersions', { versions: list(versionChoice_, VERSIONS_MAX), height: varint })

export interface PackageQuery extends Infer<typeof packageQuery_> {}
const packageQuery_ = struct('PackageQuery', { package: packageId })
export interface VersionListQuery extends Infer<typeof versionListQuery_> {}
const versionListQuery_ = struct('PackageVersionsQuery', {
  package: packageId,
  /** Digest of a release; absent: all versions. */
  digest: option(hash32),
})
export interface ReleaseQuery extends Infer<typeof releaseQuery_> {}
const releaseQuery_ = struct('ReleaseQuery', { package: packageId, version: versionText })
export interface PackagesQuery extends Infer<typeof packagesQuery_> {}
const packagesQuery_ = struct('PackagesQuery', {
  /** Text that the package id must contain. */
  q: option(string(SEARCH_MAX_BYTES)),
  domain: option(domainId),
  ...pageQueryFields(packageId),
})

const position = text('ReleasePosition', 4, (place) =>
  /^(0|[1-9][0-9]{0,3})$/.test(place) ? undefined : 'a cursor of this list is the position of a release',
)
export interface PackagePageQuery extends Infer<typeof packagePageQuery_> {}
const packagePageQuery_ = struct('PackagePageQuery', { package: packageId, ...pageQueryFields(position) })

export const queries = defineQueries({
  registryPackage: { id: 1300, input: packageQuery_, output: packageView },
  registryPackages: { id: 1301, input: packagesQuery_, output: packagePage },
  registryRelease: { id: 1302, input: releaseQuery_, output: releaseView },
  registryReleases: { id: 1303, input: packagePageQuery_, output: releasePage },
  registryVersions: { id: 1304, input: packagePageQuery_, output: versionPage },
  registryVersionList: { id: 1305, input: versionListQuery_, output: versionList_ },
})
