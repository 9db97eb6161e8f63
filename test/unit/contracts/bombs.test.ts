/** Contribution of contracts to the work of a block: by cost and work sum, never more than it has time for. */
import { describe, expect, it } from 'vitest'
import { WORK_PER_MS, workOf } from '../../../src/consensus/index.js'
import { BLOCK_TEU, BLOCK_WORK_MS, MAX_TEU_PER_TX } from '../../../src/executor/index.js'
import { ABI_2 } from '../../../src/features/abi.js'
import type { Instruction } from '../../../src/model/index.js'
import { alice, call, deploy, entry, manifestOf, register } from '../../support/contracts.js'
import { CHECK_BOMBS } from '../../support/vm/bombs.js'

const costOf = (one: Instruction) => {
  const teu = ABI_2.costOf([one], 'record')
  return { teu, work: workOf(teu, WORK_PER_MS * ABI_2.workMsOf([one]) + ABI_2.workUnitsOf([one])) }
}
/** Number of instructions of a kind that fit into a block. */
const perBlock = (one: Instruction): number => {
  const { teu, work } = costOf(one)
  return Math.min(Math.floor(BLOCK_TEU.fallback / teu), Math.floor((BLOCK_WORK_MS.fallback * WORK_PER_MS) / work))
}

describe('a block has room for', () => {
  it('at most three modules of the maximum size, whatever their content', () => {
    for (const make of Object.values(CHECK_BOMBS)) {
      const code = make()
      if (code.length < 60_000) continue
      expect(perBlock(register(code, manifestOf(code, [entry('go')])))).toBeLessThanOrEqual(3)
    }
  })

  it('less than 300,000 bytes of modules with many small functions', () => {
    const code = (CHECK_BOMBS['small functions'] as () => Uint8Array)()
    expect(perBlock(register(code, manifestOf(code, [entry('go')]))) * code.length).toBeLessThan(300_000)
  })

  it('stored instruction lists with less than 2.3 million gas', () => {
    const room = BLOCK_TEU.fallback + MAX_TEU_PER_TX.fallback
    for (const one of [call(alice, 'go', { gasLimit: 100_000 }), deploy(Buffer.alloc(32), { gasLimit: 100_000 })]) {
      const teu = ABI_2.costOf([one], 'stored')
      expect(teu).toBeGreaterThan(ABI_2.costOf([one], 'record') + 5_999)
      expect(Math.floor(room / teu) * 100_000).toBeLessThan(2_300_000)
    }
  })

  it('calls with at most 3.5 million gas in total, whatever the gas limit of each', () => {
    for (const gasLimit of [1_000, 12_000, 100_000, 2_000_000]) {
      const gas = perBlock(call(alice, 'go', { gasLimit })) * gasLimit
      expect(gas).toBeLessThanOrEqual(3_500_000)
      expect(gas).toBeGreaterThan(gasLimit < 50_000 ? 0 : 1_900_000)
      const deploys = perBlock(deploy(Buffer.alloc(32), { gasLimit })) * gasLimit
      expect(deploys).toBeLessThanOrEqual(3_500_000)
    }
  })
})
