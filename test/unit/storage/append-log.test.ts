// Checks the record log: order and sharing of writes that wait for the disk, torn tails, damage, replacement, and the end after an I/O error.
import { constants } from 'node:fs'
import { open, readdir, readFile, readlink, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { AppendLog, type LogRecord } from '../../../src/storage/index.js'
import { LINUX_MISSING, needs } from '../../support/needs.js'
import { pause } from '../../support/ports.js'
import { copyOf, cut, flip, temporary } from './support.js'

afterEach(() => vi.restoreAllMocks())

/** Prototype of file handles: where their operations can be watched. */
async function handles(): Promise<{ write(...args: unknown[]): Promise<unknown> }> {
  const handle = await open('/dev/null')
  await handle.close()
  return Object.getPrototypeOf(handle)
}

/** A body that is too long to be written at once: another thread writes it, and more may be appended meanwhile. */
const bulky = (text: string): Buffer => Buffer.from(text.padEnd(70_000))

async function load(path: string): Promise<{ log: AppendLog; records: string[] }> {
  const records: string[] = []
  const log = await AppendLog.open(path, (type, body) => records.push(`${type}:${body.toString()}`))
  if (log === undefined) throw new Error('no log')
  return { log, records }
}

test('a missing log is distinguished from an empty one', async () => {
  const path = join(await temporary(), 'a.log')
  expect(await AppendLog.open(path, () => {})).toBeUndefined()
  await (await AppendLog.create(path)).close()
  const { log, records } = await load(path)
  expect([records, log.damaged, log.sizeBytes]).toEqual([[], false, 16])
  await log.close()
  await expect(log.append(1, Buffer.from('late'))).rejects.toThrow('closed')
})

test('a write to a log returns once its bytes are on disk', needs(LINUX_MISSING), async () => {
  const path = join(await temporary(), 'a.log')
  const flagsOf = async () => {
    const found: number[] = []
    for (const fd of await readdir('/proc/self/fd')) {
      if ((await readlink(`/proc/self/fd/${fd}`).catch(() => '')) !== path) continue
      const flags = /flags:\s*(\d+)/.exec(await readFile(`/proc/self/fdinfo/${fd}`, 'utf8'))?.[1] ?? '0'
      found.push(Number.parseInt(flags, 8))
    }
    return found
  }
  const made = await AppendLog.create(path)
  expect((await flagsOf()).map((flags) => flags & constants.O_DSYNC)).toEqual([constants.O_DSYNC])
  await made.close()
  const { log } = await load(path)
  expect((await flagsOf()).map((flags) => flags & constants.O_DSYNC)).toEqual([constants.O_DSYNC])
  await log.close()
})

test('pending appends share one write, and resolve in order', async () => {
  const path = join(await temporary(), 'a.log')
  const log = await AppendLog.create(path)
  const proto = await handles()
  const write = vi.spyOn(proto, 'write')
  const order: number[] = []
  const append = (at: number) => log.append(1, bulky(`a${at}`)).then(() => order.push(at))
  const first = Array.from({ length: 20 }, (_, at) => append(at))
  await first[0]
  expect(write).toHaveBeenCalledTimes(1)
  // While the second group is being written, a third collects.
  const second = append(20)
  await new Promise((resolve) => setImmediate(resolve))
  const third = [21, 22, 23].map(append)
  await Promise.all([...first, second, ...third])
  expect(write).toHaveBeenCalledTimes(3)
  expect(order).toEqual(Array.from({ length: 24 }, (_, at) => at))
  await log.close()
  const { log: again, records } = await load(path)
  expect(records.map((text) => text.trimEnd())).toEqual(Array.from({ length: 24 }, (_, at) => `1:a${at}`))
  await again.close()
})

test('an append to a log resolves only after its write', async () => {
  const log = await AppendLog.create(join(await temporary(), 'a.log'))
  let release = () => {}
  vi.spyOn(await handles(), 'write').mockImplementationOnce(
    (_bytes, _offset, length) =>
      new Promise((resolve) => {
        release = () => resolve({ bytesWritten: length })
      }),
  )
  let done = false
  const append = log.append(1, bulky('x')).then(() => (done = true))
  await pause(30)
  expect(done).toBe(false)
  release()
  await append
  await log.close()
})

test('a log whose last record is torn at any byte is truncated there, and can be continued', async () => {
  const folder = await temporary()
  const log = await AppendLog.create(join(folder, 'a.log'))
  await log.append(1, Buffer.from('first'))
  await log.append(2, Buffer.from('second'))
  const before = log.sizeBytes
  await log.appendAll([
    { type: 3, body: Buffer.from('third') },
    { type: 4, body: Buffer.alloc(0) },
  ])
  const after = log.sizeBytes
  await log.close()
  for (let length = before; length <= after; length += 1) {
    const path = join(await copyOf(folder), 'a.log')
    await cut(path, length)
    const torn = await load(path)
    expect(torn.log.damaged).toBe(false)
    expect(torn.records).toEqual(['1:first', '2:second', ...(length === after ? ['3:third', '4:'] : [])])
    await torn.log.append(5, Buffer.from('next'))
    await torn.log.close()
    const again = await load(path)
    expect(again.records.slice(0, 2).concat(again.records.slice(-1))).toEqual(['1:first', '2:second', '5:next'])
    await again.log.close()
  }
})

test('a log whose last record has a changed byte, or is followed by stale bytes, is truncated there', async () => {
  const folder = await temporary()
  const log = await AppendLog.create(join(folder, 'a.log'))
  await log.append(1, Buffer.from('first'))
  const before = log.sizeBytes
  await log.append(2, Buffer.from('second'))
  const after = log.sizeBytes
  await log.close()
  for (let offset = before; offset < after; offset += 1) {
    const path = join(await copyOf(folder), 'a.log')
    await flip(path, offset)
    const { log: torn, records } = await load(path)
    expect([torn.damaged, records]).toEqual([false, ['1:first']])
    await torn.close()
    expect((await stat(path)).size).toBe(before)
  }
  const path = join(folder, 'a.log')
  await writeFile(path, Buffer.alloc(5000), { flag: 'a' })
  const { log: zeros, records } = await load(path)
  expect([zeros.damaged, records, zeros.sizeBytes]).toEqual([false, ['1:first', '2:second'], after])
  await zeros.close()
})

test('a changed byte before valid records is reported as corruption, and never overwritten except by a reset', async () => {
  const folder = await temporary()
  const log = await AppendLog.create(join(folder, 'a.log'))
  const sizes = [log.sizeBytes]
  for (const text of ['first', 'second', 'third']) {
    await log.append(1, Buffer.from(text))
    sizes.push(log.sizeBytes)
  }
  await log.close()
  for (let offset = sizes[1] as number; offset < (sizes[2] as number); offset += 1) {
    const path = join(await copyOf(folder), 'a.log')
    await flip(path, offset)
    const { log: damaged, records } = await load(path)
    expect([damaged.damaged, records]).toEqual([true, ['1:first', '1:third']])
    expect((await stat(path)).size).toBe(sizes[3])
    if (offset === sizes[1]) {
      await expect(damaged.append(1, Buffer.from('x'))).rejects.toThrow('corrupt')
    } else {
      await damaged.reset([{ type: 1, body: Buffer.from('fresh') }])
      expect(damaged.damaged).toBe(false)
      await damaged.append(1, Buffer.from('next'))
    }
    await damaged.close()
    if (offset === sizes[1]) continue
    const again = await load(path)
    expect([again.log.damaged, again.records]).toEqual([false, ['1:fresh', '1:next']])
    await again.log.close()
  }
})

test('a corrupt log header is reported as corruption', async () => {
  const folder = await temporary()
  await (await AppendLog.create(join(folder, 'a.log'), [{ type: 1, body: Buffer.from('x') }])).close()
  for (const offset of [0, 7, 8, 11, 12, 15]) {
    const path = join(await copyOf(folder), 'a.log')
    await flip(path, offset)
    const { log, records } = await load(path)
    expect([log.damaged, records]).toEqual([true, []])
    await log.close()
  }
  const empty = join(await temporary(), 'a.log')
  await writeFile(empty, '')
  const { log } = await load(empty)
  expect(log.damaged).toBe(true)
  await log.close()
})

test('bytes of one log that are stored in a record of another log are not read as records', async () => {
  const folder = await temporary()
  const other = await AppendLog.create(join(folder, 'other.log'), [{ type: 1, body: Buffer.from('forged') }])
  await other.close()
  const log = await AppendLog.create(join(folder, 'a.log'))
  await log.append(1, await readFile(join(folder, 'other.log')))
  await log.close()
  await cut(join(folder, 'a.log'), log.sizeBytes - 1)
  const { log: torn, records } = await load(join(folder, 'a.log'))
  expect([torn.damaged, records]).toEqual([false, []])
  await torn.close()
})

test('records longer than the scan window are restored before and after a corrupt record', async () => {
  const folder = await temporary()
  const log = await AppendLog.create(join(folder, 'a.log'))
  const big = Buffer.alloc(3 * 1024 * 1024, 'x')
  const sizes: number[] = []
  for (const type of [1, 2, 3]) {
    await log.append(type, big)
    sizes.push(log.sizeBytes)
  }
  await log.close()
  await flip(join(folder, 'a.log'), (sizes[0] as number) + 1_500_000)
  const types: LogRecord['type'][] = []
  const damaged = await AppendLog.open(join(folder, 'a.log'), (type, body) => {
    expect(body.equals(big)).toBe(true)
    types.push(type)
  })
  expect([damaged?.damaged, types]).toEqual([true, [1, 3]])
  await damaged?.close()
})

test('a reset of a log runs in order between appends', async () => {
  const path = join(await temporary(), 'a.log')
  const log = await AppendLog.create(path)
  const done: string[] = []
  await Promise.all([
    log.append(1, Buffer.from('old')).then(() => done.push('old')),
    log.reset([{ type: 2, body: Buffer.from('kept') }]).then(() => done.push('reset')),
    log.append(1, Buffer.from('new')).then(() => done.push('new')),
  ])
  expect(done).toEqual(['old', 'reset', 'new'])
  await log.close()
  const { log: again, records } = await load(path)
  expect(records).toEqual(['2:kept', '1:new'])
  await again.close()
})

test('an I/O error rejects the pending append and all later appends', async () => {
  const log = await AppendLog.create(join(await temporary(), 'a.log'))
  const fault = Object.assign(new Error('input/output error'), { code: 'EIO' })
  vi.spyOn(await handles(), 'write').mockRejectedValueOnce(fault)
  const outcomes = await Promise.allSettled([log.append(1, bulky('a')), log.append(1, Buffer.from('b'))])
  expect(outcomes.map((outcome) => outcome.status)).toEqual(['rejected', 'rejected'])
  await expect(log.append(1, Buffer.from('c'))).rejects.toBe(fault)
  await expect(log.reset([])).rejects.toBe(fault)
  await log.close()
})
