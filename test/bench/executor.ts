/** Owns the benchmark of the executor alone: full blocks of transfers in one process, without network, consensus and disk. */

import { performance } from 'node:perf_hooks'
import { type Abi, EXECUTIONS, type ExecutableEntry, executeBlock, scheduleHeight } from '../../src/executor/index.js'
import { ABI_1 } from '../../src/features/abi.js'
import { instructions as accountInstructions } from '../../src/features/accounts/schema.js'
import { instructions as assets } from '../../src/features/assets/schema/instructions.js'
import { instructions as domains } from '../../src/features/domains/schema.js'
import {
  type AccountId,
  accountKeyOf,
  accountOfKey,
  type Instruction,
  instruction,
  NO_METADATA,
} from '../../src/model/index.js'
import { blockIndexes } from '../../src/node/chain/indexes.js'
import { MemoryBackend, type RowKey, WorldState } from '../../src/state/index.js'
import { entry } from '../support/blocks.js'
import { CHAIN, DEFINITION } from '../support/chain.js'
import { accountNamed, Bench } from '../support/executor.js'
import { rowsOf } from '../support/nodes.js'
import { seeded } from '../support/seeded.js'
import { median } from './quantile.js'

const ACCOUNTS = 2_000
/** Transfers of one block. */
export const PER_BLOCK = 500
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

/** What a state of funded accounts begins with. */
export interface TransferWorld {
  readonly accounts: readonly AccountId[]
  readonly abi: Abi
  readonly treeBits: number
  /** Further rows, before height 1. */
  readonly more?: (bench: Bench) => void
}

/** Funded accounts of one domain. */
export const payers = (count: number): AccountId[] =>
  Array.from({ length: count }, (_, index) => accountOfKey(accountKeyOf('ed25519', Buffer.alloc(32, `payer ${index}`))))

/** Build a state of a domain with funded accounts, committed as height 1. */
export async function transferWorld({ accounts, abi, treeBits, more }: TransferWorld): Promise<WorldState> {
  const bench = new Bench(undefined, abi)
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
  more?.(bench)
  for (const height of [1, 2, 3]) scheduleHeight(seeded(bench.state, SEED), height)
  const state = await WorldState.open({ backend: new MemoryBackend(), treeBits, context: abi.codec('cw') })
  await state.commit(state.prepareRows(rowsOf(bench.state)), { height: 1 })
  return state
}

/** Times and size of the blocks. */
interface BlockPlan {
  /** Header time at height 0, and between two blocks, in ms. */
  readonly timeMs: number
  readonly stepMs: number
  readonly perBlock: number
}

/** Times of one block, in ms. */
interface BlockTimes {
  readonly execute: number
  readonly prepare: number
  readonly index: number
}

/** Blocks of transfers of one unit between drawn accounts, one after the other on a state. */
export class TransferBlocks {
  private pick = 1
  private height: number

  constructor(
    private readonly state: WorldState,
    private readonly accounts: readonly AccountId[],
    private readonly abi: Abi,
    private readonly plan: BlockPlan = { timeMs: 0, stepMs: 10, perBlock: PER_BLOCK },
  ) {
    this.height = state.height
  }

  /** Execute and commit the next block; `runs`: due runs that it made. Throws if a transfer or a run was rejected. */
  async next(): Promise<BlockTimes & { readonly runs: number }> {
    const { state, abi, plan } = this
    const entries: ExecutableEntry[] = []
    while (entries.length < plan.perBlock) {
      const [from, to] = [this.drawn(), this.drawn()]
      if (from === to) continue
      const asset = { definition: DEFINITION, account: from }
      entries.push(entry(from, [instruction(assets.transfer, { asset, to, amount: { mantissa: 1n, scale: 0 } })]))
    }
    this.height += 1
    const { height } = this
    const place = {
      abi,
      chain: CHAIN,
      chainHash: SEED,
      height,
      originView: 0,
      timeMs: plan.timeMs + plan.stepMs * height,
    }
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
    const indexes = blockIndexes(abi, made)
    const indexed = performance.now()
    await state.commit(candidate, { height, indexes })
    if (run.results.some((one) => one.outcome.kind !== 'approved'))
      throw new Error('a transfer or a due run was rejected')
    const runs = results.length - entries.length
    return { execute: executed - started, prepare: prepared - executed, index: indexed - prepared, runs }
  }

  private drawn(): AccountId {
    this.pick = (Math.imul(this.pick, 1_103_515_245) + 12_345) >>> 0
    return this.accounts[(this.pick >>> 8) % this.accounts.length] as AccountId
  }
}

/** Runs the benchmark. */
export async function benchExecutor(): Promise<ExecutorFigures> {
  const accounts = payers(ACCOUNTS)
  const state = await transferWorld({ accounts, abi: ABI_1, treeBits: 12 })
  const blocks = new TransferBlocks(state, accounts, ABI_1)
  for (let block = 0; block < WARM_BLOCKS; block += 1) await blocks.next()
  const times: BlockTimes[] = []
  for (let block = 0; block < BLOCKS; block += 1) times.push(await blocks.next())
  await state.close()
  const micros = (part: keyof BlockTimes): number => (median(times.map((one) => one[part])) * 1_000) / PER_BLOCK
  return {
    transfersPerBlock: PER_BLOCK,
    executeMicros: micros('execute'),
    prepareMicros: micros('prepare'),
    indexMicros: micros('index'),
  }
}
