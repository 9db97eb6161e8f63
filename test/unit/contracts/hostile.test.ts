/**
 * Host functions with invalid arguments: a trap or a response, never a fault of the executor, and never memory of
 * another instance.
 */
import { expect, it } from 'vitest'
import { HOST_FUNCTIONS, TRAP } from '../../../src/vm/index.js'
import {
  alice,
  call,
  calledOf,
  contractBench,
  DROP,
  deployed,
  entry,
  handwritten,
  host,
  manifestOf,
} from '../../support/contracts.js'
import { op } from '../../support/vm/assembler.js'
import { Random } from '../../support/vm/generator.js'

const COUNT = Number(process.env['CAUSEWAY_FUZZ'] ?? 300)
const EDGES = [0, 1, 2, 3, 7, 32, 34, 64, 65, 128, 129, 4_096, 16_384, 16_385, 65_535, 65_536, 0x7fff_ffff, -1, -65_536]

it('host functions with random arguments trap or continue', () => {
  const random = new Random(3)
  const traps = new Set<number>()
  for (let round = 0; round < COUNT; round += 1) {
    const bench = contractBench()
    const data = Array.from({ length: 512 }, () => random.below(random.chance(50) ? 4 : 256))
    const calls = Array.from({ length: 1 + random.below(6) }, () => random.pick(HOST_FUNCTIONS)).flatMap((one) => {
      const args = Array.from({ length: one.params }, () =>
        random.chance(60) ? random.below(random.chance(50) ? 8 : 400) : random.pick(EDGES),
      )
      return [...host(one.name, ...args), ...(one.hasResult ? [DROP] : [])]
    })
    const kind = random.chance(20) ? 'view' : 'public'
    const code = handwritten({ go: [...calls, op.plain(0x01)] }, data)
    const address = deployed(bench, code, manifestOf(code, [entry('go', kind)]))
    const input = Buffer.from(data.slice(0, random.below(100)))
    const failed = bench.run(alice, call(address, 'go', { input, gasLimit: 100_000 }))
    expect([round, failed ?? 'contract_trap', bench.last?.rejection?.message]).toEqual([
      round,
      'contract_trap',
      failed === undefined ? undefined : bench.last?.rejection?.message,
    ])
    traps.add(calledOf(bench).trap)
  }
  expect(traps.has(TRAP.host_argument) && traps.has(TRAP.ok)).toBe(true)
})
