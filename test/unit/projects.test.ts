/** Every test file belongs to one project of the runner, and files that share a worker leave its modules as they are. */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { BUDGET, SHORT_SECONDS } from '../budget.js'
import { LONGEST } from '../longest-first.js'
import { FOLDERS, isShort, projectOf, SHORT_PROCESS_FILES } from '../suites.mjs'

const files = ['src', 'test'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name}`)
    // The packages of test/heavy bring files of their own.
    .filter((name) => /\.test\.tsx?$/.test(name) && !name.includes('/node_modules/')),
)
const MOCK = ['vi', 'mock('].join('.')

it('the time budgets of the test projects fit into the budget of the short suite', () => {
  const sum = Object.values(BUDGET.short).reduce((total, seconds) => total + seconds, 0)
  expect(sum).toBeLessThan(SHORT_SECONDS)
})

describe('the test projects', () => {
  it('contain each folder at most once', () => {
    const folders = Object.values(FOLDERS).flat()
    expect(folders.filter((one, at) => folders.indexOf(one) !== at)).toEqual([])
  })

  it('include every test file', () => {
    expect(files.length).toBeGreaterThan(200)
    expect(files.filter((file) => projectOf(file) === undefined)).toEqual([])
  })

  it('include every file in the list of files that start first', () => {
    expect(LONGEST.filter((file) => !files.includes(file))).toEqual([])
  })

  it('include the process tests of the short suite in the process project', () => {
    expect(SHORT_PROCESS_FILES.filter((file) => !files.includes(file))).toEqual([])
    expect(new Set(SHORT_PROCESS_FILES.map(projectOf))).toEqual(new Set(['process']))
  })

  it.each([
    ['test/unit/codec/codec.test.ts', true],
    ['test/unit/node/cluster.test.ts', true],
    ['test/simulation/uniform.test.ts', true],
    ['test/e2e/first-light.test.ts', true],
    ['test/e2e/staking.test.ts', false],
  ])('include %s in the short suite: %s', (file, expected) => {
    expect(isShort(file)).toBe(expected)
  })

  it.each([
    ['test/unit/node/cluster.test.ts', 'node'],
    ['test/unit/codec/codec.test.ts', 'unit'],
    ['test/unit/nodes.test.ts', 'unit'],
    ['test/elsewhere/one.test.ts', undefined],
  ])('assign %s to %s', (file, project) => {
    expect(projectOf(file)).toBe(project)
  })

  it('mock no module in files that share a worker, because the mock would leak into the next file', () => {
    expect(files.filter((file) => readFileSync(file, 'utf8').includes(MOCK))).toEqual([])
  })
})
