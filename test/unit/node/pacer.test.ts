/** The pace of long work: a rest after each stretch, and more of them while rests end late. */
import { beforeEach, expect, it } from 'vitest'
import { type PaceClock, Pacer } from '../../../src/node/snapshot/pacer.js'

let nowMs = 0
/** Lateness of the next rests, in ms. */
let late: number[] = []
let rests = 0
const clock: PaceClock = {
  monotonicMs: () => nowMs,
  rest: async (ms) => {
    rests += 1
    nowMs += ms + (late.shift() ?? 0)
  },
}
beforeEach(() => {
  nowMs = 0
  late = []
})

/** Rests of one step after so many ms of work. */
async function restsAfter(pacer: Pacer, workMs: number): Promise<number> {
  rests = 0
  nowMs += workMs
  await pacer.step()
  return rests
}

it('the pacer pauses after a given amount of work, and not earlier', async () => {
  const pacer = new Pacer(() => 5, clock)
  expect(await restsAfter(pacer, 1)).toBe(0)
  expect(await restsAfter(pacer, 1)).toBe(1)
  expect(await restsAfter(pacer, 1)).toBe(0)
})

it('the pacer repeats a pause that ended late, up to a maximum', async () => {
  const pacer = new Pacer(() => 5, clock)
  late = [8, 8, 0]
  expect(await restsAfter(pacer, 2)).toBe(3)
  late = [8, 8, 8, 8, 8, 8, 8]
  expect(await restsAfter(pacer, 2)).toBe(5)
})

it('the pacer pauses only once if the limit is one, even if the pause ends late', async () => {
  late = [50, 50]
  expect(await restsAfter(new Pacer(() => 1, clock), 2)).toBe(1)
})
