import { expect, it } from 'vitest'
import { StatusRounds } from '../../../src/consensus/index.js'

const peers = Array.from({ length: 5 }, (_, index) => `peer ${index}`)

it('each peer receives a Status once before any peer receives a second one, in a new order each round', () => {
  let state = 1
  const rounds = new StatusRounds((below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  })
  const orders = Array.from({ length: 8 }, () => peers.map(() => rounds.next(peers)))
  for (const order of orders) expect(new Set(order)).toEqual(new Set(peers))
  expect(new Set(orders.map((order) => order.join())).size).toBeGreaterThan(4)
})

it('new peers join the Status round, removed peers are skipped, and an empty peer set is allowed', () => {
  const rounds = new StatusRounds(() => 0)
  const [a, b, c] = peers as [(typeof peers)[0], (typeof peers)[0], (typeof peers)[0]]
  expect(rounds.next([])).toBeUndefined()
  expect([rounds.next([a, b]), rounds.next([c, b]), rounds.next([b])]).toEqual([a, c, b])
  expect(rounds.next([a])).toBe(a)
})
