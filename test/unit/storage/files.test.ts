/** Writes that wait for the disk: whole, in place, and rejected where the disk refuses them. */
import { constants } from 'node:fs'
import { mkdir, mkdtemp, open, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { APPENDED, replaceFile, writeDurably } from '../../../src/storage/files.js'
import { LINUX_MISSING, needs } from '../../support/needs.js'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-files-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('a durable file write', () => {
  it('writes short and long buffers at their offset, with any number of pending writes', async () => {
    const path = join(folder, 'data')
    const handle = await open(path, APPENDED | constants.O_CREAT, 0o600)
    const pieces = [1, 40_000, 64 * 1024, 64 * 1024 + 1, 300_000, 7].map((size, at) => Buffer.alloc(size, at + 1))
    let position = 0
    const writes: Promise<void>[] = []
    for (const piece of pieces) {
      writes.push(writeDurably(handle, piece, position))
      position += piece.length
    }
    await Promise.all(writes)
    await handle.close()
    expect((await readFile(path)).equals(Buffer.concat(pieces))).toBe(true)
  })

  it('rejects its promise on a closed file, and never throws synchronously', async () => {
    const handle = await open(join(folder, 'closed'), APPENDED | constants.O_CREAT, 0o600)
    await handle.close()
    for (const size of [10, 100_000]) {
      // The runtime names it differently where it waits for the disk itself.
      const write = writeDurably(handle, Buffer.alloc(size), 0)
      await expect(write).rejects.toThrow()
    }
  })

  it('rejects its promise on a full disk', needs(LINUX_MISSING), async () => {
    const handle = await open('/dev/full', APPENDED)
    for (const size of [10, 100_000]) {
      await expect(writeDurably(handle, Buffer.alloc(size), 0)).rejects.toMatchObject({ code: 'ENOSPC' })
    }
    await handle.close()
  })
})

describe('the atomic replacement of a file', () => {
  it('leaves no temporary file if it fails', async () => {
    const place = join(folder, 'replaced')
    await mkdir(join(place, 'taken', 'by-a-folder'), { recursive: true })
    await expect(replaceFile(join(place, 'taken'), Buffer.from('new'))).rejects.toThrow()
    expect(await readdir(place)).toEqual(['taken'])
  })
})
