/** Files of blocks: what is exported is read again, in both forms; what is cut off, changed or no block at all is named with its place. */
import { lstat, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type StreamedBlock, streamedBlock } from '../../../src/api/index.js'
import { exportBlocks, readBlocks } from '../../../src/cli/chain/block-file.js'
import { ByteSource } from '../../../src/cli/input/byte-source.js'
import { CausewayClient } from '../../../src/client/index.js'
import type { CodecContext } from '../../../src/codec/index.js'
import type { Gateway } from '../../../src/gateway/index.js'
import { blocksBetween } from '../gateway/fake-chain.js'
import { FakeNode, gatewayOf } from '../gateway/support.js'

let folder: string
let gateway: Gateway
let client: CausewayClient
let codec: CodecContext
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'block-file-'))
  const node = new FakeNode()
  node.blocks.push(...(await blocksBetween(2, 7)))
  gateway = gatewayOf(node, { telemetryProfile: 'full' })
  client = new CausewayClient({ gateway: (await gateway.listen()).url })
  codec = await client.codec()
})
afterAll(async () => {
  await client.close()
  await gateway.close()
  await rm(folder, { recursive: true, force: true })
})

async function read(path: string): Promise<StreamedBlock[]> {
  const source = await ByteSource.open(path)
  try {
    const blocks: StreamedBlock[] = []
    for await (const block of readBlocks(source, codec)) blocks.push(block)
    expect(source.taken).toBe(source.total)
    return blocks
  } finally {
    source.close()
  }
}

let files = 0
const exported = async (json: boolean): Promise<string> => {
  files += 1
  const path = join(folder, `blocks-${files}`)
  await exportBlocks(client, path, { from: 2, to: 7, json }, () => undefined)
  return path
}
/** A file with other bytes. */
async function changed(json: boolean, change: (bytes: Buffer) => Buffer): Promise<string> {
  const path = await exported(json)
  await writeFile(path, change(await readFile(path)))
  return path
}
const flipped = (bytes: Buffer): Buffer => {
  // Far from the heads of frames.
  bytes[bytes.length - 40]! ^= 1
  return bytes
}

describe('a block file', () => {
  test('contains the same blocks in both forms, byte for byte', async () => {
    const [frames, lines] = [await read(await exported(false)), await read(await exported(true))]
    expect(frames.map(({ header }) => header.height)).toEqual([2, 3, 4, 5, 6, 7])
    const bytes = (block: StreamedBlock): string => streamedBlock.encode(block, codec).toString('hex')
    expect(lines.map(bytes)).toEqual(frames.map(bytes))
  })

  test('is private to its owner, whatever existed at its temporary name', async () => {
    for (const name of ['private', 'private.gz']) {
      const path = join(folder, name)
      await writeFile(join(folder, 'elsewhere'), '')
      await symlink(join(folder, 'elsewhere'), `${path}.part`)
      await exportBlocks(client, path, { from: 2, to: 7, json: false }, () => undefined)
      expect((await lstat(path)).mode & 0o777).toBe(0o600)
      expect((await stat(path)).size).toBeGreaterThan(0)
      expect((await stat(join(folder, 'elsewhere'))).size).toBe(0)
    }
  })

  test('is compressed if its name requires it, and contains the same blocks', async () => {
    for (const json of [false, true]) {
      const plain = await exported(json)
      const path = `${plain}.gz`
      const { bytes, blocks } = await exportBlocks(client, path, { from: 2, to: 7, json }, () => undefined)
      const { size } = await stat(path)
      expect([blocks, bytes]).toEqual([6, size])
      expect(size).toBeLessThan((await stat(plain)).size)
      const source = await ByteSource.open(path)
      const found: StreamedBlock[] = []
      for await (const block of readBlocks(source, codec)) found.push(block)
      source.close()
      expect(found).toEqual(await read(plain))
    }
  })

  test('is refused if it is compressed and then truncated or corrupt at any byte', async () => {
    const path = `${await exported(false)}.gz`
    await exportBlocks(client, path, { from: 2, to: 7, json: false }, () => undefined)
    const whole = await readFile(path)
    for (const at of [10, 11, 60, whole.length >> 1, whole.length - 9, whole.length - 1]) {
      await writeFile(path, whole.subarray(0, at))
      await expect(read(path)).rejects.toMatchObject({ code: 'truncated' })
      const other = Buffer.from(whole)
      other[at]! ^= 0xff
      await writeFile(path, other)
      await expect(read(path)).rejects.toMatchObject({ code: expect.stringMatching(/^(bad_|truncated|checksum)/) })
    }
  })

  test('can be read in pieces of any size', async () => {
    const path = await exported(false)
    const source = await ByteSource.open(path)
    const whole = await readFile(path)
    expect([...(await source.peek(5))]).toEqual([...whole.subarray(0, 5)])
    expect(await source.take(7)).toEqual(whole.subarray(0, 7))
    expect(await source.take(1e9)).toEqual(whole.subarray(7))
    expect(await source.take(1)).toHaveLength(0)
    expect(await source.line(10)).toBeUndefined()
    source.close()
  })

  test.each<[string, () => Promise<string>, string, RegExp]>([
    [
      'that ends within a block',
      () => changed(false, (bytes) => bytes.subarray(0, -3)),
      'truncated',
      /the block at byte \d+:/,
    ],
    [
      'that ends within the head of one',
      () => changed(false, (bytes) => Buffer.concat([bytes, bytes.subarray(0, 9)])),
      'truncated',
      /frame header/,
    ],
    ['with a changed bit', () => changed(false, flipped), 'bad_checksum', /does not match its checksum/],
    [
      'with something else after a block',
      () => changed(false, (bytes) => Buffer.concat([bytes, Buffer.alloc(40, 65)])),
      'bad_magic',
      /CWY1/,
    ],
    ['without a block', () => changed(false, () => Buffer.alloc(0)), 'truncated', /contains no block/],
    [
      'of JSON that is cut off',
      () => changed(true, (bytes) => bytes.subarray(0, -9)),
      'malformed_json',
      /the block at byte \d+/,
    ],
    [
      'of JSON that is not a block',
      () => changed(true, () => Buffer.from('{"a": 1}\n')),
      'unknown_field',
      /the block at byte 0/,
    ],
  ])('%s is refused', async (_name, make, code, message) => {
    const path = await make()
    await expect(read(path)).rejects.toMatchObject({ code, message: expect.stringMatching(message) })
  })

  test('is refused if it is missing or is a folder', async () => {
    await expect(ByteSource.open(join(folder, 'none'))).rejects.toMatchObject({ code: 'file_missing' })
    await expect(ByteSource.open(folder)).rejects.toMatchObject({ code: 'file_unreadable' })
  })
})
