/** The small store: what it acknowledged is there after a restart, whatever became of the writes before. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Level } from 'level'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { OrderedStore } from '../../../src/storage/ordered-store.js'
import { pause } from '../../support/ports.js'

let root: string
let store: OrderedStore
/** Events of the opened databases, in order. */
let reported: string[]
/** Writes that fail. */
let failing: number
/** Duration of closing a database. */
let closingMs: number

async function open(folder: string) {
  const db = new Level<string, Buffer>(folder, { valueEncoding: 'buffer' })
  await db.open()
  reported.push('open')
  const batch = db.batch.bind(db) as (...given: unknown[]) => Promise<void>
  const close = db.close.bind(db)
  return Object.assign(db, {
    batch: (operations: readonly { readonly key: string }[], options: object) => {
      reported.push(operations.map(({ key }) => key).join(' '))
      failing -= 1
      return failing >= 0 ? Promise.reject(new Error('no space left on device')) : batch(operations, options)
    },
    close: async () => {
      reported.push('close')
      await pause(closingMs)
      await close()
    },
  })
}

beforeEach(async () => {
  reported = []
  failing = 0
  closingMs = 0
  root = await mkdtemp(join(tmpdir(), 'causeway-storage-'))
  store = new OrderedStore(join(root, 'store'), () => 0, open as never)
})
afterEach(async () => {
  await store.close()
  await rm(root, { recursive: true, force: true })
})

const put = (key: string): Promise<string> =>
  store.write([[key, Buffer.of(1)]], true).then(
    () => 'kept',
    (error: Error) => error.message,
  )

test('nothing is written after a failed write until the database has been reopened', async () => {
  failing = 1
  expect(await Promise.all([put('a'), put('b'), put('c')])).toEqual(['no space left on device', 'kept', 'kept'])
  expect(reported).toEqual(['open', 'a', 'close', 'open', 'b c'])
  expect(await (await store.opened()).keys().all()).toEqual(['b', 'c'])
})

test('pending writes are completed on close, and later writes are refused', async () => {
  const before = [put('a'), put('b')]
  const closed = store.close()
  expect(await Promise.all(before)).toEqual(['kept', 'kept'])
  await closed
  expect(await put('c')).toMatch(/not open|closed/)
})

test('a close waits until the database of a failed write is closed, and pending writes fail', async () => {
  failing = 1
  closingMs = 50
  const before = [put('a'), put('b')]
  const closed = store.close()
  expect(await Promise.all(before)).toEqual(['no space left on device', 'the store is closed'])
  await closed
  const again = new Level(join(root, 'store'))
  await again.open()
  await again.close()
})
