/**
 * Owns the benchmark of the ledger thread alone: blocks of transfers among few and a million accounts, on disk, in one
 * process.
 */

import { cp, mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { hash } from '../../src/crypto/index.js'
import { ABI_1 } from '../../src/features/abi.js'
import { instructions as accountInstructions } from '../../src/features/accounts/schema.js'
import { instructions as assets } from '../../src/features/assets/schema/instructions.js'
import {
  type AccountId,
  accountKeyOf,
  accountOfKey,
  composeBody,
  type Instruction,
  instruction,
  NO_METADATA,
} from '../../src/model/index.js'
import { blockIndexes, NOTHING_BEFORE } from '../../src/node/chain/indexes.js'
import type { Ledger } from '../../src/node/ledger/ledger.js'
import { openLedger } from '../../src/node/ledger/open.js'
import { flatHashes } from '../../src/node/ledger/slices.js'
import { LevelBackend, WorldState } from '../../src/state/index.js'
import { entry } from '../support/blocks.js'
import { codec, DEFINITION, GENESIS_TIME_MS, testGenesis, testPeer } from '../support/chain.js'
import { Bench } from '../support/executor.js'
import { templateAfter, uncheckedCertificate } from '../support/headers.js'
import { commitKept } from '../support/ledger-bench.js'
import { type Draw, uniformPick, zipfPick } from './load.js'

const FEW = 10_000
const MANY = Number(process.env['BENCH_MANY_ACCOUNTS'] ?? 1_000_000)
const ZIPF_EXPONENT = 0.9
const PER_BLOCK = 500
const BLOCKS = Number(process.env['BENCH_LEDGER_BLOCKS'] ?? 120)
/** Warm-up blocks for the compiler and the caches. */
const WARM_BLOCKS = 40
/** Accounts registered and funded by one state batch of the preparation. */
const LOADED_AT_ONCE = 5_000
/** Folder where prepared states are kept for the next run; default: a temporary one. */
const KEPT = process.env['BENCH_LEDGER_FOLDER']

/** Result per transfer, over the measured blocks. */
export interface LedgerFigures {
  readonly accounts: number
  readonly micros: {
    /** Processor time of the thread that runs the ledger. */
    readonly thread: number
    /** Processor time of all threads, including garbage collection, compaction and writes. */
    readonly process: number
    readonly wall: number
  }
  readonly writtenBytes: number
  readonly anonymousMib: number
}

type Genesis = Awaited<ReturnType<typeof testGenesis>>

/** Account without a known key: signatures are not verified here. */
const accountAt = (index: number): AccountId =>
  accountOfKey(accountKeyOf('ed25519', hash('bench-account', Buffer.from(String(index)))))

const registration = (id: AccountId): Instruction[] => [
  instruction(accountInstructions.registerAccount, { id, domain: 'bank', label: undefined, metadata: NO_METADATA }),
  instruction(assets.mint, {
    asset: { definition: DEFINITION, account: id },
    amount: { mantissa: 1_000_000n, scale: 0 },
  }),
]

/**
 * Create a data folder whose state has a number of funded accounts, with the rows and read indexes that blocks would
 * write.
 */
async function prepare(folder: string, genesis: Genesis, accounts: number): Promise<void> {
  await mkdir(folder, { recursive: true })
  await (await openLedger({ folder, genesis: genesis.genesis, abi: ABI_1 })).close()
  const world = await WorldState.open({ backend: await LevelBackend.open(join(folder, 'state')), context: codec })
  for (let from = 0; from < accounts; from += LOADED_AT_ONCE) {
    const bench = new Bench(world.reader)
    for (let at = from; at < Math.min(accounts, from + LOADED_AT_ONCE); at++) {
      bench.genesis(genesis.admin.id, ...registration(accountAt(at)))
    }
    const overlay = world.overlay()
    for (const { table, row, value } of bench.state.changes()) overlay.setRow(table, row, value)
    const candidate = world.prepare(overlay)
    const events = bench.events.map((event) => ({ entry: 0, event }))
    const genesisBlock = { height: 1, timeMs: GENESIS_TIME_MS, payloadBytes: 0, entries: [], results: [], events }
    const block = { ...genesisBlock, rows: candidate.rows, before: NOTHING_BEFORE }
    await world.commit(candidate, { height: 1, indexes: blockIndexes(ABI_1, block) })
  }
  await world.close()
}

/** Next block of transfers between drawn accounts, in the form in which the main thread passes it on. */
function drawnRecords(draw: Draw) {
  const records = []
  while (records.length < PER_BLOCK) {
    const [from, to] = [accountAt(draw()), accountAt(draw())]
    if (from === to) continue
    const asset = { definition: DEFINITION, account: from }
    const transfer: Instruction = instruction(assets.transfer, { asset, to, amount: { mantissa: 1n, scale: 0 } })
    records.push(entry(from, [transfer], { createdAtMs: GENESIS_TIME_MS }))
  }
  return records
}

async function commitBlock(ledger: Ledger, genesis: Genesis, records: ReturnType<typeof drawnRecords>): Promise<void> {
  const tip = await ledger.tip()
  const entries = records.map(({ signedBytes }) => ({ lane: 0, dataspace: 0n, bytes: signedBytes }))
  const body = composeBody(tip.certificate, [], entries)
  const built = await ledger.build({ header: templateAfter(tip, genesis.genesis), body, hashes: flatHashes(records) })
  if (built.header === undefined) throw new Error(`a transfer is refused: ${built.invalid[0]?.code}`)
  await commitKept(ledger, { header: built.header, certificate: uncheckedCertificate(built.header) })
}

/** Processor time of this thread and of the whole process, in ms. */
async function processorTime(): Promise<{ readonly thread: number; readonly process: number }> {
  const [ran = '0'] = (await readFile(`/proc/self/task/${process.pid}/schedstat`, 'utf8')).split(' ')
  const { user, system } = process.cpuUsage()
  return { thread: Number(ran) / 1e6, process: (user + system) / 1e3 }
}

async function numberIn(file: string, name: string): Promise<number> {
  const line = (await readFile(`/proc/self/${file}`, 'utf8')).split('\n').find((one) => one.startsWith(name))
  return Number(line?.match(/\d+/)?.[0])
}

async function measured(ledger: Ledger, genesis: Genesis, accounts: number, draw: Draw): Promise<LedgerFigures> {
  const sum = { thread: 0, process: 0, wall: 0 }
  let writtenFrom = 0
  for (let block = 0; block < WARM_BLOCKS + BLOCKS; block++) {
    // Drawing and signing do not belong to the ledger.
    const records = drawnRecords(draw)
    if (block === WARM_BLOCKS) writtenFrom = await numberIn('io', 'wchar')
    const [before, started] = [await processorTime(), performance.now()]
    await commitBlock(ledger, genesis, records)
    const [after, ended] = [await processorTime(), performance.now()]
    if (block < WARM_BLOCKS) continue
    sum.thread += after.thread - before.thread
    sum.process += after.process - before.process
    sum.wall += ended - started
  }
  const transfers = BLOCKS * PER_BLOCK
  const micros = (ms: number): number => (ms * 1_000) / transfers
  const { rejected } = await ledger.tip()
  if (rejected > 0) throw new Error(`${rejected} transfers were rejected`)
  return {
    accounts,
    micros: { thread: micros(sum.thread), process: micros(sum.process), wall: micros(sum.wall) },
    writtenBytes: ((await numberIn('io', 'wchar')) - writtenFrom) / transfers,
    anonymousMib: (await numberIn('status', 'RssAnon')) / 1024,
  }
}

async function onCopy(root: string, genesis: Genesis, accounts: number, draw: Draw): Promise<LedgerFigures> {
  const prepared = join(KEPT ?? root, `accounts-${accounts}`)
  const isThere = await stat(prepared).then(
    () => true,
    () => false,
  )
  if (!isThere) {
    await prepare(`${prepared}.making`, genesis, accounts)
    await cp(`${prepared}.making`, prepared, { recursive: true })
    await rm(`${prepared}.making`, { recursive: true })
  }
  const folder = join(root, 'run')
  await cp(prepared, folder, { recursive: true })
  const ledger = await openLedger({ folder, genesis: genesis.genesis, abi: ABI_1 })
  try {
    return await measured(ledger, genesis, accounts, draw)
  } finally {
    await ledger.close()
    await rm(folder, { recursive: true })
  }
}

/** Processor time per transfer by the number of accounts; `BENCH_LEDGER_PICK` names one of the three loads. */
export async function benchLedger(): Promise<Record<string, LedgerFigures>> {
  const root = await mkdtemp(join(tmpdir(), 'causeway-bench-ledger-'))
  const loads = {
    few: { accounts: FEW, draw: () => uniformPick(FEW) },
    uniform: { accounts: MANY, draw: () => uniformPick(MANY) },
    zipf: { accounts: MANY, draw: () => zipfPick(MANY, ZIPF_EXPONENT) },
  }
  const figures: Record<string, LedgerFigures> = {}
  try {
    const peers = await Promise.all([0, 1, 2, 3].map((index) => testPeer(index)))
    const genesis = await testGenesis({ peers, accounts: [] })
    for (const [name, { accounts, draw }] of Object.entries(loads)) {
      if ((process.env['BENCH_LEDGER_PICK'] ?? name) !== name) continue
      figures[name] = await onCopy(root, genesis, accounts, draw())
    }
  } finally {
    await rm(root, { recursive: true, force: true })
  }
  return figures
}
