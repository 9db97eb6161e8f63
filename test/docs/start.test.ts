import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { blocksOf, PATIENCE_MS, Reader, SESSIONS } from './blocks.js'

/** It goes on where the quickstart ended; and the one whose network is made by hand. */
const OTHERWISE: ReadonlySet<string> = new Set(['README.md', 'docs/start/bootstrap.md'])

it('every walkthrough in docs/start is run', () => {
  const pages = readdirSync('docs/start').filter((name) => name.endsWith('.md'))
  expect(pages.map((name) => `docs/start/${name}`).filter((page) => !SESSIONS.flat().includes(page))).toEqual([])
})

it.each(SESSIONS.flat().filter((page) => !OTHERWISE.has(page)))(
  '%s begins by starting its own network',
  async (page) => {
    const [first] = blocksOf(await readFile(page, 'utf8'), 'sh')
    expect(first).toMatch(/^causeway localnet up\b/)
  },
)

describe.each(SESSIONS.map((pages) => ({ pages })))(
  'the session of user pages that starts with $pages.0',
  ({ pages }) => {
    let reader: Reader
    beforeAll(async () => {
      reader = await Reader.start()
    })
    afterAll(() => reader.end())

    // It ends itself when it hangs, with what it printed.
    it.each(pages)('%s runs as written', { timeout: 2 * PATIENCE_MS }, async (page) => {
      const { code, output } = await reader.read(page, { goesOn: page !== pages.at(-1) })
      expect(code, output.slice(-4_000)).toBe(0)
    })
  },
)
