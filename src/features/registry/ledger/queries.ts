/** Owns the queries of packages. */
import type { Page } from '../../../api/paging.js'
import { sameBytes } from '../../../base/bytes.js'
import type { QueryContext, QueryRun } from '../../../executor/reads.js'
import { ANSWER_BYTES_MAX, fittingAnswer, limitOf, scanTable } from '../../../ledger/table-page.js'
import { packageText, splitPackage, VERSIONS_PER_PAGE } from '../schema/records.js'
import type { ReleaseRow } from '../schema/stored.js'
import type * as views from '../schema/views.js'
import {
  type PackageRow,
  packageOf,
  placeOf,
  registryPackages,
  registryReleases,
  registryVersions,
  releaseOf,
  versionsOf,
} from './tables.js'

const viewOf = (id: string, row: PackageRow): views.PackageItem => ({ id, ...row })

/** Function that is true for archives on the deny list. */
const denialOf =
  ({ denyList, reader }: QueryContext) =>
  (sha256: Uint8Array): boolean =>
    denyList?.(reader, 'sha256', sha256) ?? false

function releaseViewOf(ctx: QueryContext, id: string, version: string, row: ReleaseRow): views.ReleaseItem {
  const { height: publishedHeight, position: _position, ...shown } = row
  const isDenied = denialOf(ctx)(row.manifest.archive.sha256)
  return { package: id, version, publishedHeight, isDenied, ...shown }
}

export const packageQuery: QueryRun<views.PackageQuery, views.PackageView> = async (ctx, { package: id }) => {
  const row = packageOf(ctx.reader, id)
  return row && { ...viewOf(id, row), height: ctx.height }
}

export const packagesQuery: QueryRun<views.PackagesQuery, Page<views.PackageItem>> = async (
  ctx,
  { q, domain, limit, after },
) => {
  const first = domain === undefined ? undefined : { domain, name: '' }
  const from = { limit: limitOf(limit), after: after === undefined ? first : splitPackage(after) }
  const { items, after: last } = await scanTable(ctx, registryPackages, from, (key, row) => {
    const id = packageText(key)
    return (domain === undefined || key.domain === domain) && (q === undefined || id.includes(q))
      ? viewOf(id, row)
      : undefined
  })
  const isOver = last === undefined || (domain !== undefined && last.domain !== domain)
  return { items, nextCursor: isOver ? undefined : packageText(last), height: ctx.height }
}

export const releaseQuery: QueryRun<views.ReleaseQuery, views.ReleaseView> = async (ctx, { package: id, version }) => {
  const row = releaseOf(ctx.reader, id, version)
  return row && { ...releaseViewOf(ctx, id, version, row), height: ctx.height }
}

/** Versions of a package before a position, newest first, with their positions. */
function versionsBefore(
  ctx: QueryContext,
  id: string,
  { releases }: PackageRow,
  after: string | undefined,
  limit: number,
) {
  const end = Math.min(releases, after === undefined ? releases : Number(after))
  const found: { readonly position: number; readonly item: views.VersionItem }[] = []
  for (let position = end - 1; position >= 0 && found.length < limit; ) {
    const { page, index } = placeOf(position)
    const entries = ctx.reader.get(registryVersions, { package: id, page }) ?? []
    for (let at = index; at >= 0 && found.length < limit; at -= 1) {
      const item = entries[at]
      if (item === undefined) throw new Error(`the page ${page} of ${id} has no position ${at}`)
      found.push({ position: page * VERSIONS_PER_PAGE + at, item })
    }
    position = page * VERSIONS_PER_PAGE - 1
  }
  return found
}

/** Cursor after the last shown item, if there is an older one. */
const cursorAfter = (last: number | undefined): string | undefined =>
  last === undefined || last === 0 ? undefined : String(last)

export const versionsQuery: QueryRun<views.PackagePageQuery, Page<views.VersionItem>> = async (ctx, query) => {
  const row = packageOf(ctx.reader, query.package)
  if (row === undefined) return undefined
  const found = versionsBefore(ctx, query.package, row, query.after, limitOf(query.limit))
  return {
    items: found.map(({ item }) => item),
    nextCursor: cursorAfter(found.at(-1)?.position),
    height: ctx.height,
  }
}

export const releasesQuery: QueryRun<views.PackagePageQuery, Page<views.ReleaseItem>> = async (ctx, query) => {
  const { package: id } = query
  const row = packageOf(ctx.reader, id)
  if (row === undefined) return undefined
  const rows = versionsBefore(ctx, id, row, query.after, limitOf(query.limit)).map(({ position, item }) => {
    const release = releaseOf(ctx.reader, id, item.version)
    if (release === undefined) throw new Error(`the release ${id}@${item.version} is not on the ledger`)
    const bytes = registryReleases.value.encode(release, ctx.codec).length
    return { position, bytes, view: releaseViewOf(ctx, id, item.version, release) }
  })
  const shown = fittingAnswer(rows, ({ bytes }) => bytes, ANSWER_BYTES_MAX)
  return {
    items: shown.map(({ view }) => view),
    nextCursor: cursorAfter(shown.at(-1)?.position),
    height: ctx.height,
  }
}

export const versionListQuery: QueryRun<views.VersionListQuery, views.VersionList> = async (
  ctx,
  { package: id, digest: wanted },
) => {
  const row = packageOf(ctx.reader, id)
  if (row === undefined) return undefined
  const isDenied = denialOf(ctx)
  const versions = versionsOf(ctx.reader, id, row)
    .filter(({ digest }) => wanted === undefined || sameBytes(digest, wanted))
    .map(({ digest: _digest, sha256, ...shown }) => ({ ...shown, isDenied: isDenied(sha256) }))
  return { versions, height: ctx.height }
}
