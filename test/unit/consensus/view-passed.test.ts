/** A candidate whose execution ended because its view had passed: it is no refusal, and it is executed again when it matters. */
import { expect, it } from 'vitest'
import { Bench } from './rbc/bench.js'

/** A member that executes the proposal of view 0. */
function executing() {
  const bench = new Bench()
  const block = bench.block()
  bench.receive(bench.proposer, bench.proposal(block))
  bench.payload(bench.proposer, block, block.body)
  expect(bench.take('execute').length).toBe(1)
  const end = () => bench.answerExecution(block, { ok: false, reason: 'viewPassed' })
  return { bench, block, end }
}

it('a block whose view ended during its execution is not rejected', () => {
  const { bench, end } = executing()
  bench.state.view = 1
  end()
  expect(bench.take('report').filter(({ report }) => report.kind === 'refused')).toEqual([])
  expect(bench.take('execute')).toEqual([])
  expect([...bench.state.candidates.values()].map(({ status }) => status)).toEqual(['waiting'])
})

it('a block whose view ended during its execution is executed again and committed once it is decided', () => {
  const { bench, block, end } = executing()
  bench.state.view = 1
  end()
  bench.receive(bench.others[0] ?? '', { kind: 'certificate', value: bench.certified(block, 'commit') })
  expect(bench.take('execute').map(({ certified }) => certified)).toEqual([true])
  bench.approve(block)
  expect(bench.take('commit').length).toBe(1)
})

it('a block that was decided before the execution response is executed as certified', () => {
  const { bench, block, end } = executing()
  bench.receive(bench.others[0] ?? '', { kind: 'certificate', value: bench.certified(block, 'commit') })
  expect(bench.take('execute')).toEqual([])
  end()
  expect(bench.take('execute').map(({ certified }) => certified)).toEqual([true])
})
