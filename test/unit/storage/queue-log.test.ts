// Checks the queue log: replay in order of admission, compaction to the live set, and damage that keeps the rest.
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { QUEUE_LOG_FILE, QueueLog } from '../../../src/storage/index.js'
import { flip, temporary } from './support.js'

const texts = (log: QueueLog): string[] => log.entries.map((entry) => entry.toString())

test('admitted transactions are restored from the queue log in order', async () => {
  const folder = await temporary()
  const log = await QueueLog.open(folder)
  await Promise.all([
    log.append(Buffer.from('a')),
    log.appendAll([Buffer.from('b'), Buffer.from('c')]),
    log.appendAll([]),
  ])
  await log.close()
  const again = await QueueLog.open(folder)
  expect([texts(again), again.damaged]).toEqual([['a', 'b', 'c'], false])
  again.releaseEntries()
  expect(again.entries).toEqual([])
  await again.close()
})

test('a queue log with few live records is rewritten', async () => {
  const folder = await temporary()
  const log = await QueueLog.open(folder, { compactBytes: 10_000 })
  const live = (): Iterable<Uint8Array> => [Buffer.from('live')]
  await log.append(Buffer.alloc(9_000))
  expect(await log.compact(4, live)).toBe(false)
  await log.append(Buffer.alloc(2_000))
  expect(await log.compact(8_000, live)).toBe(false)
  const late = log.append(Buffer.from('late'))
  expect(await log.compact(8, () => [...live(), Buffer.from('late')])).toBe(true)
  await late
  await log.append(Buffer.from('after'))
  expect(log.sizeBytes).toBeLessThan(100)
  await log.close()
  const again = await QueueLog.open(folder)
  expect(texts(again)).toEqual(['live', 'late', 'after'])
  await again.close()
})

test('corruption of the queue log loses only the corrupt transactions', async () => {
  const folder = await temporary()
  const log = await QueueLog.open(folder)
  for (const text of ['one', 'two', 'three']) await log.append(Buffer.from(text))
  await log.close()
  await flip(join(folder, QUEUE_LOG_FILE), 16 + 15)
  const damaged = await QueueLog.open(folder)
  expect([texts(damaged), damaged.damaged]).toEqual([['two', 'three'], true])
  await damaged.append(Buffer.from('four'))
  await damaged.close()
  const again = await QueueLog.open(folder)
  expect([texts(again), again.damaged]).toEqual([['two', 'three', 'four'], false])
  await again.close()
})
