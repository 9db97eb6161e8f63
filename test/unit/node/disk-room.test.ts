/** The room that snapshots leave: it is looked at before the first byte, and again while a file grows. */
import { expect, it } from 'vitest'
import { DiskRoom, FREE_MIN_MIB } from '../../../src/node/snapshot/room.js'

const MIB = 1024 * 1024

it('a node refuses to start on a nearly full disk', async () => {
  const room = new DiskRoom('/data/snapshots', async () => FREE_MIN_MIB * MIB - 1)
  await expect(room.check()).rejects.toMatchObject({
    code: 'file_unwritable',
    message: expect.stringContaining(`${FREE_MIN_MIB - 1} MiB are free`),
  })
})

it('a node stops when a write fills the disk, without checking every row', async () => {
  let free = 2 * FREE_MIN_MIB * MIB
  let looks = 0
  const room = new DiskRoom('/data/snapshots', async () => {
    looks += 1
    return free
  })
  await room.check()
  for (let row = 0; row < 1_000; row += 1) {
    room.wrote(1_000)
    await room.check()
  }
  expect(looks).toBe(1)
  // Blocks take it meanwhile.
  free = 0
  room.wrote(8 * MIB)
  await expect(room.check()).rejects.toMatchObject({ code: 'file_unwritable' })
})
