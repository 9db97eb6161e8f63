/**
 * Owns the benchmark of real-world assets, repos and subscriptions: the cost of their instructions beside a transfer,
 * and of blocks while a million due runs wait.
 */

import { scheduleRun } from '../../src/executor/index.js'
import { ABI_2 } from '../../src/features/abi.js'
import { chargeRun } from '../../src/features/subscriptions/ledger/charge.js'
import { accountKeyOf, accountOfKey } from '../../src/model/index.js'
import type { WorldState } from '../../src/state/index.js'
import * as core from '../support/core.js'
import type { Bench } from '../support/executor.js'
import * as repos from '../support/repos.js'
import * as sub from '../support/subscriptions.js'
import { payers, TransferBlocks, transferWorld } from './executor.js'
import { median } from './quantile.js'
import { repeat, type WorstCase } from './worst/inputs.js'
import { coldState, fastest, preparedCase, timedBlock } from './worst/measure.js'
import { RWA_CASES } from './worst/rwas.js'
import { SUBSCRIPTION_CASES } from './worst/subscriptions.js'

const { alice, bob, owner } = core
/** Instructions per block. */
const COUNT = 40

const transfers: WorstCase = {
  abi: ABI_2,
  transactions: () => repeat(COUNT, () => [core.transfer(alice, bob, 1n)]),
}
/** Openings of agreements by the consent of the buyer. */
function openings(items: number): WorstCase {
  const assets = repeat(items, (at) => `gold${at}#bank`)
  const terms = {
    ...repos.TERMS,
    cash: { definition: repos.EUR, amount: repos.cents(100n) },
    collateral: assets.map((id) => repos.asset(id, 100n)),
    eligible: assets.map((definition) => ({ definition, haircutPpm: 20_000 })),
  }
  const reference = (at: number): string => `R${at}`
  return {
    abi: ABI_2,
    by: bob,
    timeMs: repos.START_MS,
    prepare: (bench) => {
      bench.timeMs = repos.START_MS
      bench.genesis(
        owner,
        core.permission('grant', 'CanManageCalendars', undefined, owner),
        repos.setCalendar({ weekend: [] }),
        ...[repos.EUR, ...assets].map((id) => core.registerDefinition(id)),
        ...[repos.EUR, ...assets].flatMap((id) => [alice, bob].map((account) => core.mint(account, 1_000_000n, id))),
      )
      bench.genesis(alice, ...repeat(COUNT, (at) => repos.propose(reference(at), terms)))
    },
    transactions: () => repeat(COUNT, (at) => [repos.consent(reference(at), terms)]),
  }
}

/** Processor time of one transaction of a block, in ms: the fastest of many rounds. */
async function perTransactionMs(one: WorstCase): Promise<number> {
  const { bench, entries } = preparedCase(one)
  const state = await coldState(bench.state, bench.abi.codec('cw'))
  const { ms, approved } = await fastest(() =>
    timedBlock(state, entries, { abi: ABI_2, ...(one.timeMs === undefined ? {} : { timeMs: one.timeMs }) }),
  )
  if (approved !== entries.length) throw new Error(`${entries.length - approved} of ${entries.length} were rejected`)
  return ms / entries.length
}

async function instructionCosts() {
  const cases: Readonly<Record<string, WorstCase | undefined>> = {
    'charge that is due': SUBSCRIPTION_CASES['subscriptions: charges that are due'],
    'transfer of a lot': RWA_CASES['rwas: transfers of plain lots'],
    'opening of a repo with 1 item': openings(1),
    'opening of a repo with 4 items': openings(4),
    'opening of a repo with 8 items': openings(8),
  }
  const transferMs = await perTransactionMs(transfers)
  const ratios: Record<string, number> = {}
  for (const [name, one] of Object.entries(cases)) {
    if (one === undefined) throw new Error(`there is no input for ${name}`)
    ratios[name] = (await perTransactionMs(one)) / transferMs
  }
  return { transferMicros: transferMs * 1_000, transfersEach: ratios }
}

