/** `events watch`, `block watch` and `query` against a gateway: lines, limits, filters, an interrupted run, a reader that goes away. */
import type { ChildProcess } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { formatPublicKey } from '../../src/crypto/index.js'
import { writeKeyFile } from '../../src/files/key-file.js'
import type { Gateway } from '../../src/gateway/index.js'
import { until } from '../support/ports.js'
import { blocksBetween } from '../unit/gateway/fake-chain.js'
import { alice, bob, FakeNode, gatewayOf } from '../unit/gateway/support.js'
import { causewayHere } from './in-process.js'
import { type Run, startCauseway } from './run.js'

const node = new FakeNode()
let gateway: Gateway
let url: string
beforeAll(async () => {
  node.blocks.push(...(await blocksBetween(8, 20)))
  gateway = gatewayOf(node, { telemetryProfile: 'full' })
  url = (await gateway.listen()).url
})
afterAll(() => gateway.close())

const lines = (text: string): Record<string, never>[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, never>)

describe('events watch', () => {
  test.each([[[]], [['--sse']]])('prints one JSON object per line, up to the limit %j', async (more) => {
    const run = await causewayHere([
      'events',
      'watch',
      '--gateway',
      url,
      '--from-height',
      '8',
      '-n',
      '4',
      '--json',
      ...more,
    ])
    expect([run.code, run.stderr]).toEqual([0, ''])
    expect(lines(run.stdout).map(({ id }) => id)).toEqual(['8.0', '8.1', '8.2', '9.0'])
  })

  test('applies filters, and prints readable text without --json', async () => {
    const run = await causewayHere([
      'events',
      'watch',
      '--gateway',
      url,
      '--after',
      '9.2',
      '--category',
      'block',
      '-n',
      '2',
    ])
    expect(run.stdout).toMatch(/^10\.2 +block 10 [0-9a-f]{8}….{6} 1 transaction, 0 rejected\n11\.2 /)
  })

  test('reports an invalid filter, and an unreachable node', async () => {
    const bad = await causewayHere(['events', 'watch', '--gateway', url, '--account', 'me', '--json'])
    expect([bad.code, bad.json()]).toMatchObject([2, { error: { code: 'usage' } }])
    const gone = await causewayHere(['events', 'watch', '--gateway', 'http://127.0.0.1:1', '--timeout', '1s', '--json'])
    expect([gone.code, gone.json()]).toMatchObject([5, { error: { code: 'unreachable' } }])
  })
})

describe('api', () => {
  const api = (...words: string[]) => causewayHere(['api', 'GET', ...words, '--gateway', url])
  /** Output of a stream within a time, which is extended if a slow machine has not printed all of it. */
  const streamed = async (path: string, isWhole: (text: string) => boolean): Promise<Run> => {
    const short = await api(path, '--timeout', '2s')
    return isWhole(short.stdout) ? short : api(path, '--timeout', '60s')
  }

  test('reads metrics, and streams until the timeout', async () => {
    const metrics = await api('/metrics')
    expect([metrics.code, metrics.stdout.includes('# TYPE ')]).toEqual([0, true])
    const sse = await streamed('/v1/events/sse?from_height=8', (text) => text.includes('id: 20.2\n'))
    expect([sse.code, sse.stderr]).toEqual([0, ''])
    expect(sse.stdout).toContain('id: 8.0\nevent: ')
    expect(sse.stdout).toContain('id: 20.2\n')
    const blocks = await streamed('/block/stream', (text) => lines(text).length > 0)
    expect([blocks.code, blocks.stderr]).toEqual([0, ''])
    expect(Object.keys(lines(blocks.stdout)[0] ?? {})).toEqual(['Gap'])
    const events = await streamed('/events', (text) => lines(text).length > 0)
    expect([events.code, lines(events.stdout)]).toEqual([0, [{ Subscribed: { next_height: 21 } }]])
  })

  test('reports why a stream is refused', async () => {
    const bad = await api('/v1/events/sse?nonsense=1', '--json')
    expect([bad.code, bad.json()]).toMatchObject([4, { error: { code: 'validation_failed' } }])
  })
})

describe('block watch', () => {
  test('prints whole blocks as JSON, and reports missing blocks', async () => {
    const run = await causewayHere(['block', 'watch', '--gateway', url, '--from-height', '7', '-n', '3', '--json'])
    const [gap, first] = lines(run.stdout)
    expect(gap).toEqual({ gap: { from: 7, to: 7 } })
    expect(first).toMatchObject({ header: { height: 8 }, body: { Block: { entries: [{ lane: 0 }] } } })
    expect(run.code).toBe(0)
  })
})

