/** Owns the shape of a web site that a gateway serves beside its routes: files that were built with the program. */

/** Compressed encodings of a file, the shortest first. */
export const SITE_ENCODINGS = ['br', 'gzip'] as const
export type SiteEncoding = (typeof SITE_ENCODINGS)[number]

/** A file in memory: read once, with its compressed forms. */
export interface SiteFile {
  /** Media type with its charset. */
  readonly type: string
  /** Hash of its bytes, as an entity tag without quotes. */
  readonly tag: string
  /** True when its name has the hash of its bytes: it never changes. */
  readonly immutable: boolean
  readonly bytes: Buffer
  readonly encoded: Readonly<Partial<Record<SiteEncoding, Buffer>>>
}

/** A site below one path. */
export interface Site {
  /** Path prefix of the site, with a slash at both ends; `/` redirects there. */
  readonly home: string
  /** Files by their names below it; the empty name is the page itself. */
  readonly files: ReadonlyMap<string, SiteFile>
  /** Headers of every file, such as what its pages may do. */
  readonly headers: Readonly<Record<string, string>>
}
