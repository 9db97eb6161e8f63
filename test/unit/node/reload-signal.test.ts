/** SIGHUP of a node that starts. */
import { readdir } from 'node:fs/promises'
import { expect, it, vi } from 'vitest'
import type { Logger } from '../../../src/node/process/logger.js'
import { reloadOnSignal } from '../../../src/node/reload/signal.js'
import { openDataDir } from '../../../src/storage/index.js'
import { PATIENCE_MS, pause } from '../../support/ports.js'
import { temporary } from '../storage/support.js'

it('a reload is reported in an existing data directory, but an empty directory stays empty for a snapshot', async () => {
  const dataDir = await temporary()
  const logger = { error: vi.fn() } as unknown as Logger
  const reopenLog = vi.fn()
  const before = process.listeners('SIGHUP')
  reloadOnSignal('node.toml', { node: () => undefined, logger, reopenLog, dataDir })
  const [listener] = process.listeners('SIGHUP').filter((one) => !before.includes(one))
  try {
    listener?.('SIGHUP')
    await vi.waitFor(() => expect(logger.error).toHaveBeenCalledTimes(1), { timeout: PATIENCE_MS })
    await pause(50)
    expect(await readdir(dataDir)).toEqual([])
    await (await openDataDir(dataDir, { chain: 'test', genesisHash: Buffer.alloc(32, 7) })).close()
    listener?.('SIGHUP')
    await vi.waitFor(async () => expect(await readdir(dataDir)).toContain('reload.json'), { timeout: PATIENCE_MS })
    expect(reopenLog).toHaveBeenCalledTimes(2)
  } finally {
    if (listener !== undefined) process.off('SIGHUP', listener)
  }
})

it('reloads apply files in the order of their signals, even if a later file is read faster', async () => {
  const dataDir = await temporary()
  const logger = { error: vi.fn(), info: vi.fn() } as unknown as Logger
  const taken: unknown[] = []
  const reads: (() => void)[] = []
  const load = (file: string) => {
    const number = reads.length
    return new Promise<never>((resolve) => reads.push(() => resolve(`${file} ${number}` as never)))
  }
  const node = {
    reload: async (next: unknown) => {
      taken.push(next)
      return { changed: [], restart: [] }
    },
  }
  const before = process.listeners('SIGHUP')
  reloadOnSignal('node.toml', { node: () => node as never, logger, reopenLog: () => {}, dataDir }, load)
  const [listener] = process.listeners('SIGHUP').filter((one) => !before.includes(one))
  try {
    listener?.('SIGHUP')
    listener?.('SIGHUP')
    await vi.waitFor(() => expect(reads.length).toBe(1), { timeout: PATIENCE_MS })
    await pause(20)
    expect(reads.length).toBe(1)
    reads[0]?.()
    await vi.waitFor(() => expect(reads.length).toBe(2), { timeout: PATIENCE_MS })
    reads[1]?.()
    await vi.waitFor(() => expect(taken).toEqual(['node.toml 0', 'node.toml 1']), { timeout: PATIENCE_MS })
  } finally {
    if (listener !== undefined) process.off('SIGHUP', listener)
  }
})
