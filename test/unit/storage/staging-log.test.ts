// Checks the staging segment: payloads come back by hash, committed ones go, damage is told and survived.
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { keyString, payloadHash } from '../../../src/model/index.js'
import { STAGING_LOG_FILE, StagingLog } from '../../../src/storage/index.js'
import { cut, flip, temporary } from './support.js'

const payload = (byte: number, length = 400): Buffer => Buffer.alloc(length, byte)
const put = (log: StagingLog, height: number, body: Buffer) => log.append(height, payloadHash(body), body)
const found = (log: StagingLog): string[] => [...log.payloads.keys()].sort()
const keysOf = (...bodies: Buffer[]): string[] => bodies.map((body) => keyString(payloadHash(body))).sort()

test('payloads in the staging log are restored by their hash', async () => {
  const folder = await temporary()
  const log = await StagingLog.open(folder)
  await Promise.all([put(log, 2, payload(1)), put(log, 2, payload(2)), put(log, 3, payload(3))])
  await log.close()
  const again = await StagingLog.open(folder)
  expect(again.damaged).toBe(false)
  expect(found(again)).toEqual(keysOf(payload(1), payload(2), payload(3)))
  expect(Buffer.from(again.payloads.get(keyString(payloadHash(payload(2)))) ?? [])).toEqual(payload(2))
  await again.close()
})

test('pruning the staging log removes committed heights and keeps the file small', async () => {
  const folder = await temporary()
  const log = await StagingLog.open(folder, { rotateBytes: 2_000 })
  for (let height = 2; height < 12; height++) {
    await put(log, height, payload(height))
    await log.prune(height - 1)
  }
  expect(log.sizeBytes).toBeLessThan(2_600)
  await log.close()
  const again = await StagingLog.open(folder)
  expect(found(again)).toContain(keysOf(payload(11))[0])
  expect(found(again)).not.toContain(keysOf(payload(2))[0])
  await again.close()
})

test('a torn end of the staging log is truncated; corruption before it is reported, and readable records are kept', async () => {
  const folder = await temporary()
  const path = join(folder, STAGING_LOG_FILE)
  const log = await StagingLog.open(folder)
  await put(log, 2, payload(1))
  const middle = log.sizeBytes
  await put(log, 2, payload(2))
  const end = log.sizeBytes
  await put(log, 2, payload(3))
  await log.close()
  await cut(path, end + 20)
  const torn = await StagingLog.open(folder)
  expect(torn.damaged).toBe(false)
  expect(found(torn)).toEqual(keysOf(payload(1), payload(2)))
  await torn.close()
  await flip(path, middle - 50)
  const damaged = await StagingLog.open(folder)
  expect(damaged.damaged).toBe(true)
  expect(found(damaged)).toEqual(keysOf(payload(2)))
  await put(damaged, 2, payload(4))
  await damaged.close()
  const healed = await StagingLog.open(folder)
  expect(healed.damaged).toBe(false)
  expect(found(healed)).toEqual(keysOf(payload(2), payload(4)))
  await healed.close()
})
