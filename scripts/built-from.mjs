// What dist/ was built from: the build notes the hash of its sources, tests that run dist/ compare it.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const NOTE = join(root, 'dist', '.sources')
/** What scripts/tsconfig.build.json compiles, and its settings. */
const FOLDERS = ['src', 'commands', 'test/bench', 'test/chaos']
const SETTINGS = [
  'tsconfig.json',
  'scripts/tsconfig.build.json',
  'scripts/bundle.mjs',
  'scripts/notices.mjs',
  'scripts/web.mjs',
]
/** What the pages are made of beside their sources. */
const PAGES = ['tsconfig.json', 'index.html', 'style.css', 'icon.svg'].map((name) => `src/web/${name}`)

/** Sources below a folder of the repository, by their paths in it; tests are none. */
export const sourcesIn = (folder) =>
  readdirSync(join(root, folder), { recursive: true })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
    .map((name) => `${folder}/${name}`)

/** Hash of the names and contents of the sources as they are now. */
export function sourcesHash() {
  const files = [
    ...FOLDERS.filter((folder) => existsSync(join(root, folder))).flatMap(sourcesIn),
    ...SETTINGS,
    ...PAGES,
  ]
  const hash = createHash('sha256')
  for (const name of files.sort())
    hash
      .update(`${name}\0`)
      .update(readFileSync(join(root, name)))
      .update('\0')
  return hash.digest('hex')
}

/** Notes what a build was made from: the hash from before it began. */
export const noteBuilt = (hash) => writeFileSync(NOTE, `${hash}\n`)

/** True when dist/ is the build of the sources as they are. */
export const isBuildFresh = () => existsSync(NOTE) && readFileSync(NOTE, 'utf8').trim() === sourcesHash()
