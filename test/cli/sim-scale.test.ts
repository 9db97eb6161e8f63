/** Output of `sim scale`: figures that are reproducible with pinned costs, costs for a later run, and refusals. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Config } from '@oclif/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EXIT } from '../../src/model/errors.js'
import { DEFAULT_COSTS, type ScaleResult } from '../../src/simulation/scale/index.js'
import { runHere } from './in-process.js'

let config: Config
let folder: string
beforeAll(async () => {
  config = await Config.load(process.cwd())
  folder = await mkdtemp(join(tmpdir(), 'causeway-scale-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** A run of a moment; `change` names other flags, or takes others for these. */
const SHORT = { validators: '4', rate: '50', 'warm-up': '500ms', duration: '1s', costs: 'default' }
type Change = Readonly<Record<string, string | undefined>>
function run(change: Change = {}, ...words: string[]) {
  const flags = Object.entries({ ...SHORT, ...change } as Change)
  const given = flags.flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value]))
  return runHere(config, 'sim:scale', [...given, ...words])
}

interface Printed {
  readonly costs: Readonly<Record<string, number>>
  readonly runs: readonly (ScaleResult & { readonly variant: string })[]
}
async function json(change: Change = {}): Promise<Printed> {
  const { code, stdout, stderr } = await run(change, '--json')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout) as Printed
}

describe('a run with the costs of the documentation', () => {
  it('prints the same figures for the same seed, and different ones for another seed', async () => {
    const first = await json()
    expect(first.costs).toEqual(DEFAULT_COSTS)
    expect(first.runs).toMatchObject([{ variant: 'as given', validators: 4, unfinished: 0, viewsLost: 0 }])
    expect(await json()).toEqual(first)
    expect((await json({ seed: '2' })).runs).not.toEqual(first.runs)
  })

  it('has a row for each number of validators and each variant', async () => {
    const { code, stdout } = await run({ validators: '4,7' }, '--vary')
    expect(code).toBe(0)
    const rows = stdout
      .split('\n')
      .flatMap((line) => /^(4|7) +(\S+(?: \S+)?) {2,}/.exec(line)?.slice(1, 3).join(' ') ?? [])
    const variants = ['as given', 'all collect', 'compact', 'chunks', 'data availability']
    const once = ['4', '7'].flatMap((validators) => variants.map((variant) => `${validators} ${variant}`))
    expect(rows).toEqual([...once, ...once])
    expect(stdout).toMatch(/^latency {2}wan, median round trip \d+, \d+ ms$/m)
  })

  it('reports a rate beyond the capacity of the network', async () => {
    const { code, stderr } = await run({ 'block-transactions': '1', rate: '200' })
    expect(code).toBe(0)
    expect(stderr).toContain('the rate exceeds the capacity of such a network')
  })
})

describe('a run that measures costs', () => {
  it('prints costs that a later run can read from a file to produce the same figures', async () => {
    const measured = await json({ costs: undefined })
    expect(Object.values(measured.costs).every((cost) => Number.isInteger(cost) && cost >= 0)).toBe(true)
    const file = join(folder, 'costs.json')
    await writeFile(file, JSON.stringify(measured.costs))
    expect(await json({ costs: file })).toEqual(measured)
  })
})

describe('invalid arguments of a run', () => {
  it.each([
    [{ validators: '4,x' }, '--validators: "4,x" is not a list of numbers of validators'],
    [{ validators: '201' }, '--validators: "201" is not a list of numbers of validators'],
    [{ collectors: 'none' }, '--collectors: "none" is not a number of members'],
    [{ duration: 'soon' }, '--duration: "soon" is not a duration'],
    [{ rate: '20000', duration: '2m' }, '2410000 transactions of 250 bytes exceed the memory of one run'],
  ])('%j: %s', async (change, message) => {
    const { code, stdout } = await run(change, '--json')
    expect(code).toBe(EXIT.usage)
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'usage', message } })
  })

  it('refuses an invalid costs file', async () => {
    const file = join(folder, 'wrong.json')
    await writeFile(file, '{"speed": 1}')
    const { code, stdout } = await run({ costs: file }, '--json')
    expect(code).toBe(EXIT.usage)
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'usage', message: `${file}: unknown cost "speed"` } })
  })
})
