/** Stores of the services around the ledger on a disk that was full for a moment: a file system refuses to make files longer. */
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { IntegrationStore } from '../../src/storage/integration-store.js'
import { LINUX_MISSING, needs } from '../support/needs.js'

/** Longest file while the disk is full, in bytes: a part of the fourth write fits. */
const FULL_BYTES = 10_000
const VALUE = Buffer.alloc(3_000, 7)

const limitFiles = (bytes: number | 'unlimited'): unknown =>
  execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${bytes}:`])
const ignore = (): undefined => undefined

let folder: string
beforeEach(async () => {
  process.on('SIGXFSZ', ignore)
  folder = await mkdtemp(join(tmpdir(), 'causeway-full-'))
})
afterEach(async () => {
  process.off('SIGXFSZ', ignore)
  await rm(folder, { recursive: true, force: true })
})

test('data acknowledged after the disk was full survives a restart', needs(LINUX_MISSING), async () => {
  let nowMs = 0
  const open = (): IntegrationStore => new IntegrationStore(folder, Buffer.alloc(32), () => nowMs)
  const kept: string[] = []
  const put = async (store: IntegrationStore, key: string): Promise<boolean> => {
    const isKept = await store.write([[key, VALUE]], true).then(
      () => true,
      () => false,
    )
    if (isKept) kept.push(key)
    return isKept
  }
  const store = open()
  for (const key of ['a', 'b', 'c']) await put(store, key)
  limitFiles(FULL_BYTES)
  const isFull = !(await put(store, 'd'))
  limitFiles('unlimited')
  nowMs = 10_000
  for (let at = 0; at < 20; at += 1) await put(store, `e${at}`)
  expect(isFull).toBe(true)
  expect(kept).toHaveLength(23)
  await store.close()
  const again = open()
  expect((await again.list('')).map(([key]) => key)).toEqual(kept.sort())
  await again.close()
})
