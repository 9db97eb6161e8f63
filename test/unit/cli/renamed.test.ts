/** Former names of commands: each leads to a command of the manifest, and none hides one. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { RENAMED, renamed } from '../../../src/cli/command/renamed.js'

const { commands } = JSON.parse(readFileSync(new URL('../../../oclif.manifest.json', import.meta.url), 'utf8')) as {
  readonly commands: Readonly<Record<string, unknown>>
}
const ids = Object.keys(commands).map((id) => id.replaceAll(':', ' '))

it.each([...RENAMED])('the former command name %s runs %s', (old, now) => {
  const name = now.replace(/ --.*$/, '')
  expect(ids.filter((id) => id === name || id.startsWith(`${name} `))).not.toEqual([])
  expect(ids.filter((id) => id === old || id.startsWith(`${old} `))).toEqual([])
})

it('arguments and flags after a former name are kept', () => {
  expect(renamed(['ledger', 'account', 'label', 'a@b', '--label', 'c'])?.words).toEqual([
    'account',
    'relabel',
    'a@b',
    '--label',
    'c',
  ])
  expect(renamed(['node', 'check', '--config', 'n.toml'])?.words).toEqual(['doctor', '--files', '--config', 'n.toml'])
})

it('no current command name is also a former name', () => {
  expect(renamed(['account', 'show', 'a@b'])).toBeUndefined()
})
