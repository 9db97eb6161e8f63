/** Owns the benchmark of the executor alone: full blocks of transfers in one process, without network, consensus and disk. */

import { performance } from 'node:perf_hooks'
import { EXECUTIONS, type ExecutableEntry, executeBlock, scheduleHeight } from '../../src/executor/index.js'
import { ABI_1 } from '../../src/features/abi.js'
import { instructions as accountInstructions } from '../../src/features/accounts/schema.js'
import { instructions as assets } from '../../src/features/assets/schema/instructions.js'
import { instructions as domains } from '../../src/features/domains/schema.js'
import { accountKeyOf, accountOfKey, type Instruction, instruction, NO_METADATA } from '../../src/model/index.js'
import { blockIndexes } from '../../src/node/ledger/indexes.js'
import { MemoryBackend, type RowKey, WorldState } from '../../src/state/index.js'
import { entry } from '../support/blocks.js'
import { CHAIN, codec, DEFINITION } from '../support/chain.js'
import { accountNamed, Bench } from '../support/executor.js'
import { seeded } from '../support/seeded.js'
import { median } from './quantile.js'

const ACCOUNTS = 2_000
const PER_BLOCK = 500
const BLOCKS = Number(process.env['BENCH_EXECUTOR_BLOCKS'] ?? 60)
/** Blocks before the measured ones: code that nobody optimised yet. */
const WARM_BLOCKS = 20
const SEED = Buffer.alloc(32, 3)

/** Medians over the measured blocks, in microseconds per transfer. */
export interface ExecutorFigures {
  readonly transfersPerBlock: number
  /** The instructions, the triggers they could set off, results and roots of the body. */
  readonly executeMicros: number
  /** Encoding of what changed, and the state root. */
  readonly prepareMicros: number
  /** Entries of the read indexes. */
  readonly indexMicros: number
}

/** A domain with funded accounts, committed as height 1. */
async function world(accounts: readonly string[]): Promise<WorldState> {
  const bench = new Bench()
  const owner = accountNamed('owner')
  const register = (id: string): Instruction =>
    instruction(accountInstructions.registerAccount, { id, domain: 'bank', label: undefined, metadata: NO_METADATA })
  bench.genesis(
    owner,
    instruction(domains.registerDomain, { id: 'bank', dataspace: undefined, metadata: NO_METADATA }),
    register(owner),
    instruction(assets.registerAssetDefinition, {
      id: DEFINITION,
      scale: 2,
      mintable: { kind: 'infinitely', value: undefined },
      metadata: NO_METADATA,
    }),
  )
  for (const id of accounts) {
    const asset = { definition: DEFINITION, account: id }
    bench.genesis(owner, register(id), instruction(assets.mint, { asset, amount: { mantissa: 1_000_000n, scale: 0 } }))
  }
  for (const height of [1, 2, 3]) scheduleHeight(seeded(bench.state, SEED), height)
  const state = await WorldState.open({ backend: new MemoryBackend(), treeBits: 12, context: codec })
  const overlay = state.overlay()
  for (const { table, row, value } of bench.state.changes()) if (value !== undefined) overlay.setRow(table, row, value)
  await state.commit(state.prepare(overlay), { height: 1 })
  return state
}

/** Runs the benchmark. */
export async function benchExecutor(): Promise<ExecutorFigures> {
  const accounts = Array.from({ length: ACCOUNTS }, (_, index) =>
    accountOfKey(accountKeyOf('ed25519', Buffer.alloc(32, `payer ${index}`))),
  )
  const state = await world(accounts)
  let pick = 1
  const drawn = (): string => {
    pick = (Math.imul(pick, 1_103_515_245) + 12_345) >>> 0
    return accounts[(pick >>> 8) % ACCOUNTS] as string
  }
  const samples = { execute: [] as number[], prepare: [] as number[], index: [] as number[] }
  for (let block = 0; block < WARM_BLOCKS + BLOCKS; block += 1) {
    const entries: ExecutableEntry[] = []
    while (entries.length < PER_BLOCK) {
      const [from, to] = [drawn(), drawn()]
      if (from === to) continue
      const asset = { definition: DEFINITION, account: from }
      entries.push(entry(from, [instruction(assets.transfer, { asset, to, amount: { mantissa: 1n, scale: 0 } })]))
    }
    const height = block + 2
    const place = { abi: ABI_1, chain: CHAIN, chainHash: SEED, height, originView: 0, timeMs: 10 * height }
    const overlay = state.overlay()
    const started = performance.now()
    const run = executeBlock(
      EXECUTIONS.validate,
      { ...place, parentCertificate: undefined, evidence: [], entries },
      overlay,
    )
    const executed = performance.now()
    const candidate = state.prepare(overlay)
    const prepared = performance.now()
    const before = {
      hasRow: (row: RowKey): boolean => state.reader.hasRow(row),
      rowBytes: (row: RowKey): Uint8Array | undefined => state.rowBytes(row),
      indexGet: (key: Uint8Array): Buffer | undefined => state.indexGet(key),
    }
    const { results, events } = run
    const { timeMs } = place
    const payloadBytes = 0
    const made = { height, timeMs, payloadBytes, entries, results, events, rows: candidate.rows, before }
    const indexes = blockIndexes(ABI_1, made)
    const indexed = performance.now()
    await state.commit(candidate, { height, indexes })
    if (run.results.some((one) => one.outcome.kind !== 'approved')) throw new Error('a transfer was rejected')
    if (block < WARM_BLOCKS) continue
    samples.execute.push(executed - started)
    samples.prepare.push(prepared - executed)
    samples.index.push(indexed - prepared)
  }
  await state.close()
  const micros = (times: readonly number[]): number => (median(times) * 1_000) / PER_BLOCK
  return {
    transfersPerBlock: PER_BLOCK,
    executeMicros: micros(samples.execute),
    prepareMicros: micros(samples.prepare),
    indexMicros: micros(samples.index),
  }
}
