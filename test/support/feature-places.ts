/** Owns the files that a new feature touches, as listed for the toy feature in CONTRIBUTING.md. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const FIXTURE = join(ROOT, 'test', 'fixtures', 'toy-feature')

/** Writer of a file: an author, or a command. */
export type Writer = 'by hand' | 'npm run abi' | 'npm run manifest' | 'npm run docs'

/** Paths in the table of CONTRIBUTING.md, in text order, of one writer or of all. */
export function listedPlaces(of?: Writer): string[] {
  const text = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8')
  const [, table = ''] = /^\| Places \| Written \|.*\n((?:\|.*\n)+)/m.exec(text) ?? []
  const rows = table.matchAll(/^\| (`.+`) \| (.+) \| .+ \|$/gm)
  return [...rows].flatMap(([, paths = '', writer = '']) =>
    of === undefined || writer.replaceAll('`', '') === of
      ? [...paths.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path)
      : [],
  )
}

/** Existing files of the toy feature, and the three lists that name it. */
export function writtenPlaces(): string[] {
  const files = readdirSync(FIXTURE, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('beacon'))
    .map((entry) => join(entry.parentPath, entry.name).slice(FIXTURE.length + 1))
    .map((path) => (path.startsWith('features') ? `src/${path}` : path))
  return [...files, ...['schemas', 'index', 'node'].map((list) => `src/features/${list}.ts`)]
}
