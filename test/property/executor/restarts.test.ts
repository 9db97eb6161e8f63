/**
 * Random histories of blocks on four nodes: one that runs all along, one that starts anew before every block and has no cache, one
 * that executes another block before the one that is decided, and a bare executor whose rows are never encoded. They say the same
 * of results, events, units and roots; read indexes of objects are those that a snapshot's rows make. One more joins by such rows on the way.
 */
import fc from 'fast-check'
import { it } from 'vitest'
import { ABI_1, ABIS } from '../../../src/features/abi.js'
import { Blocks, entry, eventsOf } from '../../support/blocks.js'
import { begin, HISTORIES, real, step, textOf, wisely } from '../../support/histories.js'
import type { NaiveEntry } from '../../support/naive.js'
import { Nodes, rowsOf } from '../../support/nodes.js'

const blocks = fc.array(
  fc.record({
    steps: fc.array(step, { maxLength: 4 }),
    waitMs: fc.constantFrom(1, 1, 1_000, 6_000),
    tried: fc.nat({ max: 3 }),
  }),
  { minLength: 10, maxLength: 25 },
)

/** Block of a history. */
const place = fc.nat({ max: 20 })

it('nodes with and without cached state execute blocks identically', { timeout: 20 * 60_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(1, 2, 4), place, place, blocks, async (target, upgradeAt, joinAt, history) => {
      const { bench, naive } = begin()
      const chain = new Blocks(bench)
      const nodes = await Nodes.at(rowsOf(bench.state))
      const known: Uint8Array[] = []
      for (const [at, { steps, waitMs, tried }] of history.entries()) {
        bench.timeMs += waitMs
        const { timeMs } = bench
        const asked = steps.map((one): NaiveEntry => ({ ...wisely(naive, one), sponsor: undefined }))
        const entries = asked.map(({ by, list }) =>
          entry(
            by,
            list.map((one) => real(one, known)),
          ),
        )
        chain.abi = at >= upgradeAt ? (ABIS.get(target) ?? ABI_1) : ABI_1
        if (at === joinAt) await nodes.join()
        const run = chain.run(timeMs, ...entries)
        await nodes.execute(chain.last, run, tried, textOf(asked))
        naive.block(
          timeMs,
          asked,
          run.results.map(({ teu }) => teu),
        )
        known.push(...eventsOf(run, 'proposalCreated').map((one) => one.proposal as Uint8Array))
      }
      await nodes.expectIndexes()
    }),
    { numRuns: Math.ceil(HISTORIES / 5) },
  )
})
