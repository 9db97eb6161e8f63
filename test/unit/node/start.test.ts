/** A node from its configuration: what it answers while the ledger is opened, and how its start ends early. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import { LedgerError } from '../../../src/model/index.js'
import { loadNodeConfig } from '../../../src/node/config/index.js'
import { startLedger } from '../../../src/node/ledger/remote.js'
import { type NodeModules, startNode } from '../../../src/node/node.js'
import { freshPeer } from '../../support/fresh-peer.js'

const NOW_MS = 1_700_000_000_000
const cleanup: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const undo of cleanup.splice(0).reverse()) await undo()
})

/** A node of a fresh network whose ledger is opened by `modules`, and its gateway. */
async function node(modules: Partial<NodeModules>, signal?: AbortSignal, logger = pino({ enabled: false })) {
  const root = await mkdtemp(join(tmpdir(), 'causeway-start-'))
  cleanup.push(() => rm(root, { recursive: true, force: true }))
  const peer = await freshPeer(root, NOW_MS)
  const config = await loadNodeConfig(peer.config)
  const start = () =>
    startNode(
      config,
      {
        version: '0.1.0',
        logger,
        lostLogLines: () => 0,
        acceptAmnesia: false,
        firstStart: true,
        onFatal: (error) => {
          throw error
        },
        ...(signal === undefined ? {} : { signal }),
      },
      modules,
    )
  return { start, gateway: `http://127.0.0.1:${peer.ports}` }
}

describe('a node that is replaying its blocks', () => {
  it('returns 503 node_starting with its progress while it starts, then serves requests', async () => {
    let opening: () => void = () => undefined
    const opened = new Promise<void>((resolve) => (opening = resolve))
    let release: () => void = () => undefined
    const held = new Promise<void>((resolve) => (release = resolve))
    const { start, gateway } = await node({
      startLedger: async (data, events, signal) => {
        events.onReplay(8, 20)
        opening()
        await held
        return startLedger(data, events, signal)
      },
    })
    const starting = start()
    await opened
    const health = await fetch(`${gateway}/health`)
    expect([health.status, await health.json()]).toEqual([200, { status: 'starting', height: 7, version: '0.1.0' }])
    const status = await fetch(`${gateway}/status`)
    expect([status.status, status.headers.get('retry-after')]).toEqual([503, '1'])
    expect(await status.json()).toMatchObject({ code: 'node_starting' })
    release()
    const running = await starting
    cleanup.push(() => running.close())
    expect(running.gatewayUrl).toBe(gateway)
    expect((await fetch(`${gateway}/status`)).status).toBe(200)
    expect(await (await fetch(`${gateway}/health`)).json()).toMatchObject({ status: 'healthy', height: 1 })
  })

  it('stops on request, and releases its folder and its address', async () => {
    const stop = new AbortController()
    let first = true
    const { start, gateway } = await node(
      {
        startLedger: async (data, events, signal) => {
          if (!first) return startLedger(data, events)
          first = false
          const ended = new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve()))
          stop.abort()
          await ended
          throw new LedgerError('node_stopping', 'the start was ended')
        },
      },
      stop.signal,
    )
    await expect(start()).rejects.toMatchObject({ code: 'node_stopping' })
    await expect(fetch(`${gateway}/health`)).rejects.toThrow()
    const running = await start()
    cleanup.push(() => running.close())
    expect((await fetch(`${gateway}/health`)).status).toBe(200)
  })
})

describe('a node that starts with a low open file limit', () => {
  it.each([
    ['Max open files            1024                 1024                 files', [1_024]],
    ['Max open files            4096                 4096                 files', []],
    ['Max open files            unlimited            unlimited            files', []],
    ['', []],
  ])('of "%s" warns of the limits %j', async (limits, warned) => {
    const lines: { readonly limit?: number; readonly hint?: string }[] = []
    const logger = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
    const { start } = await node({ processLimits: async () => `Limit Soft Hard Units\n${limits}\n` }, undefined, logger)
    const running = await start()
    cleanup.push(() => running.close())
    const found = lines.filter(({ limit }) => limit !== undefined)
    expect(found.map(({ limit }) => limit)).toEqual(warned)
    for (const { hint } of found) expect(hint).toContain('ulimit -n')
  })
})
