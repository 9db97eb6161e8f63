/** The mutation gate: a simulator that lets a wrong variant pass proves nothing about the right one. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type * as Simulation from '../../src/simulation/index.js'
import { MUTANTS, type Mutant } from './mutants.js'

const SOURCES = fileURLToPath(new URL('../../src/', import.meta.url))
/** Copied and patched; the layers below are linked, so they are the same modules in all variants. */
const COPIED = ['consensus', 'simulation']
const LINKED = ['codec', 'crypto', 'model']

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'causeway-mutants-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The simulator over the patched sources. */
async function variantOf(mutant: Pick<Mutant, 'patches'>, name: string): Promise<typeof Simulation> {
  const root = join(folder, name, 'src')
  mkdirSync(root, { recursive: true })
  for (const layer of COPIED) cpSync(join(SOURCES, layer), join(root, layer), { recursive: true })
  for (const layer of LINKED) symlinkSync(join(SOURCES, layer), join(root, layer))
  for (const { file, find, by } of mutant.patches) {
    const path = join(root, file)
    const source = readFileSync(path, 'utf8')
    expect(source.split(find).length - 1, `${file} has moved on: adapt the patch of "${find}"`).toBe(1)
    writeFileSync(
      path,
      source.replace(find, () => by),
    )
  }
  return (await import(/* @vite-ignore */ join(root, 'simulation', 'index.ts'))) as typeof Simulation
}

function firstCaught(simulation: typeof Simulation, { scheduler, withinSeeds, fault, direct }: Mutant) {
  for (let seed = 1; seed <= withinSeeds; seed++) {
    const verdict = simulation.simulate({ ...simulation.scenarioOf(scheduler, seed), ...direct })
    if (verdict.fault !== undefined && (fault === undefined || fault.test(verdict.fault))) return verdict
  }
  return undefined
}

describe('mutation gate', () => {
  it('finds nothing in the sources as they are, run the same way', async () => {
    const simulation = await variantOf({ patches: [] }, 'unchanged')
    for (const scheduler of simulation.SCHEDULER_NAMES) {
      for (let seed = 1; seed <= 50; seed++) {
        expect(
          simulation.simulate(simulation.scenarioOf(scheduler, seed)).fault,
          `${scheduler} ${seed}`,
        ).toBeUndefined()
      }
    }
  })

  it.each(MUTANTS.map((mutant, index) => [mutant.name, mutant, index] as const))(
    'catches: %s',
    async (_name, mutant, index) => {
      const caught = firstCaught(await variantOf(mutant, `mutant-${index}`), mutant)
      if (process.env.SIM_VERBOSE !== undefined) console.log(`${mutant.name}: seed ${caught?.seed}, ${caught?.fault}`)
      expect(caught, `not caught by ${mutant.scheduler} within ${mutant.withinSeeds} seeds`).toBeDefined()
    },
  )
})
