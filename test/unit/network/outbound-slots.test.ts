/** Slots of requests to hosts that strangers name: shared by host, and what waits for them is bounded. */
import { expect, it } from 'vitest'
import { HostSlots } from '../../../src/network/outbound/slots.js'

/** Work that ends when somebody says so. */
function held() {
  const ends: (() => void)[] = []
  const work = (): Promise<string> => new Promise((resolve) => ends.push(() => resolve('done')))
  return { work, ends }
}

it('refuses what would wait behind too much else, and takes work again when some of it ran', async () => {
  const slots = new HostSlots(2, 1, 3)
  const { work, ends } = held()
  const running = slots.run('hangs.example', work)
  const waiting = [1, 2, 3].map(() => slots.run('hangs.example', work))
  expect(await slots.run('hangs.example', work)).toBeUndefined()
  expect(await slots.run('other.example', work)).toBeUndefined()
  expect(ends).toHaveLength(1)
  ends[0]?.()
  expect(await running).toBe('done')
  // One of those that waited runs now, and there is room for another, of another host.
  const other = slots.run('other.example', async () => 'at once')
  expect(await other).toBe('at once')
  for (let at = 1; at <= 3; at += 1) {
    await new Promise((resolve) => setImmediate(resolve))
    ends[at]?.()
  }
  expect(await Promise.all(waiting)).toEqual(['done', 'done', 'done'])
})
