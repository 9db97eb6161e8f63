/**
 * Owns the search for work that is too cheap: for each instruction the inputs that take longest per unit, executed with the
 * decoding of their record and the encoding of what changed, on a cold cache. Prints microseconds per execution unit.
 */
import { performance } from 'node:perf_hooks'
import type { Json } from '../../src/codec/index.js'
import { type ExecutableEntry, executeBlock } from '../../src/executor/index.js'
import { ABI_1 } from '../../src/features/index.js'
import { type AccountId, type Instruction, multisigAccount, signedTransaction } from '../../src/model/index.js'
import { MemoryBackend, WorldState } from '../../src/state/index.js'
import { Blocks, entry } from '../support/blocks.js'
import { CHAIN, codec } from '../support/chain.js'
import * as core from '../support/core.js'
import { accountNamed, type Bench } from '../support/executor.js'

/** Most microseconds that a unit of any input may take, and of the common ones (design/hardening.md 4). */
const WORST_MICROS = 0.3
const COMMON_MICROS = 0.15
const ROUNDS = Number(process.env['BENCH_WORST_ROUNDS'] ?? 9)
/** Time that each input runs before it is measured, in ms. */
const WARM_MS = 1_500
const SEED = Buffer.alloc(32, 3)
const VALUE_BYTES = 16 * 1024

/** One input: what is there before it, and the transactions whose time is taken. */
interface Case {
  readonly prepare?: (bench: Bench) => void
  readonly by?: AccountId
  readonly transactions: (bench: Bench) => readonly (readonly Instruction[])[]
  readonly isCommon?: true
}

/** What a case came to: the fastest of its rounds, for the machine is shared. */
export interface WorstFigure {
  readonly name: string
  readonly transactions: number
  readonly approved: number
  readonly teu: number
  readonly microsPerTeu: number
  readonly worstTransactionMs: number
  readonly isAbove: boolean
}

const { owner, alice, bob, agent } = core
const SELF = { kind: 'account', value: alice } as const
const people = (count: number): AccountId[] =>
  Array.from({ length: count }, (_, index) => accountNamed(`person ${index}`))
const repeat = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))

/** JSON of as many small parts as its bytes hold: it takes longest to read and to write. */
function shredded(bytes: number): Json {
  return repeat(Math.floor(bytes / 3) - 2, () => [])
}
function deep(bytes: number): Json {
  let value: Json = []
  for (let depth = 0; depth < 6; depth += 1) value = [value]
  return repeat(Math.floor(bytes / 17), () => value)
}
const text = (bytes: number): string => 'x'.repeat(bytes)
const LONG_DOMAIN = 'd'.repeat(128)
const LONG = `${'g'.repeat(128)}#${LONG_DOMAIN}`

function populated(bench: Bench, count: number, definition = core.USD): void {
  if (definition === LONG) {
    bench.genesis(
      owner,
      core.registerDomain(LONG_DOMAIN),
      core.registerDefinition(LONG),
      core.mint(alice, 10_000n, LONG),
    )
  }
  for (const person of people(count)) {
    bench.genesis(owner, core.registerAccount(person), core.mint(person, 10n, definition))
  }
}

/** Rules by which one member decides alone. */
const SOLO = core.policyOf([[alice, 1]], 1)

const notes = (value: () => Json) => repeat(4, (index) => core.setKey(SELF, `k${index}`, value()))

