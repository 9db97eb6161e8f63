/** Owns the benchmark of the executor alone: full blocks of transfers in one process, without network, consensus and disk. */

import { performance } from 'node:perf_hooks'
import { type Abi, EXECUTIONS, type ExecutableEntry, executeBlock, scheduleHeight } from '../../src/executor/index.js'
import { ABI_2 } from '../../src/features/abi.js'
import { instructions as assets } from '../../src/features/assets/schema/instructions.js'
import { instructions as domains } from '../../src/features/domains/schema.js'
import type { PaymentPart } from '../../src/features/iso20022/schema/instructions.js'
import { accountObject } from '../../src/ledger/permission-kinds.js'
import { type AccountId, accountKeyOf, accountOfKey, instruction, NO_METADATA } from '../../src/model/index.js'
import { blockIndexes } from '../../src/node/chain/indexes.js'
import { MemoryBackend, type RowKey, WorldState } from '../../src/state/index.js'
import { entry } from '../support/blocks.js'
import { CHAIN, DEFINITION } from '../support/chain.js'
import { Bench } from '../support/executor.js'
import { rowsOf } from '../support/nodes.js'
import { seeded } from '../support/seeded.js'
import {
  bank,
  bridge,
  message,
  owner,
  part,
  permission,
  register,
  setBank,
  settle,
  uetrOf,
} from '../support/shared-payments.js'
import { DETAILS } from '../unit/iso20022/support.js'
import { median } from './quantile.js'

const ACCOUNTS = 2_000
/** Transfers of one block. */
export const PER_BLOCK = 500
const BLOCKS = Number(process.env['BENCH_EXECUTOR_BLOCKS'] ?? 60)
/** Blocks before the measured ones: code that nobody optimised yet. */
const WARM_BLOCKS = 20
const SEED = Buffer.alloc(32, 3)

/** Medians over the measured blocks, in microseconds for each transfer or payment. */
export interface ExecutorFigures {
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

/** Header time at height 0, and between two blocks, in ms. */
interface BlockTiming {
  readonly timeMs: number
  readonly stepMs: number
}
const TIMING: BlockTiming = { timeMs: 0, stepMs: 10 }

/** Times and size of the blocks. */
interface BlockPlan extends BlockTiming {
  readonly perBlock: number
}

/** Times of one block, in ms. */
interface BlockTimes {
  readonly execute: number
  readonly prepare: number
  readonly index: number
}

/** Blocks of given transactions, one after the other on a state. */
class Blocks {
  private height: number

  constructor(
    private readonly state: WorldState,
    private readonly abi: Abi,
    private readonly timing: BlockTiming,
  ) {
    this.height = state.height
  }

  /** Execute and commit the next block; `runs`: due runs that it made. Throws if a transaction or a run was rejected. */
  async next(entries: readonly ExecutableEntry[]): Promise<BlockTimes & { readonly runs: number }> {
    const { state, abi, timing } = this
    this.height += 1
    const { height } = this
    const place = {
      abi,
      chain: CHAIN,
      chainHash: SEED,
      height,
      originView: 0,
      timeMs: timing.timeMs + timing.stepMs * height,
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
    const isApproved = results.every((one) => one.outcome.kind === 'approved')
    if (!isApproved) throw new Error('a transaction or a due run was rejected')
    const runs = results.length - entries.length
    return { execute: executed - started, prepare: prepared - executed, index: indexed - prepared, runs }
  }
}

/** A pair of accounts from a fixed sequence. */
class Pairs {
  private pick = 1

  constructor(private readonly accounts: readonly AccountId[]) {}

  next(): readonly [from: AccountId, to: AccountId] {
    for (;;) {
      const [from, to] = [this.drawn(), this.drawn()]
      if (from !== to) return [from, to]
    }
  }

  private drawn(): AccountId {
    this.pick = (Math.imul(this.pick, 1_103_515_245) + 12_345) >>> 0
    return this.accounts[(this.pick >>> 8) % this.accounts.length] as AccountId
  }
}

/** Blocks of transfers of one unit between drawn accounts, one after the other on a state. */
export class TransferBlocks {
  private readonly pairs: Pairs
  private readonly blocks: Blocks

