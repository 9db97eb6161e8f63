/** A minute in which votes end, repos mature and subscriptions are charged, on two ledgers: each runs once. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ABI_2 } from '../../../src/features/abi.js'
import { instructions as gov } from '../../../src/features/gov/schema/instructions.js'
import { queries as govQueries } from '../../../src/features/gov/schema/views.js'
import type { RepoTerms } from '../../../src/features/repo/schema/records.js'
import { queries as repoQueries } from '../../../src/features/repo/schema/views.js'
import { queries as subscriptionQueries } from '../../../src/features/subscriptions/schema/views.js'
import { type Instruction, instruction, type QueryDef } from '../../../src/model/index.js'
import type { Ledger } from '../../../src/node/ledger/ledger.js'
import { DEFINITION, signedBy, type TestAccount, testAccount } from '../../support/chain.js'
import * as core from '../../support/core.js'
import { found, ROLE, submit, track } from '../../support/gov.js'
import { LedgerBench } from '../../support/ledger-bench.js'
import * as repos from '../../support/repos.js'
import * as sub from '../../support/subscriptions.js'

const { DAY, MINUTE } = sub
const codec = ABI_2.codec('cw')
/** Cut-off of the repurchase date. */
const CROWDED_MS = Date.UTC(2026, 11, 1, 17)
const SUBSCRIPTIONS = 120
/** Instructions of one transaction. */
const TOGETHER = 20
const REPOS = 10
/** Proposals: the most that two accounts can have open; the first half is approved. */
const PROPOSALS = 4
const BLOCKS = 60

const [alice, bob] = (await Promise.all(['alice', 'bob'].map(testAccount))) as [TestAccount, TestAccount]
let bench: LedgerBench
let [one, two]: (Ledger | undefined)[] = []
let lastMs = 0

/** The next block on both ledgers, whose roots are equal. */
async function block(timeMs: number, by?: TestAccount, ...list: readonly Instruction[]): Promise<void> {
  if (one === undefined || two === undefined) throw new Error('the ledgers are not open')
  lastMs = Math.max(timeMs, lastMs + 1)
  const records = by === undefined ? [] : [signedBy(by, list, lastMs - 1, 100_000, codec)]
  const before = (await one.tip()).approved
  const built = await bench.build(one, records, lastMs)
  await bench.commit(one, built)
  await bench.commit(two, built)
  const [first, second] = [await one.tip(), await two.tip()]
  expect(second.stateRoot).toEqual(first.stateRoot)
  expect(first.approved, JSON.stringify(list.map(({ kind }) => kind))).toBe(before + records.length)
}

async function ask<Q, R>(def: QueryDef<Q, R>, input: Q): Promise<R> {
  const { output } = (await two?.query({ kind: def.kind, input: def.input.encode(input, codec) })) ?? {}
  const decoded = def.output.decode(output ?? Buffer.alloc(0), codec)
  if (!decoded.ok) throw new Error(decoded.fault.message)
  return decoded.value
}

const terms: RepoTerms = {
  ...repos.TERMS,
  cash: { definition: repos.EUR, amount: repos.cents(100_000n) },
  collateral: [repos.asset(repos.GOLD, 100n)],
  posters: [bob.id],
}
const sides = { seller: alice.id, buyer: bob.id }
const offer: sub.Offer = {
  provider: bob.id,
  plan: 'daily',
  terms: sub.monthly({ asset: DEFINITION, fixed: core.units(1n), cadence: sub.every(DAY) }),
}
const numbers = (count: number): number[] => Array.from({ length: count }, (_, at) => at)

beforeAll(async () => {
  const extra = [
    ...[repos.EUR, repos.GOLD, repos.BOND].map((id) => core.registerDefinition(id)),
    ...[alice.id, bob.id].flatMap((id) => [repos.EUR, repos.GOLD].map((of) => core.mint(id, 1_000_000n, of))),
    repos.setCalendar(),
    core.registerRole(ROLE),
    ...[alice.id, bob.id].map((id) => core.roleOf('grant', ROLE, id)),
    instruction(gov.sealRole, { role: ROLE, members: [alice.id, bob.id] }),
    found([[0, track({ early: false, votingMs: DAY })]]),
  ]
  bench = await LedgerBench.create(extra, { abi: ABI_2 })
  one = await bench.open('one')
  two = await bench.open('two')
})
afterAll(() => bench.close())

/** Everything that is due in the minute, agreed on the day before. */
async function prepare(): Promise<void> {
  const beginMs = CROWDED_MS - DAY
  for (const at of numbers(REPOS)) await block(beginMs - MINUTE * 60, alice, repos.propose(`R${at}`, terms, sides))
  for (const at of numbers(REPOS)) await block(0, bob, repos.consent(`R${at}`, terms, { ...sides, proposer: alice.id }))
  await block(beginMs - MINUTE, bob, sub.createPlan(offer.plan, offer.terms))
  for (const first of numbers(SUBSCRIPTIONS / TOGETHER)) {
    const list = numbers(TOGETHER).map((at) => sub.subscribe(offer, sub.mandateOf(1_000n), `r${first * TOGETHER + at}`))
    await block(beginMs - 30_000, alice, ...list)
  }
  for (const by of [alice, bob])
    for (const _ of [1, 2]) await block(beginMs - 10_000, by, submit(0, [core.log('decided')]))
  for (const proposal of numbers(PROPOSALS / 2).map((at) => at + 1)) {
    const { digest } = await ask(govQueries.govReferendum, { proposal })
    const more = { amount: undefined, conviction: 0, peer: undefined }
    for (const by of [alice, bob])
      await block(0, by, instruction(gov.castBallot, { proposal, digest, choice: 'aye', ...more }))
  }
}

describe('a minute with ending votes, maturing repos and due subscription charges', () => {
  it('runs each due task once on both ledgers, with equal roots', async () => {
    await prepare()
    for (const minute of numbers(3)) {
      for (const second of numbers(BLOCKS / 3)) await block(CROWDED_MS + minute * MINUTE + second * 1_000)
    }
    const statuses = await Promise.all(
      numbers(PROPOSALS).map(async (at) => (await ask(govQueries.govReferendum, { proposal: at + 1 })).status),
    )
    expect(statuses).toEqual(['enacted', 'enacted', 'rejected', 'rejected'])
    const agreements = await Promise.all(
      numbers(REPOS).map((at) => ask(repoQueries.repo, { id: repos.idOf(`R${at}`, alice.id) })),
    )
    expect(agreements.map(({ status }) => status)).toEqual(numbers(REPOS).map(() => 'closed'))
    for (const at of numbers(SUBSCRIPTIONS)) {
      const subscription = sub.idOf(offer, alice.id, `r${at}`)
      const { items } = await ask(subscriptionQueries.subscriptionInvoices, {
        subscription,
        limit: 10,
        after: undefined,
      })
      expect(items.map(({ invoice }) => invoice.number)).toEqual([2, 1])
    }
  })
})
