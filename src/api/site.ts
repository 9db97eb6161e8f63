/** Owns the type of a web site that a gateway serves beside its routes: files built with the program. */

/** Compressed encodings of a file, the shortest first. */
export const SITE_ENCODINGS = ['br', 'gzip'] as const
export type SiteEncoding = (typeof SITE_ENCODINGS)[number]

/** File in memory: read once, with its compressed forms. */
export interface SiteFile {
  /** Media type with its charset. */
  readonly type: string
  /** Hash of its bytes, as an entity tag without quotes. */
  readonly tag: string
  /** True if its name contains the hash of its bytes, so that it never changes. */
  readonly immutable: boolean
  readonly bytes: Buffer
  readonly encoded: Readonly<Partial<Record<SiteEncoding, Buffer>>>
}

/** Site below one path. */
export interface Site {
  /** Path prefix of the site, with a slash at both ends; `/` redirects there. */
  readonly home: string
  /** Files by name below it; the empty name is the page itself. */
  readonly files: ReadonlyMap<string, SiteFile>
  /** Headers of every file, for example the content policy of its pages. */
  readonly headers: Readonly<Record<string, string>>
}