  constructor(
    state: WorldState,
    accounts: readonly AccountId[],
    abi: Abi,
    private readonly plan: BlockPlan = { ...TIMING, perBlock: PER_BLOCK },
  ) {
    this.pairs = new Pairs(accounts)
    this.blocks = new Blocks(state, abi, plan)
  }

  /** Execute and commit the next block; `runs`: due runs that it made. Throws if a transfer or a run was rejected. */
  next(): Promise<BlockTimes & { readonly runs: number }> {
    const entries = Array.from({ length: this.plan.perBlock }, () => {
      const [account, to] = this.pairs.next()
      const asset = { definition: DEFINITION, account }
      return entry(account, [instruction(assets.transfer, { asset, to, amount: { mantissa: 1n, scale: 0 } })])
    })
    return this.blocks.next(entries)
  }
}

/** Payments of one message, and of one transaction. */
const PER_MESSAGE = 100
const CODEC = { context: ABI_2.codec('cw') }

/** A bridge, and a bank that may have every account of the domain debited by it. */
function withBank(bench: Bench): void {
  bench.genesis(
    owner,
    ...[bank, bridge].map(register),
    permission('CanTransfer', DEFINITION, bridge),
    setBank({ kind: 'domain', value: 'bank' }),
  )
  bench.genesis(bank, permission('CanClaimMessages', accountObject(bank), bridge))
}

/** Blocks of payments of bulk messages, a transaction for each message. */
class PaymentBlocks {
  private readonly pairs: Pairs
  private readonly blocks: Blocks
  private messages = 0

  constructor(state: WorldState, accounts: readonly AccountId[]) {
    this.pairs = new Pairs(accounts)
    this.blocks = new Blocks(state, ABI_2, TIMING)
  }

  next(): Promise<BlockTimes> {
    return this.blocks.next(Array.from({ length: PER_BLOCK / PER_MESSAGE }, () => this.transaction()))
  }

  private transaction(): ExecutableEntry {
    this.messages += 1
    const messageId = `BULK-${this.messages}`
    const parts = Array.from({ length: PER_MESSAGE }, (_, at): PaymentPart => {
      const [source, target] = this.pairs.next()
      const details = {
        ...DETAILS,
        endToEndId: `E2E-${messageId}-${at}`,
        uetr: uetrOf(this.messages * PER_MESSAGE + at),
      }
      const amount = { mantissa: 101n, scale: 2 }
      return part(at + 1, 1n, { details, source, target, definition: DEFINITION, amount })
    })
    return entry(bridge, [settle(message(messageId, parts))], CODEC)
  }
}

/** Medians of the measured blocks, after others that are not optimized yet. */
async function measured(blocks: { next(): Promise<BlockTimes> }): Promise<ExecutorFigures> {
  for (let block = 0; block < WARM_BLOCKS; block += 1) await blocks.next()
  const times: BlockTimes[] = []
  for (let block = 0; block < BLOCKS; block += 1) times.push(await blocks.next())
  const micros = (part: keyof BlockTimes): number => (median(times.map((one) => one[part])) * 1_000) / PER_BLOCK
  return { executeMicros: micros('execute'), prepareMicros: micros('prepare'), indexMicros: micros('index') }
}

/** Runs the benchmark. */
export async function benchExecutor() {
  const accounts = payers(ACCOUNTS)
  const transfers = await transferWorld({ accounts, abi: ABI_2, treeBits: 12 })
  const payments = await transferWorld({ accounts, abi: ABI_2, treeBits: 12, more: withBank })
  try {
    return {
      perBlock: PER_BLOCK,
      transfer: await measured(new TransferBlocks(transfers, accounts, ABI_2)),
      paymentOfMessage: await measured(new PaymentBlocks(payments, accounts)),
    }
  } finally {
    await transfers.close()
    await payments.close()
  }
}
