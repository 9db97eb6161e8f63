/** The package as npm packs it: small, without tests, with every entry that the program starts, and it runs. */
import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, stat, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
// The features add their codes to the catalogue.
import '../../src/features/composed.js'
import { ERRORS } from '../../src/model/error-catalogue.js'
import { causeway, ROOT } from './run.js'

/**
 * Maximum size of a download, in bytes: a quarter of it are the packages in the bundle, another one the binaries of its
 * database.
 */
const PACKED_MAX_BYTES = 6.5 * 1024 * 1024
/** The script of the explorer, gzipped, in bytes: what a link of 400 kbit/s brings within a second. Half of it is the plotter. */
const SCRIPT_MAX_BYTES = 50_000
/** Each page that comes when it is asked for, gzipped, in bytes. */
const LAZY_PAGE_MAX_BYTES = 4 * 1024
const STYLE_MAX_BYTES = 8 * 1024

let folder: string
let packed: string
let names: readonly string[]
let program: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-package-'))
  const words = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder]
  const [{ filename }] = JSON.parse(execFileSync('npm', words, { cwd: ROOT, encoding: 'utf8' }))
  packed = join(folder, filename)
  names = execFileSync('tar', ['tzf', packed], { encoding: 'utf8' }).trim().split('\n')
  execFileSync('tar', ['xzf', packed, '-C', folder])
  // Packages that npm would install beside it.
  await symlink(join(ROOT, 'node_modules'), join(folder, 'package', 'node_modules'))
  program = join(folder, 'package', 'bin', 'run.js')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Entries that the sources start as threads or processes: `compiledUrl('...')`. */
async function startedEntries(): Promise<string[]> {
  const sources = (await readdir('src', { recursive: true })).filter((name) => /\.tsx?$/.test(name))
  const texts = await Promise.all(sources.map((name) => readFile(join('src', name), 'utf8')))
  return texts.flatMap((text) => [...text.matchAll(/compiledUrl\('([^']+)'\)/g)].map(([, path = '']) => path))
}

describe('the packed package', () => {
  it('is within its size limit and contains neither tests nor benchmark sources', async () => {
    expect((await stat(packed)).size).toBeLessThan(PACKED_MAX_BYTES)
    expect(names.filter((name) => /(^|\/)test\/|\.test\.|\.map$/.test(name))).toEqual([])
  })

  it('contains the licences of the bundled packages', async () => {
    const notices = await readFile(join(folder, 'package', 'dist', 'bundle', 'THIRD-PARTY.txt'), 'utf8')
    const [, ...each] = notices.split(/^-{80}$/m)
    expect(each.map((notice) => notice.trim().split(' ')[0])).toEqual(
      expect.arrayContaining(['@oclif/core', 'fastify', 'undici']),
    )
    // More than the line that says which package and licence it is.
    for (const notice of each) expect(notice.length, notice).toBeGreaterThan(500)
  })

  it('contains the pages cited by hints and the README', async () => {
    const texts = [...Object.values(ERRORS).map(({ hint }) => hint), await readFile('README.md', 'utf8')]
    const pages = texts.flatMap((text) => text.match(/docs\/[a-z0-9/-]+\.md/g) ?? [])
    expect(pages.length).toBeGreaterThan(10)
    for (const page of pages) expect(names).toContain(`package/${page}`)
  })

  it('contains the entry point of every thread and process of the program', async () => {
    const entries = await startedEntries()
    expect(entries.length).toBeGreaterThan(3)
    for (const path of entries) expect(names).toContain(`package/dist/bundle/src/${path}`)
  })

  it('contains the pages of the explorer, within a size limit', () => {
    const pages = names.filter((name) => name.startsWith('package/dist/web/'))
    const patterns = [
      /index\.html$/,
      /main-[0-9a-f]{12}\.js$/,
      /ui-[0-9a-f]{12}\.js$/,
      /governance-[0-9a-f]{12}\.js$/,
      /operator-[0-9a-f]{12}\.js$/,
      /payment-[0-9a-f]{12}\.js$/,
      /search-[0-9a-f]{12}\.js$/,
      /style-[0-9a-f]{12}\.css$/,
      /icon-[0-9a-f]{12}\.svg$/,
    ]
    for (const pattern of patterns) {
      const [name = '', ...more] = pages.filter((one) => pattern.test(one))
      expect([more, pages.includes(`${name}.br`), pages.includes(`${name}.gz`)]).toEqual([[], true, true])
    }
    expect(pages).toHaveLength(3 * patterns.length)
    const gzipped = (pattern: RegExp): readonly number[] =>
      pages.filter((name) => pattern.test(name)).map((name) => statSync(join(folder, name)).size)
    const [script = Number.NaN, style = Number.NaN] = [/main-.*\.js\.gz$/, /\.css\.gz$/].flatMap(gzipped)
    expect(script).toBeLessThanOrEqual(SCRIPT_MAX_BYTES)
    expect(Math.max(...gzipped(/(operator|payment|search|governance)-.*\.js\.gz$/))).toBeLessThanOrEqual(
      LAZY_PAGE_MAX_BYTES,
    )
    expect(style).toBeLessThanOrEqual(STYLE_MAX_BYTES)
  })

  it('contains the types and the code of the client', async () => {
    const { exports } = JSON.parse(await readFile('package.json', 'utf8'))
    for (const path of Object.values<string>(exports['./client']))
      expect(names).toContain(path.replace('./', 'package/'))
  })

  it('runs the commands for version, help, keys and templates', async () => {
    const run = (...words: string[]) => causeway(words, { executable: program, cwd: folder })
    expect((await run('--version')).stdout).toMatch(/^causeway\/\d/)
    expect((await run('node', 'start', '--help')).stdout).toContain('--config')
    expect(await run('key', 'generate', '--algorithm', 'bls', '--out', 'key.json', '--json')).toMatchObject({ code: 0 })
    expect((await run('iso', 'template', 'pacs008')).stdout).toContain('FIToFICstmrCdtTrf')
  })
})
