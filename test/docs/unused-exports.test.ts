/** Exports that no module imports: an index lists only what its importers use. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { needs } from '../support/needs.js'

const root = join(import.meta.dirname, '..', '..')
const knip = join(root, 'test', 'heavy', 'node_modules', 'knip', 'bin', 'knip.js')
const missing = existsSync(knip) ? undefined : 'test/heavy has no package knip'

interface Report {
  readonly issues: readonly (Readonly<Record<'exports' | 'types', readonly { readonly name: string }[]>> & {
    readonly file: string
  })[]
}

it('every export of src and commands has an importer', needs(missing), () => {
  const options = ['-c', 'test/knip.json', '--include', 'exports,types', '--reporter', 'json', '--no-progress']
  const run = spawnSync(process.execPath, [knip, ...options], { cwd: root, encoding: 'utf8' })
  const { issues } = JSON.parse(run.stdout) as Report
  const found = issues.flatMap(({ file, exports, types }) =>
    [...exports, ...types].map(({ name }) => `${file}: ${name}`),
  )
  expect(found).toEqual([])
})