const SUBSCRIPTIONS = 1_000
const FEW_RUNS = 1_000
const MANY_RUNS = Number(process.env['BENCH_DUE_RUNS'] ?? 1_000_000)
const RUNS_PER_OWNER = 2_000
const FILLED_AT_ONCE = 20_000
const YEAR_MS = 365 * sub.DAY
const PERIOD_MS = sub.HOUR
/** Tree depth of a database that grew to a million rows: one that begins at 18 deepens once (decision 45). */
const TREE_BITS = 20
const WARM_BLOCKS = 60
const PAIRS = 120

/** Subscriptions that are charged each hour, spread over it. */
function subscribed(bench: Bench, accounts: readonly string[]): void {
  const provider = accounts[0] as string
  const offer: sub.Offer = {
    provider,
    plan: 'hourly',
    terms: sub.monthly({ cadence: sub.every(PERIOD_MS), fixed: { mantissa: 1n, scale: 2 } }),
  }
  bench.genesis(provider, sub.createPlan(offer.plan, offer.terms))
  for (let at = 0; at < SUBSCRIPTIONS; at += 1) {
    bench.timeMs = Math.floor((at * PERIOD_MS) / SUBSCRIPTIONS) + 1
    bench.genesis(accounts[1 + at] as string, sub.subscribe(offer, sub.mandateOf(1_000n)))
  }
}

/** Add runs that are due in a year or later, of owners with as many as one minute allows. */
async function fill(state: WorldState, count: number): Promise<void> {
  for (let from = 0; from < count; from += FILLED_AT_ONCE) {
    const overlay = state.overlay()
    for (let at = from; at < Math.min(count, from + FILLED_AT_ONCE); at += 1) {
      const party = Math.floor(at / RUNS_PER_OWNER)
      const payer = accountOfKey(accountKeyOf('ed25519', Buffer.alloc(32, `provider ${party}`)))
      const key = Buffer.alloc(32)
      key.writeUInt32BE(at + 1)
      const due = scheduleRun(overlay, chargeRun, key, { owner: payer, dueMs: YEAR_MS + party * sub.MINUTE })
      if (typeof due !== 'number') throw new Error(`a run was rejected: ${due.code}`)
    }
    await state.commit(state.prepare(overlay), { height: state.height + 1 })
  }
}

/**
 * Blocks one minute apart, each with transfers and the charges of that minute; with 1,000 and with a million waiting
 * runs. Times of execution, root and indexes, without the writes to the store in memory, which no node has.
 */
async function blocksBesideRuns() {
  const accounts = payers(SUBSCRIPTIONS + 1)
  const sides: { readonly blocks: TransferBlocks; readonly ms: number[]; readonly state: WorldState }[] = []
  for (const count of [FEW_RUNS, MANY_RUNS]) {
    const more = (bench: Bench): void => subscribed(bench, accounts)
    const state = await transferWorld({ accounts, abi: ABI_2, treeBits: TREE_BITS, more })
    await fill(state, count - SUBSCRIPTIONS)
    const place = { timeMs: PERIOD_MS, stepMs: sub.MINUTE, perBlock: 100 }
    sides.push({ state, blocks: new TransferBlocks(state, accounts, ABI_2, place), ms: [] })
  }
  let charges = 0
  for (let round = 0; round < WARM_BLOCKS + PAIRS; round += 1) {
    for (const { blocks, ms } of round % 2 === 0 ? sides : sides.toReversed()) {
      const { runs, execute, prepare, index } = await blocks.next()
      charges += runs
      if (round >= WARM_BLOCKS) ms.push(execute + prepare + index)
    }
  }
  for (const { state } of sides) await state.close()
  const [fewMs = Number.NaN, manyMs = Number.NaN] = sides.map(({ ms }) => median(ms))
  const blocks = 2 * (WARM_BLOCKS + PAIRS)
  return { runs: [FEW_RUNS, MANY_RUNS], chargesPerBlock: charges / blocks, fewMs, manyMs, ratio: manyMs / fewMs }
}

/** Run the benchmark. */
export const benchFinance = async () => ({
  instructions: await instructionCosts(),
  waitingRuns: await blocksBesideRuns(),
})
