/** Owns the files of the web explorer on a node, read once from the build output. */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { SITE_ENCODINGS, type Site, type SiteFile } from '../../../api/site.js'
import { compiledUrl } from '../../../crypto/compiled-url.js'

/** Path of the pages. Paths in them are relative, so that a proxy can serve the pages below a different path. */
export const EXPLORER_HOME = '/explorer/'
const PAGE = 'index.html'

/** From `dist/bundle/src/` (src/crypto/compiled-url.ts) to `dist/web/`. */
const FOLDER = '../../web/'

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml; charset=utf-8',
}
const EXTENSIONS = { br: '.br', gzip: '.gz' } as const

/**
 * Content security policy of the pages: they can only load from and connect to this node. Texts of the ledger become
 * text nodes; the browser refuses to interpret them as markup or script (trusted types).
 */
export const EXPLORER_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
}

/** Content of a file with its compressed forms, which the build wrote beside it. */
async function fileOf(folder: string, name: string): Promise<SiteFile> {
  const bytes = await readFile(folder + name)
  const forms = SITE_ENCODINGS.map(async (one) => [one, await readFile(folder + name + EXTENSIONS[one])] as const)
  const extension = name.slice(name.lastIndexOf('.') + 1)
  return {
    type: TYPES[extension] ?? 'application/octet-stream',
    tag: createHash('sha256').update(bytes).digest('base64url').slice(0, 22),
    immutable: name !== PAGE,
    bytes,
    encoded: Object.fromEntries(await Promise.all(forms)),
  }
}

/** Files of the explorer; rejects with the error of the file system if the program was built without it. */
export async function explorerSite(folder = fileURLToPath(compiledUrl(FOLDER))): Promise<Site> {
  const names = (await readdir(folder)).filter((name) => Object.hasOwn(TYPES, name.slice(name.lastIndexOf('.') + 1)))
  const files = await Promise.all(names.map(async (name) => [name, await fileOf(folder, name)] as const))
  const page = files.find(([name]) => name === PAGE)
  if (page === undefined) throw new Error(`${folder} does not contain ${PAGE}`)
  return { home: EXPLORER_HOME, files: new Map([...files, ['', page[1]]]), headers: EXPLORER_HEADERS }
}