const CASES: Readonly<Record<string, Case>> = {
  transfer: {
    isCommon: true,
    prepare: (bench) => populated(bench, 200),
    transactions: () => people(200).map((to) => [core.transfer(alice, to, 1n)]),
  },
  'transfer, to new holders': {
    isCommon: true,
    prepare: (bench) =>
      repeat(200, (index) => bench.genesis(owner, core.registerAccount(accountNamed(`person ${index}`)))),
    transactions: () => people(90).map((to) => [core.transfer(alice, to, 1n)]),
  },
  'batch of 256, longest names': {
    isCommon: true,
    prepare: (bench) => populated(bench, 256, LONG),
    transactions: () => [
      [
        {
          kind: 'transferBatch',
          value: {
            transfers: people(256).map((to) => ({ asset: core.balance(alice, LONG), to, amount: core.units(1n) })),
          },
        },
      ],
    ],
  },
  'mint and burn': {
    isCommon: true,
    transactions: () => repeat(100, () => [core.mint(alice, 2n), core.burn(alice, 1n)]),
    by: owner,
  },
  'log, longest': { isCommon: true, transactions: () => repeat(100, () => [core.log(text(1_024))]) },
  'log, shortest': { transactions: () => [repeat(2_000, () => core.log(''))] },
  'metadata: text': { transactions: () => repeat(4, () => notes(() => text(VALUE_BYTES - 10))) },
  'metadata: shredded JSON': { transactions: () => repeat(4, () => notes(() => shredded(VALUE_BYTES - 10))) },
  'metadata: deep JSON': { transactions: () => repeat(4, () => notes(() => deep(VALUE_BYTES - 100))) },
  'metadata: short over shredded': {
    prepare: (bench) => bench.genesis(alice, ...notes(() => shredded(VALUE_BYTES - 10))),
    transactions: () => repeat(50, () => notes(() => 1)),
  },
  'metadata: many keys': {
    transactions: () =>
      repeat(4, () => repeat(60, (index) => core.setKey(SELF, `key ${index}`.replace(' ', ''), index))),
  },
  'accounts with metadata': {
    by: owner,
    transactions: () =>
      repeat(8, (index) => [
        {
          kind: 'registerAccount',
          value: {
            id: accountNamed(`fresh ${index}`),
            domain: 'bank',
            label: undefined,
            metadata: new Map([['a', shredded(VALUE_BYTES - 200)]]),
          },
        },
      ]),
  },
  accounts: {
    by: owner,
    transactions: () => repeat(200, (index) => [core.registerAccount(accountNamed(`fresh ${index}`), `label${index}`)]),
  },
  'domains and definitions': {
    by: owner,
    transactions: () =>
      repeat(100, (index) => [core.registerDomain(`d${index}`), core.registerDefinition(`x#d${index}`)]),
  },
  'nfts with content': {
    by: owner,
    transactions: () =>
      repeat(8, (index) => [core.registerNft(`n${index}$bank`, new Map([['c', shredded(VALUE_BYTES - 200)]]))]),
  },
  'triggers: registered with a long list': {
    transactions: () =>
      repeat(4, (index) => [
        core.registerTrigger(
          `t${index}`,
          alice,
          core.BY_CALL,
          repeat(64, () => core.log(text(1_000))),
        ),
      ]),
  },
  'triggers: called, long list': {
    prepare: (bench) =>
      bench.genesis(
        alice,
        core.registerTrigger(
          't',
          alice,
          core.BY_CALL,
          repeat(64, () => core.log(text(1_000))),
        ),
      ),
    transactions: () => repeat(10, () => [core.callTrigger('t')]),
  },
  'triggers: called, stored JSON that fails': {
    prepare: (bench) =>
      bench.genesis(
        alice,
        core.registerTrigger('t', alice, core.BY_CALL, [
          ...repeat(6, (index) => core.setKey(SELF, `k${index}`, shredded(9_000))),
          core.burn(alice, 10_000_000n),
        ]),
      ),
    transactions: () => repeat(8, () => [core.callTrigger('t')]),
  },
  'triggers: 64 followers of one account': {
    prepare: (bench) => {
      repeat(60, (index) =>
        bench.run(
          bob,
          core.registerTrigger(`f${index}`, bob, core.onData('asset', { kind: 'account', value: bob }), [core.log('')]),
        ),
      )
    },
    transactions: () => repeat(30, () => [core.transfer(alice, bob, 1n)]),
  },
  'proposals: long, executed at once': {
    prepare: (bench) => bench.genesis(owner, core.registerMultisig(SOLO)),
    transactions: () =>
      repeat(4, (at) => [core.propose(multisigAccount(SOLO), ...repeat(60, () => core.log(text(900 + at))))]),
  },
  'roles and permissions': {
    by: owner,
    transactions: () =>
      repeat(60, (index) => [
        core.permission('grant', 'CanTransferAsset', `${core.USD}#${index}`, agent),
        core.permission('grant', 'CanMint', core.USD, agent),
        core.permission('revoke', 'CanMint', core.USD, agent),
      ]),
  },
}

