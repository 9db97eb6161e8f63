/** The list that is read at one end and written at the other: order, length, and long runs. */
import { expect, it } from 'vitest'
import { Fifo } from '../../../src/base/fifo.js'

it('a FIFO queue returns items in insertion order after any number of operations', () => {
  const list = new Fifo<number>()
  let next = 0
  for (let item = 0; item < 5_000; item += 1) {
    list.push(item)
    if (item % 3 === 0) {
      expect(list.head).toBe(next)
      expect(list.shift()).toBe(next)
      next += 1
    }
    expect(list.length).toBe(item + 1 - next)
  }
  for (; next < 5_000; next += 1) expect(list.shift()).toBe(next)
  expect([list.head, list.shift(), list.length]).toEqual([undefined, undefined, 0])
})

it('a FIFO queue can contain undefined values', () => {
  const list = new Fifo<number | undefined>()
  list.push(undefined)
  list.push(1)
  expect([list.length, list.shift(), list.length, list.shift(), list.length]).toEqual([2, undefined, 1, 1, 0])
})
