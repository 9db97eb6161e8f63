// The inputs that the search for cheap work measures are what their names say: otherwise it measures rejections.
import { describe, expect, it } from 'vitest'
import { ABI_1 } from '../../../src/features/abi.js'
import { instructions as gov } from '../../../src/features/gov/schema/instructions.js'
import { instructions as ministry } from '../../../src/features/ministry/schema/instructions.js'
import { instructions as registry } from '../../../src/features/registry/schema/instructions.js'
import { WORST_CASES } from '../../bench/worst/cases.js'
import { HOOKS, preparedHook } from '../../bench/worst/hooks.js'
import { coldState, preparedCase, timedBlock } from '../../bench/worst/measure.js'
import { Blocks } from '../../support/blocks.js'

/** Their work is mostly pairings, which have figures of their own. */
const PAIRINGS = ['registerPeer', 'unregisterPeer', 'rotateConsensusKey', 'disableConsensusKey', 'acceptRelayEnvelope']
/** Needs an upgrade whose window has come. */
const ELSEWHERE = ['activateUpgrade']

const seen = new Set<string>()

describe('an input of the search for underpriced work', () => {
  it.each(Object.entries(WORST_CASES))('matches its description: %s', (_name, one) => {
    const { bench, entries } = preparedCase(one)
    for (const { signed } of entries) for (const { kind } of signed.payload.value.executable.value) seen.add(kind)
    const { results, rejections } = new Blocks(bench).run(one.timeMs ?? 10, ...entries)
    expect(results).toHaveLength(entries.length)
    const codes = [...rejections.values()].map(({ code, message }) => `${code}: ${message}`)
    if (one.fails === true) expect(codes).toHaveLength(entries.length)
    else expect(codes).toEqual([])
  })

  it('exists for every instruction', () => {
    const later = [gov, ministry, registry].flatMap((of) => Object.values(of).map(({ kind }) => kind))
    const kinds = [...ABI_1.instructions.keys(), ...later].filter((kind) => ![...PAIRINGS, ...ELSEWHERE].includes(kind))
    expect(kinds.filter((kind) => !seen.has(kind))).toEqual([])
  })
})

describe('the worst-case work of a block', () => {
  it.each(Object.entries(HOOKS))('executes without an exception: %s', async (_name, { prepare, place }) => {
    const bench = preparedHook(prepare, place)
    expect(timedBlock(await coldState(bench.state), [], place).approved).toBeGreaterThanOrEqual(0)
  })
})
