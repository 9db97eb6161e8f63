// A file that makes an error with the code of a feature runs only where that feature has added it to the catalogue.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { FEATURE_SCHEMAS } from '../../src/features/composed.js'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const sources = ['src', 'commands'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => join(ROOT, folder, file)),
)
const texts = new Map(sources.map((file) => [file, readFileSync(file, 'utf8')]))

/** Files that a file loads: type-only imports load nothing, dynamic ones are loaded before what they give is used. */
function importsOf(file: string): string[] {
  const found = [
    ...(texts.get(file) ?? '').matchAll(/(?:^|\n)\s*(?:import|export)\s(?!type\s)[^'"]*?['"](\.[^'"]+)['"]/g),
  ]
  const later = [...(texts.get(file) ?? '').matchAll(/import\(\s*'(\.[^']+)'\s*\)/g)]
  return [...found, ...later].map(([, path = '']) => resolve(dirname(file), path).replace(/\.js$/, '.ts'))
}

function closureOf(start: string): ReadonlySet<string> {
  const seen = new Set([start])
  for (const file of seen) for (const next of importsOf(file)) if (texts.has(next)) seen.add(next)
  return seen
}

/** True if a file creates errors and names one of these codes for them. */
const isMaker = (file: string, made: RegExp): boolean => {
  const text = texts.get(file) ?? ''
  return text.includes('LedgerError') && made.test(text)
}

const declaring = FEATURE_SCHEMAS.filter(({ errors }) => Object.keys(errors).length > 0)

it.each(declaring.map(({ name, errors }) => [name, errors] as const))(
  'every file that creates an error of %s loads its codes',
  (name, errors) => {
    const places = ['schema/errors.ts', 'schema.ts'].map((file) => join(ROOT, 'src', 'features', name, file))
    const [declared = ''] = places.filter((file) => texts.has(file))
    expect(texts.get(declared)).toContain('declareErrors(')
    const made = new RegExp(`(?:new LedgerError\\(|: )\\s*'(?:${Object.keys(errors).join('|')})'`)
    const making = sources.filter((file) => file !== declared && isMaker(file, made))
    const without = making.filter((file) => !closureOf(file).has(declared)).map((file) => file.slice(ROOT.length))
    expect(without).toEqual([])
  },
)
