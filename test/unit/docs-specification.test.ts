/** The table of the specification: its paths and tests exist, and a route family is called absent only while nothing serves it. */
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { FEATURE_ROUTES } from '../../src/features/composed.js'
import { OWN_ROUTES } from '../../src/gateway/index.js'

const page = await readFile('docs/reference/specification.md', 'utf8')
const rows = page.split('\n').filter((line) => /^\| (?!sentence|family|---)/.test(line))
/** `file`, "name": the test of a row. */
const SHOWN = /`(test\/[^`]+)`, "([^"]+)"/g
const cells = (row: string): string[] => row.split('|').map((cell) => cell.trim())

it('the specification table names existing paths and tests', async () => {
  const missing: string[] = []
  for (const [, path = ''] of page.matchAll(/`((?:src|test|docs|commands)\/[^`]*)`/g)) {
    if (!existsSync(path)) missing.push(path)
  }
  for (const [, file = '', name = ''] of page.matchAll(SHOWN)) {
    const source = await readFile(file, 'utf8').catch(() => '')
    if (!source.includes(name)) missing.push(`${file}: ${name}`)
  }
  expect(missing).toEqual([])
})

it('the specification table cites tests or a missing part for every sentence', () => {
  expect(rows.length).toBeGreaterThan(90)
  const silent = rows.filter((row) => {
    const [, , built = '', shown = ''] = cells(row)
    return built.includes('not yet: ') ? shown !== '' : !built.includes('`') || shown.match(SHOWN) === null
  })
  expect(silent).toEqual([])
})

it('the specification table marks a route family as absent if and only if none of its routes is served', () => {
  const families = rows.flatMap((row) => {
    const [, name = '', built = ''] = cells(row)
    return [...name.matchAll(/`(\/[^`]+\/)`/g)].map(([, path = '']) => ({
      path,
      isAbsent: built.startsWith('not yet'),
    }))
  })
  expect(families.length).toBeGreaterThan(40)
  const served = (path: string): boolean =>
    [...OWN_ROUTES, ...FEATURE_ROUTES].some((row) => `${row.path}/`.startsWith(path))
  // `/v1/assets/aliases/` is of the names, though `/v1/assets/` is served.
  expect(families.filter(({ path, isAbsent }) => served(path) === isAbsent).map(({ path }) => path)).toEqual([])
})

it('the specification table has every section cited in comments', async () => {
  const files = await sources()
  const cited = new Set<string>()
  for (const file of files)
    for (const [, section = ''] of (await readFile(file, 'utf8')).matchAll(/[Ss]pecification (\d+(?:\.\d+)?)/g))
      cited.add(section)
  expect(cited.size).toBeGreaterThan(5)
  expect([...cited].filter((one) => !new RegExp(`^(#+|\\|) ${one.replace('.', '\\.')} `, 'm').test(page))).toEqual([])
})

/** Sources of the product. */
async function sources(): Promise<string[]> {
  const files = await readdir('src', { recursive: true, withFileTypes: true })
  return files.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name))
}
