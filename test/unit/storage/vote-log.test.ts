// Checks the vote log: records come back, damage and loss are told apart, abstention survives, pruning bounds the file.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type DurableRecord, durableRecord } from '../../../src/consensus/index.js'
import { payloadHash, ZERO_HASH } from '../../../src/model/index.js'
import { VOTE_LOG_FILE, VoteLog } from '../../../src/storage/index.js'
import { copyOf, cut, flip, sampleCertificate, sampleHeader, temporary } from './support.js'

const body = Buffer.from('the payload')

function prepared(height: number, view = 0, payload: Buffer = body): DurableRecord {
  const header = sampleHeader(height, ZERO_HASH, payload)
  return {
    kind: 'prepared',
    value: {
      height,
      vote: {
        phase: 'prepare',
        height,
        view,
        blockHash: payloadHash(payload),
        index: 1,
        signature: Buffer.alloc(96, 9),
      },
      header,
      body: payload,
    },
  }
}

function locked(height: number): DurableRecord {
  const certificate = { ...sampleCertificate(height, ZERO_HASH), phase: 'prepare' as const }
  const vote = {
    phase: 'commit' as const,
    height,
    view: 0,
    blockHash: ZERO_HASH,
    index: 1,
    signature: Buffer.alloc(96),
  }
  return {
    kind: 'locked',
    value: { height, vote, certified: { certificate, header: sampleHeader(height, ZERO_HASH, body) } },
  }
}

const encoded = (records: readonly DurableRecord[]): string[] =>
  records.map((one) => durableRecord.encode(one).toString('hex'))

async function created(): Promise<string> {
  const folder = await temporary()
  await VoteLog.create(folder)
  return folder
}

test('vote log records are restored in order', async () => {
  const folder = await created()
  const log = await VoteLog.open(folder)
  expect([log.missing, log.damaged, log.abstaining, log.records]).toEqual([false, false, undefined, []])
  await Promise.all([log.append([prepared(2)]), log.append([locked(2), prepared(3)]), log.append([])])
  await log.close()
  const again = await VoteLog.open(folder)
  expect(encoded(again.records)).toEqual(encoded([prepared(2), locked(2), prepared(3)]))
  await again.close()
  // Creating it again leaves it as it is.
  await VoteLog.create(folder)
  const third = await VoteLog.open(folder)
  expect(third.records.length).toBe(3)
  await third.close()
})

test('a vote log event torn at any byte is lost as a whole', async () => {
  const folder = await created()
  const log = await VoteLog.open(folder)
  await log.append([prepared(2)])
  const before = log.sizeBytes
  await log.append([locked(2), prepared(3)])
  const after = log.sizeBytes
  await log.close()
  for (let length = before; length < after; length += 7) {
    const copy = await copyOf(folder)
    await cut(join(copy, VOTE_LOG_FILE), length)
    const torn = await VoteLog.open(copy)
    expect(torn.damaged).toBe(false)
    expect(encoded(torn.records)).toEqual(encoded([prepared(2)]))
    await torn.close()
  }
})

test('a missing or corrupt vote log accepts nothing until the node abstains, which survives restarts', async () => {
  const folder = await created()
  const log = await VoteLog.open(folder)
  await log.append([prepared(2)])
  const middle = log.sizeBytes - 20
  await log.append([locked(2)])
  await log.close()
  const lost = await copyOf(folder)
  await rm(join(lost, VOTE_LOG_FILE))
  await flip(join(folder, VOTE_LOG_FILE), middle)
  for (const [place, missing] of [
    [lost, true],
    [folder, false],
  ] as const) {
    const found = await VoteLog.open(place)
    expect([found.missing, found.damaged]).toEqual([missing, !missing])
    expect(encoded(found.records)).toEqual(missing ? [] : encoded([locked(2)]))
    await expect(found.append([prepared(9)])).rejects.toThrow('abstain')
    await found.close()
    // Opening it did not make the loss forgotten.
    const second = await VoteLog.open(place)
    expect([second.missing, second.damaged]).toEqual([missing, !missing])
    await second.startAbstaining('vote log lost')
    await second.append([prepared(9)])
    await second.prune(1)
    await second.close()
    const third = await VoteLog.open(place)
    expect([third.missing, third.damaged, third.abstaining]).toEqual([false, false, 'vote log lost'])
    expect(encoded(third.records)).toEqual(encoded([prepared(9)]))
    await third.endAbstaining()
    await third.close()
    const fourth = await VoteLog.open(place)
    expect([fourth.damaged, fourth.abstaining]).toEqual([false, undefined])
    expect(encoded(fourth.records)).toEqual(encoded([prepared(9)]))
    await fourth.close()
  }
})

test('pruning the vote log removes committed records, but none of the heights above', async () => {
  const folder = await created()
  // Every file is large: each pruning rewrites it, where that makes it half as large.
  const log = await VoteLog.open(folder, { rotateBytes: 0 })
  const large = Buffer.alloc(20_000, 7)
  await log.append([prepared(2, 0, large)])
  await log.append([locked(3)])
  await log.append([prepared(4)])
  await log.prune(2)
  await log.close()
  const again = await VoteLog.open(folder, { rotateBytes: 0 })
  expect(encoded(again.records)).toEqual(encoded([locked(3), prepared(4)]))
  // Half of what is there is live: it is not worth a rewrite.
  const { sizeBytes } = again
  await again.prune(2)
  expect(again.sizeBytes).toBe(sizeBytes)
  await again.close()
})

test('pruning the vote log rewrites a large file with only the live records', async () => {
  const folder = await created()
  const log = await VoteLog.open(folder, { rotateBytes: 20_000 })
  let largest = 0
  for (let height = 2; height < 60; height += 1) {
    await log.append([prepared(height, 0, Buffer.alloc(3000, height))])
    // The next height begins before this one is committed.
    await Promise.all([log.append([prepared(height + 1)]), log.prune(height)])
    largest = Math.max(largest, log.sizeBytes)
  }
  await log.close()
  expect(largest).toBeLessThan(20_000 + 2 * 4_500)
  const again = await VoteLog.open(folder)
  expect(again.records.filter((record) => record.value.height > 59)).toEqual(
    [prepared(60)].map((record) => expect.objectContaining({ kind: record.kind })),
  )
  await again.prune(59)
  expect(again.records).toEqual([])
  await again.close()
})