/** The state of a bench, with nothing in memory. */
async function coldState(bench: Bench): Promise<WorldState> {
  const state = await WorldState.open({ backend: new MemoryBackend(), treeBits: 12, context: codec, cacheBytes: 1 })
  const overlay = state.overlay()
  for (const { table, row, value } of bench.state.changes()) if (value !== undefined) overlay.setRow(table, row, value)
  await state.commit(state.prepare(overlay), { height: 1 })
  return state
}

/** A record as it comes from the wire: nothing of it is decoded yet. */
function fromWire(one: ExecutableEntry): ExecutableEntry {
  const decoded = signedTransaction.decode(one.signedBytes, codec)
  if (!decoded.ok) throw new Error(decoded.fault.message)
  return { ...one, signed: decoded.value }
}

async function timed(state: WorldState, entries: readonly ExecutableEntry[]) {
  const place = { abi: ABI_1, chain: CHAIN, chainHash: SEED, height: 2, originView: 0, timeMs: 10 }
  const overlay = state.overlay()
  const started = performance.now()
  const opened = entries.map(fromWire)
  const run = executeBlock({ ...place, parentCertificate: undefined, evidence: [], entries: opened }, overlay)
  state.prepare(overlay)
  const ms = performance.now() - started
  const approved = run.results.filter((one) => one.outcome.kind === 'approved').length
  return { ms, approved, teu: run.results.reduce((sum, one) => sum + one.teu, 0) }
}

async function measure(name: string, one: Case): Promise<WorstFigure | undefined> {
  const bench = core.smallWorld()
  bench.genesis(owner, core.mint(alice, 1_000_000n))
  one.prepare?.(bench)
  new Blocks(bench)
  const entries = one.transactions(bench).map((list) => entry(one.by ?? alice, list))
  if (entries.length === 0) return undefined
  // Code that nobody optimised yet says nothing about a node that runs.
  for (const until = performance.now() + WARM_MS; performance.now() < until; )
    await timed(await coldState(bench), entries)
  let best = { ms: Number.POSITIVE_INFINITY, approved: 0, teu: 1 }
  let single = Number.POSITIVE_INFINITY
  for (let round = 0; round < ROUNDS; round += 1) {
    const whole = await timed(await coldState(bench), entries)
    if (whole.ms < best.ms) best = whole
    single = Math.min(single, (await timed(await coldState(bench), entries.slice(0, 1))).ms)
  }
  const microsPerTeu = (best.ms * 1_000) / best.teu
  const isAbove = microsPerTeu > (one.isCommon === true ? COMMON_MICROS : WORST_MICROS)
  return {
    name,
    transactions: entries.length,
    approved: best.approved,
    teu: best.teu,
    microsPerTeu,
    worstTransactionMs: single,
    isAbove,
  }
}

/** Runs the search; the dearest first. */
export async function benchWorst(): Promise<{ readonly inputs: WorstFigure[]; readonly worstTransactionMs: number }> {
  const found: WorstFigure[] = []
  for (const [name, one] of Object.entries(CASES)) {
    const figure = await measure(name, one)
    if (figure !== undefined) found.push(figure)
  }
  found.sort((a, b) => b.microsPerTeu - a.microsPerTeu)
  return { inputs: found, worstTransactionMs: Math.max(...found.map((one) => one.worstTransactionMs)) }
}
