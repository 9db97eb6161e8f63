/** The generated pages of the reference say what the code says. */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

it('docs/generated is up to date: commands, errors, configuration, metrics, routes and limits', () => {
  const run = spawnSync(process.execPath, ['scripts/docs.mjs', '--check'], { encoding: 'utf8' })
  expect(run.stderr).toBe('')
  expect(run.status).toBe(0)
})

it('docs/generated contains no JavaScript placeholder', () => {
  const folder = join('docs', 'generated')
  const pages = readdirSync(folder).filter((name) => name.endsWith('.md'))
  const faulty = pages.filter((name) => /\[object |`undefined`|\bNaN\b/.test(readFileSync(join(folder, name), 'utf8')))
  expect(faulty).toEqual([])
})
