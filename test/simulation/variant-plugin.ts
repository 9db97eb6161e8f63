/** Owns wrong variants of the sources in memory: modules that are asked for with patches are read with them, and so is what they import. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vitest/config'
import type { Patch } from './mutants.js'

const SOURCES = fileURLToPath(new URL('../../src/', import.meta.url))
/** Read anew for each variant; the layers below are the same modules in all of them. */
const VARYING = [
  'consensus/',
  'simulation/',
  'lanes/',
  'queue/',
  'features/lanes/ledger/change.ts',
  // What plays histories of stakes over the patched feature, and what leads from there to it.
  '../test/support/npos/',
  'features/abi.ts',
  'features/index.ts',
  'features/staking/ledger/',
]
const QUERY = '?variant='

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

/** The plugin of the test runner that resolves and reads them. */
export const variantPlugin = (): Plugin => ({
  name: 'causeway-variants',
  enforce: 'pre',
  resolveId(source, importer) {
    if (source.includes(QUERY)) return source
    const [from, variant] = importer?.split(QUERY) ?? []
    if (from === undefined || variant === undefined || !source.startsWith('.')) return undefined
    const path = join(dirname(from), source.replace(/\.js$/, '.ts'))
    const file = relative(SOURCES, path).split(sep).join('/')
    const isVarying = VARYING.some((place) => file.startsWith(place))
    return isVarying && existsSync(path) ? `${path}${QUERY}${variant}` : undefined
  },
  load(id) {
    const [path, variant] = id.split(QUERY)
    if (path === undefined || variant === undefined) return undefined
    const patches = JSON.parse(Buffer.from(variant, 'base64url').toString()) as readonly Patch[]
    return patched(relative(SOURCES, path).split(sep).join('/'), patches)
  },
})