/** Runs a command until its first line, then does something to it. */
function untilFirstLine(words: string[], act: (child: ChildProcess) => void) {
  return new Promise<{ readonly code: number | null; readonly stderr: string }>((resolve, reject) => {
    const child = startCauseway(words)
    let stderr = ''
    child.stderr.on('data', (part: Buffer) => {
      stderr += part.toString()
    })
    child.stdout.once('data', () => act(child))
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, stderr }))
  })
}

describe.each([
  ['events watch', ['events', 'watch', '--from-height', '8']],
  ['block watch', ['block', 'watch', '--from-height', '8']],
  ['api of Server-Sent Events', ['api', 'GET', '/v1/events/sse?from_height=8']],
  ['api of a WebSocket', ['api', 'GET', '/events']],
])('%s', (_, words) => {
  test('exits with code 130 when it is interrupted', async () => {
    const run = await untilFirstLine([...words, '--gateway', url, '--json'], (child) => child.kill('SIGINT'))
    expect(run).toEqual({ code: 130, stderr: '' })
  })

  test('exits silently when its reader closes', async () => {
    const run = await untilFirstLine([...words, '--gateway', url, '--json'], (child) => {
      child.stdout?.destroy()
      // Something more to print.
      blocksBetween(node.blocks.length + 8, node.blocks.length + 40).then((blocks) => node.commit(...blocks))
    })
    expect(run).toEqual({ code: 0, stderr: '' })
  })
})

test('an interrupted export leaves no partial file', async () => {
  const stuck = new FakeNode()
  stuck.onRead = () => new Promise(() => {})
  const behind = gatewayOf(stuck, { telemetryProfile: 'full' })
  const { url: stuckUrl } = await behind.listen()
  const folder = await mkdtemp(join(tmpdir(), 'export-'))
  const words = ['block', 'export', join(folder, 'blocks.bin'), '--gateway', stuckUrl]
  const child = startCauseway(words)
  const ended = new Promise((resolve) => child.once('close', resolve))
  await until('both files', async () => ((await readdir(folder)).length === 2 ? true : undefined))
  child.kill('SIGINT')
  expect(await ended).toBe(130)
  expect(await readdir(folder)).toEqual([])
  await rm(folder, { recursive: true })
  await behind.close()
})

describe('query', () => {
  test('sends a signed request, and prints one record, or one item per line', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'cli-query-'))
    const file = join(folder, 'alice.json')
    await writeKeyFile(file, alice, {})
    const ask = (...words: string[]) =>
      causewayHere(['query', ...words, '--gateway', url, '--key-file', file, '--json'], { cwd: folder })
    expect((await ask('account', '{"alias": "alice@d000"}')).json()).toMatchObject({ label: 'alice' })
    const items = await ask('domains', '--sort', 'id:desc', '--limit', '3')
    expect(lines(items.stdout).map(({ id }) => id)).toEqual(['d249', 'd248', 'd247'])
    const unknown = await ask('nothing')
    expect([unknown.code, unknown.json()]).toMatchObject([1, { error: { code: 'query_unknown' } }])
    await rm(folder, { recursive: true, force: true })
  })
})

describe('routes that the telemetry profile hides', () => {
  test.each([
    ['consensus leader', ['consensus', 'leader']],
    ['consensus phases', ['consensus', 'phases']],
    ['consensus rbc status', ['consensus', 'rbc', 'status']],
  ])('%s is available to operators only', async (_, words) => {
    const folder = await mkdtemp(join(tmpdir(), 'cli-operator-'))
    for (const [name, pair] of [
      ['alice.json', alice],
      ['bob.json', bob],
    ] as const) {
      await writeKeyFile(join(folder, name), pair, {})
    }
    const operatorKeys = [formatPublicKey(alice.publicKey)]
    const closed = gatewayOf(new FakeNode(), { telemetryProfile: 'operator', operatorKeys })
    const at = ['--gateway', (await closed.listen()).url, '--json']
    const run = (...more: string[]) => causewayHere([...words, ...at, ...more], { cwd: folder })
    const unnamed = await run()
    expect([unnamed.code, unnamed.json()]).toMatchObject([9, { error: { code: 'telemetry_profile_restricted' } }])
    expect(unnamed.stdout).toContain('--key-file')
    expect((await run('--key-file', 'alice.json')).code).toBe(0)
    expect((await run('--key-file', 'bob.json')).code).toBe(9)
    await closed.close()
    await rm(folder, { recursive: true, force: true })
  })
})
