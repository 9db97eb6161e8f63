/** Output of `sim follow` about traces of the specification, and the files that it refuses. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { Config } from '@oclif/core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { EXIT } from '../../src/model/errors.js'
import { runHere } from './in-process.js'

let config: Config
let folder: string
let trace: string
beforeAll(async () => {
  config = await Config.load(process.cwd())
  folder = await mkdtemp(join(tmpdir(), 'causeway-follow-'))
  const [first]: readonly object[] = JSON.parse(
    gunzipSync(await readFile('test/vectors/height-traces.json.gz')).toString(),
  )
  trace = JSON.stringify(first)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function follow(text: string) {
  const file = join(folder, 'trace.itf.json')
  await writeFile(file, text)
  const { code, stdout } = await runHere(config, 'sim:follow', [file, '--json'])
  return { code, result: JSON.parse(stdout) as unknown }
}

it('a trace of the specification is replayed to its end', async () => {
  const { code, result } = await follow(trace)
  expect([code, result]).toMatchObject([0, { ok: true, items: [{ steps: expect.any(Number), difference: null }] }])
})

it('a trace with a differing state is reported with both states, and exit code 10', async () => {
  const { code, result } = await follow(trace.replaceAll('"timedOut":{"#bigint":"0"}', '"timedOut":{"#bigint":"1"}'))
  expect(code).toBe(EXIT.checkFailed)
  expect(result).toMatchObject({
    ok: false,
    items: [{ difference: { expected: expect.stringContaining('timed out 1') } }],
  })
})

it.each([
  ['is cut', () => trace.slice(0, 5_000)],
  ['is of another specification', () => trace.replaceAll('::height::', '::chain::')],
  ['has a wrong type', () => trace.replaceAll('{"#bigint":"0"}', '"0"')],
])('a file that %s is refused with exit code 2', async (_, text) => {
  expect(await follow(text())).toMatchObject({ code: EXIT.usage, result: { error: { code: 'usage' } } })
})

it('a missing file is refused with exit code 3, as in other commands', async () => {
  const { code, stdout } = await runHere(config, 'sim:follow', [join(folder, 'missing.itf.json'), '--json'])
  expect([code, JSON.parse(stdout)]).toMatchObject([EXIT.config, { error: { code: 'file_missing' } }])
})
