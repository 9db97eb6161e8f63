/** Owns wrong variants of the sources in memory: modules that are asked for with patches are read with them, and so is what leads to a patched file. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vitest/config'
import type { Patch } from './mutants.js'

const SOURCES = fileURLToPath(new URL('../../src/', import.meta.url))
/** Modules that may be loaded again for a variant; the layers below are the same modules in all of them. */
const VARYING = [
  'consensus/',
  'simulation/',
  'lanes/',
  'queue/',
  'features/lanes/ledger/change.ts',
  // Modules that run histories of stakes over the patched feature, and those in between.
  '../test/support/npos/',
  'features/abi.ts',
  'features/index.ts',
  'features/staking/ledger/',
]
const QUERY = '?variant='
/** Modules that a module loads; imports of types alone load nothing. */
const IMPORT = /^(?:import|export)(?! type\b)[^;']*?from '(\.[^']+)'|\bimport\('(\.[^']+)'\)/gm

const fileOf = (path: string): string => relative(SOURCES, path).split(sep).join('/')
const imported = (from: string, source: string): string => join(dirname(from), source.replace(/\.js$/, '.ts'))

/** Which of these files import a file, by that file. */
function importersOf(): ReadonlyMap<string, readonly string[]> {
  const importers = new Map<string, string[]>()
  for (const place of VARYING) {
    const isFolder = statSync(join(SOURCES, place)).isDirectory()
    const inside = isFolder ? readdirSync(join(SOURCES, place), { recursive: true }).map((one) => place + one) : [place]
    for (const file of inside.filter((one) => one.endsWith('.ts'))) {
      const path = join(SOURCES, file)
      for (const [, early, late = ''] of readFileSync(path, 'utf8').matchAll(IMPORT)) {
        const target = fileOf(imported(path, early ?? late))
        importers.set(target, [...(importers.get(target) ?? []), fileOf(path)])
      }
    }
  }
  return importers
}

/** Files of a variant that are read anew: the patched ones, and those that lead to them. */
function differing(patches: readonly Patch[], importers: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const found = new Set<string>()
  const visit = (file: string): void => {
    if (found.has(file)) return
    found.add(file)
    importers.get(file)?.forEach(visit)
  }
  for (const { file } of patches) visit(file)
  return found
}

/** Module id of a source file of a variant. */
export const variantId = (file: string, patches: readonly Patch[]): string =>
  `${join(SOURCES, file)}${QUERY}${Buffer.from(JSON.stringify(patches)).toString('base64url')}`

/** Text of a source file with those of the patches that are its own. Throws when a patch no longer applies. */
export function patched(file: string, patches: readonly Patch[]): string {
  let text = readFileSync(join(SOURCES, file), 'utf8')
  for (const { find, by } of patches.filter((one) => one.file === file)) {
    if (text.split(find).length !== 2) throw new Error(`${file} has moved on: adapt the patch of "${find}"`)
    text = text.replace(find, () => by)
  }
  return text
}

/** Patches of a variant by the text in its ids. */
const patchesOf = (variant: string): readonly Patch[] => JSON.parse(Buffer.from(variant, 'base64url').toString())

/** The plugin of the test runner that resolves and reads them. */
export function variantPlugin(): Plugin {
  /** Read when the first variant is asked for: most runs of the test runner ask for none. */
  let importers: ReturnType<typeof importersOf> | undefined
  /** Files that differ, by variant. */
  const varying = new Map<string, ReadonlySet<string>>()
  const isVarying = (file: string, variant: string): boolean => {
    importers ??= importersOf()
    const known = varying.get(variant) ?? differing(patchesOf(variant), importers)
    varying.set(variant, known)
    return known.has(file)
  }
  return {
    name: 'causeway-variants',
    enforce: 'pre',
    resolveId(source, importer) {
      if (source.includes(QUERY)) return source
      const [from, variant] = importer?.split(QUERY) ?? []
      if (from === undefined || variant === undefined || !source.startsWith('.')) return undefined
      const path = imported(from, source)
      return isVarying(fileOf(path), variant) ? `${path}${QUERY}${variant}` : undefined
    },
    load(id) {
      const [path, variant] = id.split(QUERY)
      return path === undefined || variant === undefined ? undefined : patched(fileOf(path), patchesOf(variant))
    },
  }
}
