/** `watch` without a terminal: one frame, lines, NDJSON, an interrupted run, a closed reader, an unreachable node. */
import type { ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writeLocalnet } from '../../src/cli/localnet/write.js'
import type { Gateway } from '../../src/gateway/index.js'
import { pause } from '../support/ports.js'
import { blockAt } from '../unit/gateway/fake-chain.js'
import { FakeNode, gatewayOf } from '../unit/gateway/support.js'
import { causewayHere } from './in-process.js'
import { startCauseway } from './run.js'

const node = new FakeNode()
let gateway: Gateway
let url: string
let height = 7
beforeAll(async () => {
  gateway = gatewayOf(node, { telemetryProfile: 'full' })
  url = (await gateway.listen()).url
})
afterAll(() => gateway.close())

/** Commits blocks until the work is done. */
async function committing<T>(work: Promise<T>): Promise<T> {
  let busy = true
  const blocks = (async () => {
    while (busy) {
      height += 1
      node.commit(await blockAt(height, [[]]))
      await pause(100)
    }
  })()
  try {
    return await work
  } finally {
    busy = false
    await blocks
  }
}

describe('watch', () => {
  test('--once prints one frame without colours, and its alias prints the same panes', async () => {
    const run = await causewayHere(['watch', '--once', '--gateway', url])
    expect([run.code, run.stderr]).toEqual([0, ''])
    expect(run.stdout.split('\n').length).toBe(36)
    expect(run.stdout).toMatch(/^ CAUSEWAY {2}chain:test-chain .*● LIVE/)
    expect(run.stdout).toContain('! STALLED')
    expect(run.stdout).not.toContain('\u001b')
    const alias = await causewayHere(['watch', '--once', '--ascii', '--gateway', url])
    expect(alias.stdout).toMatch(/^[\x20-\x7e\n]+$/)
  })

  test('--once --json prints the records that the gateway routes return', async () => {
    const run = await causewayHere(['watch', '--once', '--json', '--gateway', url])
    expect([run.code, run.json()]).toMatchObject([
      0,
      { gateway: url, chain: 'test-chain', consensus: { quorum: 2 }, rbc: { store_pressure: 1 }, not_served: {} },
    ])
  })

  test('--dir selects the first node of a local network, unless a gateway is given', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'causeway-watch-'))
    await writeLocalnet(folder, {
      chain: 'c',
      genesisHash: '',
      manifest: 'genesis.json',
      peers: [{ name: 'val-0', gateway: url, p2p: '127.0.0.1:1', folder: 'val-0' }],
      accounts: [],
    })
    const run = await causewayHere(['watch', '--once', '--json', '--dir', folder])
    expect([run.code, run.json()]).toMatchObject([0, { gateway: url }])
    const named = await causewayHere(['watch', '--once', '--dir', folder, '--gateway', 'http://127.0.0.1:1', '--json'])
    expect(named.code).toBe(5)
    const none = await causewayHere(['watch', '--once', '--dir', join(folder, 'none'), '--json'])
    expect([none.code, none.json()]).toMatchObject([3, { error: { code: 'config_invalid' } }])
    await rm(folder, { recursive: true })
  })

  test('prints lines without a terminal, NDJSON with --json, and ends at the limit', async () => {
    const lines = await committing(causewayHere(['watch', '--gateway', url, '-n', '6']))
    expect([lines.code, lines.stderr]).toEqual([0, ''])
    expect(lines.stdout).toMatch(/^[\d:]{8} {2}NODE .*\n([\d:]{8} [ !][A-Z]+ .*\n){6}$/)
    expect(lines.stdout).toMatch(/COMMIT +h\d+ \S+ 1 tx/)
    const json = await committing(causewayHere(['watch', '--gateway', url, '-n', '6', '--json']))
    const kinds = json.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).kind)
    expect([kinds[0], kinds.length, kinds.includes('commit'), json.code]).toEqual(['node', 7, true, 0])
  })

  test('exits with code 5 if the node is unreachable, with and without --json', async () => {
    for (const more of [[], ['--json'], ['--once']]) {
      const run = await causewayHere(['watch', '--gateway', 'http://127.0.0.1:1', '--timeout', '1s', ...more])
      expect([more, run.code]).toEqual([more, 5])
    }
  })

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('stops printing lines on %s and exits with code %i', async (signal, code) => {
    expect(await untilFirstLine((child) => child.kill(signal))).toBe(code)
  })

  test('exits without an error when its reader closes', async () => {
    expect(await committing(untilFirstLine((child) => child.stdout?.destroy()))).toBe(0)
  })
})

/** Runs the line mode until its first line, does something to it, and gives its exit code. */
function untilFirstLine(act: (child: ChildProcess) => void): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const child = startCauseway(['watch', '--gateway', url])
    child.stdout.once('data', () => act(child))
    child.once('error', reject)
    child.once('close', resolve)
  })
}
