// Checks the turns of lanes as voters see them: order, capacity, the first alone.
import { describe, expect, it } from 'vitest'
import { orderFault, serviceOrder } from '../../../src/lanes/index.js'

const turns = [
  { lane: 3, teuCapacity: 100 },
  { lane: 1, teuCapacity: 0 },
  { lane: 2, teuCapacity: 50 },
]
const entries = (...all: [lane: number, teu: number][]) => all.map(([lane, teu]) => ({ lane, teu }))

it('unserved lanes come first, then the least recently served, then the lower number', () => {
  const services = new Map([
    [0, { height: 5, place: 0 }],
    [1, { height: 4, place: 3 }],
    [2, { height: 4, place: 1 }],
  ])
  const lanes = [0, 1, 2, 3, 4].map((id) => ({ id }))
  expect(serviceOrder(lanes, services).map((one) => one.id)).toEqual([3, 4, 2, 1, 0])
})

describe('the lane order of a payload', () => {
  it.each([
    ['without transactions', []],
    ['of one lane', entries([1, 10], [1, 10])],
    ['of all lanes in turn', entries([3, 10], [1, 10], [2, 10], [3, 10], [1, 10], [1, 10])],
    ['that omits a lane', entries([3, 10], [2, 10], [3, 10])],
    ['with only a first transaction above the capacity of its lane', entries([3, 400], [1, 10], [1, 900])],
    ['that fills a lane', entries([3, 60], [2, 50], [3, 40])],
  ])('%s is valid', (_what, payload) => expect(orderFault(turns, payload)).toBeUndefined())

  it.each([
    [
      'two transactions of a lane while another lane waits for its turn',
      entries([3, 10], [3, 10], [1, 10]),
      'serves lane 1',
    ],
    ['lanes in another order', entries([1, 10], [3, 10]), 'serves lane 3'],
    ['a lane above its capacity', entries([3, 60], [3, 50]), 'exceeds its 100'],
    ['a second transaction beside an oversized first one', entries([2, 400], [2, 1]), 'exceeds its 50'],
    ['a lane that is not active', entries([3, 10], [9, 10]), 'not active'],
  ])('with %s is refused', (_what, payload, text) => expect(orderFault(turns, payload)).toContain(text))
})
