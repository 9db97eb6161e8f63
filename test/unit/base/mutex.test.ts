/** Work that runs one piece after the other. */
import { expect, it } from 'vitest'
import { Mutex } from '../../../src/base/mutex.js'

it('a mutex starts work when earlier work has ended, even if the earlier work failed', async () => {
  const mutex = new Mutex()
  const seen: string[] = []
  let fail: (error: Error) => void = () => {}
  const first = mutex.run(() => {
    seen.push('first')
    return new Promise<never>((_, reject) => {
      fail = reject
    })
  })
  const second = mutex.run(async () => seen.push('second'))
  await new Promise((resolve) => setImmediate(resolve))
  expect(seen).toEqual(['first'])
  fail(new Error('broken'))
  await expect(first).rejects.toThrow('broken')
  expect(await second).toBe(2)
  expect(seen).toEqual(['first', 'second'])
})

it('a mutex is idle when all work has ended', async () => {
  const mutex = new Mutex()
  let ended = false
  void mutex.run(async () => {
    await new Promise((resolve) => setImmediate(resolve))
    ended = true
  })
  await mutex.idle
  expect(ended).toBe(true)
})
