/**
 * Random histories of blocks on four nodes: one that runs all along, one that starts anew before every block and has no cache, one
 * that executes another block before the one that is decided, and a bare executor whose rows are never encoded. They say the same
 * of results, events, units and roots; read indexes of objects are those that a snapshot's rows make.
 */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Abi, type BlockRun, type ExecutableEntry, executeBlock } from '../../../src/executor/index.js'
import { ABI_1, ABI_4, ABIS } from '../../../src/features/abi.js'
import { blockIndexes } from '../../../src/node/ledger/indexes.js'
import { type CandidateRow, MemoryBackend, WorldState } from '../../../src/state/index.js'
import { Blocks, entry, eventsOf, SEED } from '../../support/blocks.js'
import { CHAIN, codec } from '../../support/chain.js'
import { begin, HISTORIES, real, step, textOf, wisely } from '../../support/histories.js'
import type { NaiveEntry } from '../../support/naive.js'

/** Rows of a snapshot that are loaded in one go. */
const LOADED_ROWS = 7
/** First bytes of the indexes of objects: balances of accounts, NFTs of owners, accounts of domains, totals. */
const OF_OBJECTS: readonly number[] = [2, 5, 7, 10]

class Node {
  private constructor(
    private readonly backend: MemoryBackend,
    private world: WorldState,
    private readonly cacheBytes: number,
  ) {}

  static async of(rows: readonly CandidateRow[], treeBits: number, cacheBytes: number): Promise<Node> {
    const backend = new MemoryBackend()
    const node = new Node(backend, await WorldState.open({ backend, treeBits, cacheBytes, context: codec }), cacheBytes)
    await node.load(rows)
    return node
  }

  /** Takes rows without the blocks that wrote them. */
  private async load(rows: readonly CandidateRow[]): Promise<void> {
    for (let at = 0; at < rows.length; at += LOADED_ROWS) {
      const { world } = this
      const some = rows.slice(at, at + LOADED_ROWS)
      const before = { hasRow: () => false, indexGet: (key: Uint8Array) => world.indexGet(key) }
      const made = { height: 1, timeMs: 0, payloadBytes: 0, entries: [], results: [], events: [] }
      await world.commit(world.prepareRows(some), {
        height: 1,
        indexes: blockIndexes(ABI_4, { ...made, rows: some, before }),
      })
    }
  }

  async restart(): Promise<void> {
    const { backend, cacheBytes } = this
    this.world = await WorldState.open({ backend, cacheBytes, context: codec })
  }

  /** Executes a block and, where it is decided, applies it. */
  async execute(abi: Abi, height: number, timeMs: number, entries: readonly ExecutableEntry[], isDecided = true) {
    const { world } = this
    const overlay = world.overlay()
    const run = executeBlock(
      {
        ...{ abi, chain: CHAIN, chainHash: SEED, height, originView: 0, timeMs, entries },
        ...{ parentCertificate: undefined, evidence: [] },
      },
      overlay,
    )
    const state = world.prepare(overlay)
    if (!isDecided) return { run, root: state.root }
    const before = {
      hasRow: (row: string) => world.reader.hasRow(row),
      indexGet: (key: Uint8Array) => world.indexGet(key),
    }
    const { results, events } = run
    const block = { height, timeMs, payloadBytes: 100, entries, results, events, rows: state.rows, before }
    await world.commit(state, { height, indexes: blockIndexes(abi, block) })
    return { run, root: state.root }
  }

  async indexes(): Promise<Map<string, string>> {
    const found = new Map<string, string>()
    for await (const [key, value] of this.world.indexRange({ gte: Buffer.of(0), limit: 1_000_000 })) {
      found.set(key.toString('hex'), value.toString('hex'))
    }
    return found
  }

  async rows(): Promise<CandidateRow[]> {
    const found: CandidateRow[] = []
    for await (const row of this.world.allRows()) found.push(row)
    return found
  }
}

/** A total of none is as good as no total. */
const ofObjects = (all: ReadonlyMap<string, string>): [string, string][] =>
  [...all]
    .filter(([key, value]) => OF_OBJECTS.includes(Number.parseInt(key.slice(0, 2), 16)) && Number(`0x${value}`) > 0)
    .sort()

/** What blocks of two nodes must not differ in. */
const saidBy = ({ results, events, resultsRoot, transactionsRoot, laneCommitmentRoot, rejections }: BlockRun) => ({
  ...{ results, events, resultsRoot, transactionsRoot, laneCommitmentRoot },
  rejections: [...rejections],
})

const blocks = fc.array(
  fc.record({
    steps: fc.array(step, { maxLength: 4 }),
    waitMs: fc.constantFrom(1, 1, 1_000, 6_000),
    tried: fc.nat({ max: 3 }),
  }),
  { minLength: 10, maxLength: 25 },
)

it('nodes with and without memory execute blocks alike', { timeout: 20 * 60_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(1, 2, 4), fc.nat({ max: 20 }), blocks, async (target, upgradeAt, history) => {
      const { bench, naive } = begin()
      const chain = new Blocks(bench)
      const genesis = bench.state
        .changes()
        .flatMap(({ row, table, value }) =>
          value === undefined ? [] : [{ row, bytes: table.value.encode(value, codec) }],
        )
      const [kept, cold, trying] = (await Promise.all([
        Node.of(genesis, 4, 1 << 24),
        Node.of(genesis, 8, 1),
        Node.of(genesis, 5, 40_000),
      ])) as [Node, Node, Node]
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
        const abi = at >= upgradeAt ? (ABIS.get(target) ?? ABI_1) : ABI_1
        chain.abi = abi
        const run = chain.run(timeMs, ...entries)
        const { height } = chain
        const first = await kept.execute(abi, height, timeMs, entries)
        await cold.restart()
        const second = await cold.execute(abi, height, timeMs, entries)
        await trying.execute(abi, height, timeMs + 1, entries.slice(0, tried).reverse(), false)
        const third = await trying.execute(abi, height, timeMs, entries)
        const what = textOf(asked)
        for (const other of [first, second, third]) expect(saidBy(other.run), what).toEqual(saidBy(run))
        expect([second.root, third.root].map(String)).toEqual([first.root, first.root].map(String))
        naive.block(
          timeMs,
          asked,
          run.results.map(({ teu }) => teu),
        )
        known.push(...eventsOf(run, 'proposalCreated').map((one) => one.proposal as Uint8Array))
      }
      const own = await kept.indexes()
      expect(await cold.indexes()).toEqual(own)
      expect(await trying.indexes()).toEqual(own)
      const joined = await Node.of(await kept.rows(), 4, 1 << 20)
      expect(ofObjects(await joined.indexes())).toEqual(ofObjects(own))
    }),
    { numRuns: Math.ceil(HISTORIES / 5) },
  )
})
