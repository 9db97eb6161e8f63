/** The allocator of ports: no two owners of a port, on one machine, at one time. */
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { isFree } from '../../src/node/genesis/ports.js'
import { freePorts, releasePorts } from '../support/ports.js'

const portsOf = (base: number, count: number): number[] => Array.from({ length: count }, (_, index) => base + index)

test('port ranges requested concurrently do not overlap', async () => {
  const ranges = await Promise.all([3, 5, 2, 8].map(async (count) => portsOf(await freePorts(count), count)))
  expect(new Set(ranges.flat()).size).toBe(18)
})

test('a closed port is not handed out again while the test file runs', async () => {
  const given = new Set<number>()
  // More than one block has.
  for (let request = 0; request < 30; request += 1) {
    for (const port of portsOf(await freePorts(10), 10)) {
      expect(given.has(port), String(port)).toBe(false)
      given.add(port)
    }
  }
})

test('a port in use is not handed out', async () => {
  releasePorts()
  // Every range of 150 ports of a block has the one in the middle of this range.
  const middle = (await freePorts(150)) + 75
  releasePorts()
  const server = createServer()
  await new Promise<void>((resolve) => server.listen({ host: '127.0.0.1', port: middle }, resolve))
  try {
    expect(portsOf(await freePorts(150), 150)).not.toContain(middle)
  } finally {
    await new Promise((resolve) => server.close(resolve))
  }
})

test('the first port of a block stays in use, so that no other process reserves the block', async () => {
  const port = await freePorts(1)
  expect(await isFree(port - (port % 200))).toBe(false)
})

test('a range larger than a block is refused', async () => {
  await expect(freePorts(200)).rejects.toThrow('a block has no 200 ports')
})
