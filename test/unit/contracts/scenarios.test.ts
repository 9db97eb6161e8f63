/** Scenarios of contracts: those of the templates pass, what does not come out as a file says is told, and templates are what they are compiled from. */
import { mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildProject, makeProject, readBuilt, readTests } from '../../../src/cli/contract/project.js'
import { scenariosOf } from '../../../src/scenario/file.js'
import { runScenarios } from '../../../src/scenario/run.js'
import { COMPILER_MISSING, COMPILER_PACKAGES } from '../../support/compiler.js'
import { needs } from '../../support/needs.js'

const TEMPLATES = ['auction', 'escrow', 'oracle', 'splitter', 'token']

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-scenarios-'))
  for (const name of TEMPLATES) await makeProject(join(folder, name), name)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('a new contract folder', () => {
  it.each(TEMPLATES)('has passing tests: %s', async (name) => {
    const { results } = runScenarios(await readBuilt(join(folder, name)), await readTests(join(folder, name)))
    expect(results.filter(({ failure }) => failure !== undefined)).toEqual([])
    expect(results.length).toBeGreaterThan(0)
  })

  it.each(TEMPLATES)('builds the included module: %s', needs(COMPILER_MISSING), async (name) => {
    const at = join(folder, name)
    const before = await readBuilt(at)
    await symlink(COMPILER_PACKAGES, join(at, 'node_modules'))
    await buildProject(at)
    expect(await readBuilt(at)).toEqual(before)
    expect(await readdir(join(at, 'build'))).toEqual(['contract.wasm', 'manifest.json'])
  })
})

describe('a scenario', () => {
  const token = async (steps: readonly object[]) => {
    const at = join(folder, 'token')
    const file = { tests: [{ name: 'one', init: { digits: 2, initial: '5' }, steps }] }
    return runScenarios(await readBuilt(at), file as never).results[0]?.failure
  }

  it('reports the step that failed', async () => {
    const to = { to: '@bob', amount: '1' }
    expect(await token([{ call: 'transfer', args: to }])).toBeUndefined()
    expect(await token([{ view: 'totalSupply', gives: '6' }])).toBe('step 1: totalSupply returned "5", not "6"')
    expect(await token([{ wait: 5 }, { call: 'transfer', args: to, aborts: 2 }])).toBe(
      'step 2: transfer by alice did not end with 2: it succeeded',
    )
    expect(await token([{ call: 'transfer', by: 'bob', args: to }])).toMatch(/^step 1: transfer by bob failed: .*3/)
    expect(await token([{ holds: '@bob', asset: 'gold#test', amount: '7' }])).toMatch(/^step 1: @bob holds 1000/)
  })

  it('reports the actual result of an init that was expected to abort', async () => {
    const built = await readBuilt(join(folder, 'token'))
    const failureOf = (initial: string, aborts: number) => {
      const one = { name: 'one', init: { digits: 2, initial }, aborts }
      return runScenarios(built, { tests: [one] }).results[0]?.failure
    }
    expect(failureOf('-1', 4)).toBeUndefined()
    expect(failureOf('1', 4)).toBe('init by alice did not end with 4: it succeeded')
    expect(failureOf('-1', 5)).toMatch(/^init by alice did not end with 5: .*the supply is negative/)
  })

  it('is refused with the position of an invalid step', async () => {
    const refused = (...steps: readonly object[]) => {
      try {
        scenariosOf({ tests: [{ name: 'one', steps }] } as never)
        return undefined
      } catch (error) {
        return (error as Error).message
      }
    }
    expect(refused({ call: 'a', wait: 1 })).toBe(
      'tests[0].steps[0]: unknown field wait; known fields are call, by, args, attach, gas, aborts, fails',
    )
    expect(() => scenariosOf({ tests: [{ name: 'one', aborts: 4, steps: [] }] })).toThrow(
      'tests[0]: unknown field steps; known fields are name, by, init, aborts',
    )
    expect(refused({ wait: 1 }, { wait: -1 })).toBe('tests[0].steps[1]: wait must be a whole number')
    expect(refused({ holds: '@bob', asset: 'gold#test', amount: 5 })).toMatch(/an amount must be a text/)
    await expect(token([{ call: 'nothing' }])).rejects.toThrow('the contract does not have the entrypoint nothing')
    await expect(token([{ call: 'transfer', args: { to: 'bob' } }])).rejects.toThrow('transfer: arguments.to')
  })
})
