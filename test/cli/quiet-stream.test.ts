/** Streams of a quiet chain behind a pipe: they end when their reader leaves, although nothing more is ever written. */
import { spawn, spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writeLocalnet } from '../../src/cli/localnet/write.js'
import type { Gateway } from '../../src/gateway/index.js'
import { needs } from '../support/needs.js'
import { blocksBetween } from '../unit/gateway/fake-chain.js'
import { FakeNode, gatewayOf } from '../unit/gateway/support.js'
import { EXECUTABLE, environmentOf } from './run.js'

/** Only this `tail` tells. */
const hasGnuTail = spawnSync('tail', ['--version'], { encoding: 'utf8' }).stdout?.includes('GNU') === true
const missing = hasGnuTail ? undefined : 'GNU tail is not installed'

let gateway: Gateway
let url: string
let folder: string
beforeAll(async () => {
  const node = new FakeNode()
  node.blocks.push(...(await blocksBetween(8, 20)))
  gateway = gatewayOf(node, { telemetryProfile: 'full' })
  url = (await gateway.listen()).url
  folder = await mkdtemp(join(tmpdir(), 'causeway-quiet-'))
  await mkdir(join(folder, 'val-0'))
  await writeLocalnet(folder, {
    chain: 'quiet',
    genesisHash: '',
    manifest: 'genesis.json',
    peers: [{ name: 'val-0', gateway: url, p2p: '127.0.0.1:1', folder: 'val-0' }],
    accounts: [],
  })
  await writeFile(join(folder, 'val-0', 'node.log'), '{"msg":"node started"}\n')
})
afterAll(async () => {
  await gateway.close()
  await rm(folder, { recursive: true, force: true })
})

/** Runs the command in a pipe of a shell; what the pipe printed and the code of the command. */
function piped(
  words: readonly string[],
  reader: string,
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const line = `{ "${process.execPath}" "${EXECUTABLE}" ${words.join(' ')}; echo "code $?" >&2; } | ${reader}`
  const child = spawn('/bin/sh', ['-c', line], { cwd: folder, env: environmentOf({}) })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (part: Buffer) => {
    stdout += part.toString()
  })
  child.stderr.on('data', (part: Buffer) => {
    stderr += part.toString()
  })
  return new Promise((resolve) => child.once('close', () => resolve({ stdout, stderr })))
}

describe('a command whose reader closes after one line', needs(missing), () => {
  test.each([
    ['watch', ['watch', '--json']],
    ['watch in lines', ['watch', '--lines']],
    ['events watch', ['events', 'watch', '--from-height', '20', '--json']],
    ['block watch', ['block', 'watch', '--from-height', '20', '--json']],
  ])('exits without an error for %s', async (_, words) => {
    const { stdout, stderr } = await piped([...words, '--gateway', url], 'head -n 1')
    expect(stdout.trim().split('\n')).toHaveLength(1)
    expect(stderr).toBe('code 0\n')
  })

  test('exits without an error for localnet logs --follow', async () => {
    const { stdout, stderr } = await piped(['localnet', 'logs', '--follow', '--dir', folder], 'head -n 1')
    expect(stdout).toContain('node started')
    expect(stderr).toBe('code 0\n')
  })
})

test('a reader that stays open receives the whole output and the end of the stream', async () => {
  const { stdout, stderr } = await piped(['events', 'watch', '--from-height', '8', '-n', '9', '--gateway', url], 'cat')
  expect(stdout.trim().split('\n')).toHaveLength(9)
  expect(stderr).toBe('code 0\n')
})
