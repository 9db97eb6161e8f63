/** SIGHUP of a node that starts. */
import { readdir } from 'node:fs/promises'
import { expect, it, vi } from 'vitest'
import type { Logger } from '../../../src/node/logger.js'
import { reloadOnSignal } from '../../../src/node/reload-signal.js'
import { openDataDir } from '../../../src/storage/index.js'
import { PATIENCE_MS, pause } from '../../support/ports.js'
import { temporary } from '../storage/support.js'

it('is told where the data directory is there, and leaves one empty that a snapshot is to fill', async () => {
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
