/** Output of `sim explore`: figures of worlds, bounds, refusals, and the replay of a trace. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Config } from '@oclif/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EXIT } from '../../src/model/errors.js'
import { Exploration, namedWorld, traceOf, traceRecord } from '../../src/simulation/explore/index.js'
import { runHere } from './in-process.js'
import { startCauseway } from './run.js'

let config: Config
let folder: string
beforeAll(async () => {
  config = await Config.load(process.cwd())
  folder = await mkdtemp(join(tmpdir(), 'causeway-explore-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const run = (...words: string[]) => runHere(config, 'sim:explore', words)

/** JSON of a trace of the world `one`, which violates nothing. */
function harmlessTrace(): string {
  const exploration = new Exploration(namedWorld('one'))
  while (exploration.advance(1_000));
  const trace = traceOf(exploration, { text: 'none', state: exploration.states.size - 1, last: undefined })
  return JSON.stringify(traceRecord.toJson(trace))
}

describe('a run', () => {
  it('prints the figures of a completely explored world', async () => {
    const { code, stdout, stderr } = await run('--world', 'one', '--json', '--no-checks')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(JSON.parse(stdout)).toMatchObject({
      items: [{ world: 'one', end: 'complete', complete: true }],
      violation: null,
      difference: null,
    })
  })

  it('prints the explored part if a limit is reached', async () => {
    const { code, stdout } = await run('--world', 'four', '--states', '1000', '--no-checks', '--quiet')
    expect(code).toBe(0)
    expect(stdout).toContain('until the bound: states')
  })

  it('applies flags to the world', async () => {
    const { stdout } = await run('--world', 'one', '--crashes', '0', '--views', '0', '--json', '--no-checks')
    const [{ states }] = JSON.parse(stdout).items
    expect(states).toBeLessThan(20)
  })

  it('prints the explored part when it is interrupted, and exits 130', async () => {
    const child = startCauseway(['sim', 'explore', '--world', 'large'])
    let printed = ''
    child.stdout.on('data', (chunk) => {
      printed += chunk
    })
    await new Promise((resolve) => child.stderr.once('data', resolve))
    child.kill('SIGINT')
    const code = await new Promise((resolve) => child.once('close', resolve))
    expect(code).toBe(130)
    expect(printed).toContain('until the bound: interrupted')
  })

  it.each([
    [['--world', 'nowhere'], 'unknown world "nowhere"'],
    [['--world', 'three', '--faulty', '0'], 'a faulty member needs at least 4 members'],
    [['--world', 'two-statuses', '--mode', 'reduced'], 'need the full mode'],
  ])('rejects the arguments %j', async (words, text) => {
    const { code, stderr } = await run(...words)
    expect(code).toBe(EXIT.usage)
    expect(stderr).toContain(text)
  })
})

describe('a replay', () => {
  it('executes the actions of a trace and prints the result', async () => {
    const file = join(folder, 'trace.json')
    await writeFile(file, harmlessTrace())
    const { code, stdout } = await run('--replay', file)
    expect(code).toBe(0)
    expect(stdout).toContain('The simulator finds no violation.')
  })

  it.each([
    ['is cut', (text: string) => text.slice(0, -30)],
    ['has a field of a wrong type', (text: string) => text.replace('"members":1', '"members":"one"')],
    ['has another record', () => '{"steps":[]}'],
  ])('refuses a file that %s', async (_what, change) => {
    const file = join(folder, 'bad.json')
    await writeFile(file, change(harmlessTrace()))
    const { code, stderr } = await run('--replay', file)
    expect(code).toBe(EXIT.usage)
    expect(stderr).toContain('bad.json')
  })
})
