/**
 * Owns nodes that execute the same blocks under different conditions: one that runs throughout, one that restarts
 * before every block without a cache, one that executes another block before the decided one, one that joins from the
 * rows of a snapshot.
 */
import { expect } from 'vitest'
import { type BlockInput, type BlockRun, EXECUTIONS, executeBlock } from '../../src/executor/index.js'
import { NEWEST_ABI } from '../../src/features/abi.js'
import { blockOutcome } from '../../src/model/index.js'
import { blockIndexes, replayBlockKey } from '../../src/node/chain/indexes.js'
import {
  type CandidateRow,
  MemoryBackend,
  type Overlay,
  type RowKey,
  rowKeyBytes,
  TABLE_ID_BYTES,
  type TableDef,
  WorldState,
} from '../../src/state/index.js'

/** Records of every ABI. */
const codec = NEWEST_ABI.codec('cw')
/** Number of snapshot rows loaded at once. */
const LOADED_ROWS = 7
/** First bytes of the object indexes: balances of accounts, NFTs of owners, accounts of domains, totals. */
const OF_OBJECTS: readonly number[] = [2, 5, 7, 10]

/** Rows of an overlay over an empty state. */
export const rowsOf = (state: Overlay): CandidateRow[] =>
  state
    .changes()
    .flatMap(({ row, table, value }) => (value === undefined ? [] : [{ row, bytes: table.value.encode(value, codec) }]))

/** Key of a row. */
export function keyIn<K>({ key }: Pick<TableDef<K, unknown>, 'key'>, row: RowKey): K {
  const read = key.decode(rowKeyBytes(row).subarray(TABLE_ID_BYTES))
  if (!read.ok) throw new Error(read.fault.message)
  return read.value
}

/** Keys of a table in an overlay over an empty state. */
export const keysIn = <K, V>(state: Overlay, of: TableDef<K, V>): K[] =>
  state.changes().flatMap(({ table, row, value }) => (table === of && value !== undefined ? [keyIn(of, row)] : []))

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

  /** Load rows without the blocks that wrote them. */
  private async load(rows: readonly CandidateRow[]): Promise<void> {
    for (let at = 0; at < rows.length; at += LOADED_ROWS) {
      const { world } = this
      const some = rows.slice(at, at + LOADED_ROWS)
      const before = {
        hasRow: () => false,
        rowBytes: () => undefined,
        indexGet: (key: Uint8Array) => world.indexGet(key),
      }
      const made = { height: 1, timeMs: 0, payloadBytes: 0, entries: [], results: [], events: [] }
      await world.commit(world.prepareRows(some), {
        height: 1,
        indexes: blockIndexes(NEWEST_ABI, { ...made, rows: some, before }),
      })
    }
  }

  async restart(): Promise<void> {
    const { backend, cacheBytes } = this
    this.world = await WorldState.open({ backend, cacheBytes, context: codec })
  }

  /** Execute a block and, if it is decided, apply it. */
  async execute(input: BlockInput, isDecided = true) {
    const { world } = this
    const { abi, height, timeMs, entries } = input
    const overlay = world.overlay()
    const run = executeBlock(EXECUTIONS.validate, input, overlay)
    const state = world.prepare(overlay)
    if (!isDecided) return { run, root: state.root }
    const before = {
      hasRow: (row: string) => world.reader.hasRow(row),
      rowBytes: (row: string) => world.rowBytes(row),
      indexGet: (key: Uint8Array) => world.indexGet(key),
    }
    const { results, events } = run
    const block = { height, timeMs, payloadBytes: 100, entries, results, events, rows: state.rows, before }
    const expired = run.expiredReplayHeights.map((of) => ({
      height: of,
      ids: world.indexGet(replayBlockKey(of)) ?? Buffer.alloc(0),
    }))
    await world.commit(state, { height, indexes: blockIndexes(abi, block, expired) })
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

/** A total of 0 equals an absent total. */
const ofObjects = (all: ReadonlyMap<string, string>): [string, string][] =>
  [...all]
    .filter(([key, value]) => OF_OBJECTS.includes(Number.parseInt(key.slice(0, 2), 16)) && Number(`0x${value}`) > 0)
    .sort()

/** Block results that must be equal on all nodes. */
const outputOf = ({ results, events, resultsRoot, transactionsRoot, laneCommitmentRoot, rejections }: BlockRun) => ({
  results,
  events,
  resultsRoot,
  transactionsRoot,
  laneCommitmentRoot,
  rejections: [...rejections],
})

/** Check that the stored records of a block can be encoded and decoded. */
function expectStorable({ abi }: BlockInput, { results, events, rejections }: BlockRun): void {
  const texts = [...rejections].map(([entry, { code }]) => ({ entry, text: code }))
  const context = abi.codec('cw')
  const bytes = blockOutcome.encode({ results, events, texts }, context)
  const read = blockOutcome.decode(bytes, context)
  if (!read.ok) throw new Error(`an outcome does not decode: ${read.fault.message}`)
  expect(blockOutcome.encode(read.value, context).equals(bytes)).toBe(true)
}

/** Nodes with one initial state, run block by block beside an executor whose rows are never encoded. */
export class Nodes {
  private joined: Node | undefined

  private constructor(
    private readonly kept: Node,
    private readonly cold: Node,
    private readonly trying: Node,
  ) {}

  static async at(genesis: readonly CandidateRow[]): Promise<Nodes> {
    return new Nodes(
      await Node.of(genesis, 4, 1 << 24),
      await Node.of(genesis, 8, 1),
      await Node.of(genesis, 5, 40_000),
    )
  }

  /** Add a node, which starts from the current rows. */
  async join(): Promise<void> {
    this.joined = await Node.of(await this.kept.rows(), 6, 1 << 20)
  }

  /** Execute a block on all nodes. `run`: result of the executor; `tried`: entries of the undecided block. */
  async execute(input: BlockInput, run: BlockRun, tried: number, what = ''): Promise<void> {
    const { kept, cold, trying, joined } = this
    expectStorable(input, run)
    const others = [await kept.execute(input)]
    await cold.restart()
    others.push(await cold.execute(input))
    await trying.execute(
      { ...input, timeMs: input.timeMs + 1, entries: input.entries.slice(0, tried).reverse() },
      false,
    )
    others.push(await trying.execute(input))
    if (joined !== undefined) others.push(await joined.execute(input))
    const output = outputOf(run)
    for (const other of others) expect(outputOf(other.run), what).toEqual(output)
    expect(new Set(others.map(({ root }) => Buffer.from(root).toString('hex'))).size, what).toBe(1)
  }

  /** Compare the indexes of all nodes; those of objects also for nodes with rows only. */
  async expectIndexes(): Promise<void> {
    const { kept, cold, trying } = this
    const own = await kept.indexes()
    expect(await cold.indexes()).toEqual(own)
    expect(await trying.indexes()).toEqual(own)
    await this.expectObjects(await Node.of(await kept.rows(), 4, 1 << 20), own)
    if (this.joined !== undefined) await this.expectObjects(this.joined, own)
  }

  private async expectObjects(node: Node, own: ReadonlyMap<string, string>): Promise<void> {
    expect(ofObjects(await node.indexes())).toEqual(ofObjects(own))
  }
}
