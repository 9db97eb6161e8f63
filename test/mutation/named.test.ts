/** Mutants are patches of the sources as they are. `npm run mutation` and the slow suites check that they are caught. */
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { STAKING_MUTANTS } from '../property/npos/mutants.js'
import { EXPLORED_MUTANTS } from '../simulation/explore-mutants.js'
import { MUTANTS } from '../simulation/mutants.js'
import { patched } from '../simulation/variant-plugin.js'

interface Named {
  readonly name: string
  readonly file: string
  readonly find: string
  readonly by: string
  readonly suite: string
}

const NAMED: readonly Named[] = JSON.parse(readFileSync(new URL('named.json', import.meta.url), 'utf8'))
const root = new URL('../../', import.meta.url)

describe('a named mutant', () => {
  it.each(NAMED.map((one) => [one.name, one] as const))('changes the current source: %s', (_name, one) => {
    const source = readFileSync(new URL(one.file, root), 'utf8')
    expect(source.split(one.find), `${one.file} has moved on: adapt the patch`).toHaveLength(2)
    expect(one.by).not.toBe(one.find)
    expect(existsSync(new URL(one.suite, root)), one.suite).toBe(true)
  })
})

// `npm test` runs a slice of these, so a patch that no longer applies would pass there.
it('the patches of the simulator, the exploration and staking apply to the current sources', () => {
  const stale = [...MUTANTS, ...EXPLORED_MUTANTS, ...STAKING_MUTANTS].flatMap(({ name, patches }) => {
    try {
      for (const { file } of patches) patched(file, patches)
      return []
    } catch (error) {
      return [`${name}: ${String(error)}`]
    }
  })
  expect(stale).toEqual([])
})
