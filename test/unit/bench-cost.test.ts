/** The regression of `npm run bench -- --only=cost`. */
import { expect, it } from 'vitest'
import { costs } from '../bench/cost.js'

it('the cost model separates the cost of a block from the cost of a transfer, for any durations', () => {
  const [block, transfer] = [0.012, 0.0004]
  const samples = [
    [80, 80],
    [90, 400],
    [70, 1_200],
    [60, 2_500],
  ].map(([blocks = 0, transfers = 0]) => ({ blocks, transfers, used: blocks * block + transfers * transfer }))
  const found = costs(samples)
  expect(found.perBlock).toBeCloseTo(block, 9)
  expect(found.perTransfer).toBeCloseTo(transfer, 9)
})
