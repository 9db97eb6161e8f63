/** Owns which sources a test file loads, by the imports that are written in them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ROOT } from './vitest.mjs'

/** Modules that a module loads; an import of types alone loads nothing. */
const IMPORT = /^(?:import|export)(?! type\b)[^;']*?from '(\.[^']+)'|^import '(\.[^']+)'|\bimport\('(\.[^']+)'\)/gm

/** The file of an imported path: sources name what they are compiled to. */
const fileOf = (path) => [path.replace(/\.js$/, '.ts'), path.replace(/\.js$/, '.tsx'), path].find(existsSync)

/** Files that a module imports, by its absolute path. */
function importsOf(path) {
  if (!/\.(tsx?|mjs)$/.test(path)) return []
  const found = [...readFileSync(path, 'utf8').matchAll(IMPORT)].map(([, ...paths]) => paths.find(Boolean))
  return found.map((one) => fileOf(join(dirname(path), one))).filter((one) => one !== undefined)
}

/** Test files of the repository, by their paths in it. */
export const testFiles = () =>
  readdirSync(join(ROOT, 'test'), { recursive: true })
    .filter((name) => /\.test\.tsx?$/.test(name) && !name.includes('node_modules'))
    .map((name) => `test/${name}`)
    .sort()

/** Everything that each of these files loads, itself included; by paths in the repository. */
export function loadedBy(files) {
  const imports = new Map()
  const known = (path) => {
    if (!imports.has(path)) imports.set(path, importsOf(path))
    return imports.get(path)
  }
  const loaded = (file) => {
    const found = new Set([join(ROOT, file)])
    for (const path of found) for (const one of known(path)) found.add(one)
    return new Set([...found].map((path) => path.slice(ROOT.length + 1)))
  }
  return new Map(files.map((file) => [file, loaded(file)]))
}
