/** Owns a vitest that loads replaced sources. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createVitest } from 'vitest/node'

/** The folder of the repository. */
export const ROOT = dirname(dirname(import.meta.dirname))

/** Starts it, one file at a time; `sources`: texts by path, asked whenever a file is loaded. */
export async function startVitest(sources, config = {}) {
  const replacing = {
    name: 'replaced-sources',
    enforce: 'pre',
    load: (id) => {
      const code = sources.get(id.split('?')[0])
      return code === undefined ? undefined : { code, map: null }
    },
  }
  // Tests run without their set-up, and a mutant may end their process: what they leave behind is removed at the end.
  const temporary = mkdtempSync(join(tmpdir(), 'causeway-mutants-'))
  const vitest = await createVitest(
    'test',
    {
      root: ROOT,
      // Without the projects: a mutant may end its process, so every file has one of its own.
      config: false,
      include: ['test/**/*.test.ts'],
      pool: 'forks',
      watch: false,
      maxWorkers: 1,
      reporters: [{}],
      testTimeout: 30_000,
      ...config,
      env: { ...config.env, TMPDIR: temporary },
    },
    { plugins: [replacing] },
  )
  vitest.onClose(() => rmSync(temporary, { recursive: true, force: true }))
  return vitest
}
