/** The generated pages of the reference say what the code says. */
import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'

it('docs/reference: commands, errors, configuration, metrics, routes and limits have not drifted', () => {
  const run = spawnSync(process.execPath, ['scripts/docs.mjs', '--check'], { encoding: 'utf8' })
  expect(run.stderr).toBe('')
  expect(run.status).toBe(0)
})
