import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { blocksOf, PATIENCE_MS, Reader, SESSIONS, withRefusals } from './blocks.js'

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

it.each([
  ['ends in an error if the command succeeds', 1, 'true || echo "refused with exit code $?"'],
  ['goes on if the command fails', 0, 'false || echo "refused with exit code $?"'],
  ['ends in an error if the command has another exit code', 1, '(exit 4) || echo "refused with exit code $?" # 6'],
  ['ends in an error without the word', 1, 'sh -c "echo no; exit 6" || echo "refused with exit code $?" # 6, bad_name'],
  ['goes on with the code and the word', 0, 'sh -c "echo bad_name; exit 6" || echo "with $?" # 6, bad_name'],
])('a line of a page that shows a refusal %s', (_what, code, line) => {
  const cwd = mkdtempSync(join(tmpdir(), 'refusals-'))
  const ended = spawnSync('bash', ['-c', `set -euo pipefail\n${withRefusals(line)}\necho end`], { cwd })
  rmSync(cwd, { recursive: true })
  expect([ended.status, String(ended.stdout).endsWith('end\n')], String(ended.stderr)).toEqual([code, code === 0])
})

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
