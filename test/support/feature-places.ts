/** Owns the places of the tree that a feature touches, as CONTRIBUTING.md lists them for the toy feature. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const FIXTURE = join(ROOT, 'test', 'fixtures', 'toy-feature')

/** What writes a place: an author, or a command. */
export type Writer = 'by hand' | 'npm run abi' | 'npm run manifest' | 'npm run docs'

/** Paths of the table of CONTRIBUTING.md, in the order of the text, of one writer or of all. */
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

/** Files of the toy feature where a tree has them, and the three lists that name it. */
export function writtenPlaces(): string[] {
  const files = readdirSync(FIXTURE, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('beacon'))
    .map((entry) => join(entry.parentPath, entry.name).slice(FIXTURE.length + 1))
    .map((path) => (path.startsWith('features') ? `src/${path}` : path))
  return [...files, ...['schemas', 'index', 'node'].map((list) => `src/features/${list}.ts`)]
}
