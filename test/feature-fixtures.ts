/**
 * Owns how tests load features that are no part of the program: a file of `test/fixtures/toy-feature/features` is written for a folder of
 * `src/features`, and what it imports there is resolved so. `rootDirs` in `tsconfig.json` says the same to the compiler.
 */
import { existsSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vitest/config'

const SOURCES = fileURLToPath(new URL('../src/', import.meta.url))
const FIXTURE = fileURLToPath(new URL('./fixtures/toy-feature/', import.meta.url))

/** The file that a relative import of a file of the fixture stands for; undefined for any other import. */
function fixtureImport(source: string, importer: string | undefined): string | undefined {
  if (importer === undefined || !source.startsWith('.')) return undefined
  const place = relative(FIXTURE, join(dirname(importer), source.replace(/\.js$/, '.ts')))
  if (!importer.startsWith(FIXTURE) || place.split(sep)[0] === '..') return undefined
  const own = join(FIXTURE, place)
  return existsSync(own) ? own : join(SOURCES, place)
}

/** The plugin of the test runner that resolves them. */
export const featureFixtures = (): Plugin => ({
  name: 'causeway-feature-fixtures',
  enforce: 'pre',
  resolveId: (source, importer) => fixtureImport(source, importer),
})
