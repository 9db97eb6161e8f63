/** Lots against a naive execution: random histories of one class, on two executors. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { instructions as assets } from '../../../src/features/assets/schema/instructions.js'
import { instructions as permissions } from '../../../src/features/permissions/schema.js'
import { incomeVault } from '../../../src/features/rwas/ledger/income.js'
import { lotSettlementObject } from '../../../src/features/rwas/schema/instructions.js'
import { earnedBy, holderOf, unitsAt } from '../../../src/ledger/lot-income.js'
import { rwaClasses, rwaHolders, rwaLots } from '../../../src/ledger/lot-tables.js'
import { balances, definitions } from '../../../src/ledger/tables.js'
import { type AccountId, type Instruction, instruction, keylessKind, type RwaFlag } from '../../../src/model/index.js'
import { MemoryBackend, type Overlay, WorldState } from '../../../src/state/index.js'
import { slice } from '../../suites.mjs'
import * as core from '../../support/core.js'
import { DEPOSIT_ABI, deposit, depositKey, depositVault } from '../../support/deposits.js'
import { Bench } from '../../support/executor.js'
import { NaiveRwas } from '../../support/naive-rwas.js'
import { keysIn, rowsOf } from '../../support/nodes.js'
import * as rwa from '../../support/rwas.js'
import { alice, bob, carol, GOLD, hundredths, lotOf, outsider, owner, START_MS } from '../../support/rwas.js'

/** `RWA_HISTORIES` and `RWA_SEED` choose others. */
const RUNS = Number(process.env.RWA_HISTORIES ?? slice(8, 60))
const SEED = Number(process.env.RWA_SEED ?? 1)
const codec = DEPOSIT_ABI.codec('cw')
const HOLDERS_MAX = 4
const KEYS = [depositKey(1), depositKey(2)] as const
const PEOPLE = [owner, alice, bob, carol, outsider] as const
const VAULTS = KEYS.map(depositVault)
const START_CASH = 100_000_000n

const setup = rwa.rwaWorld({ holdersMax: HOLDERS_MAX, flags: { ...rwa.ALL, eligibleOnly: true } }, { abi: DEPOSIT_ABI })
for (const key of KEYS) setup.run(owner, instruction(deposit.openDepositVault, { key, definition: GOLD }))
const rows = rowsOf(setup.state)

async function worldOf(): Promise<WorldState> {
  const world = await WorldState.open({ backend: new MemoryBackend(), cacheBytes: 0, context: codec })
  await world.commit(world.prepareRows(rows), { height: 1 })
  return world
}
async function rootOf(state: Overlay): Promise<Buffer> {
  const changed = state.changes().map(({ row, table, value }) => ({
    row,
    bytes: value === undefined ? undefined : table.value.encode(value, codec),
  }))
  return (await worldOf()).prepareRows(changed).root
}

const person = fc.constantFrom(...PEOPLE)
/** Index among the live lots; the last ones are plain numbers of spent lots or of lots that are not issued. */
const lot = fc.integer({ min: 0, max: 30 })
const amount = fc.oneof(
  { weight: 6, arbitrary: fc.bigInt(1n, 120n) },
  { weight: 1, arbitrary: fc.constantFrom(0n, -1n, 1_000_000_000n) },
)
const issued = fc.oneof(
  { weight: 9, arbitrary: fc.bigInt(200n, 1_000n) },
  { weight: 1, arbitrary: fc.constantFrom(0n, -1n) },
)
const part = fc.option(amount, { nil: undefined })
/** Account that sends an instruction: mostly its lawful authority. */
const by = fc.constantFrom('lawful', 'lawful', 'lawful', 'lawful', 'lawful', 'lawful', 'other')
function record<K extends string, R extends object>(kind: K, more: { [P in keyof R]: fc.Arbitrary<R[P]> }) {
  return fc.tuple(by, fc.record(more)).map(([by, rest]) => ({ kind, by, ...(rest as R) }))
}
const DAY_MS = 86_400_000
const time = fc.option(fc.integer({ min: -1, max: DAY_MS }), { nil: undefined })
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: record('issue', {
      to: person,
      quantity: issued,
      grade: fc.constantFrom('fine', 'fine', 'fine', 'fine', 'raw'),
    }),
  },
  { weight: 8, arbitrary: record('transfer', { lot, to: person, part }) },
  { weight: 4, arbitrary: record('split', { lot, parts: fc.array(amount, { maxLength: 3 }) }) },
  { weight: 8, arbitrary: record('merge', { lots: fc.array(lot, { minLength: 1, maxLength: 3 }) }) },
  { weight: 2, arbitrary: record('freeze', { lot, on: fc.constantFrom(true, false, false) }) },
  { weight: 5, arbitrary: record('hold', { lot, quantity: amount, time }) },
  { weight: 5, arbitrary: record('release', { lot, hold: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 5, arbitrary: record('force', { lots: fc.array(lot, { maxLength: 2 }), to: person }) },
  { weight: 3, arbitrary: record('request', { lot, quantity: amount }) },
  { weight: 4, arbitrary: record('redeem', { lot, hold: fc.integer({ min: 1, max: 3 }), accept: fc.boolean() }) },
  {
    weight: 3,
    arbitrary: record('admit', {
      account: person,
      until: fc.constantFrom(undefined, -1, DAY_MS, 30 * DAY_MS, 30 * DAY_MS, 30 * DAY_MS),
    }),
  },
  {
    weight: 1,
    arbitrary: record('change', {
      paused: fc.constantFrom(undefined, true, false, false, false),
      clear: fc.constantFrom<RwaFlag[]>([], [], [], [], ['hold'], ['eligibleOnly'], ['force']),
    }),
  },
  { weight: 3, arbitrary: record('declare', { amount }) },
  {
    weight: 4,
    arbitrary: record('claim', { lots: fc.array(lot, { maxLength: 3 }), accounts: fc.array(person, { maxLength: 2 }) }),
  },
  {
    weight: 3,
    arbitrary: record('deliver', {
      lot,
      quantity: amount,
      to: person,
      price: amount,
      id: fc.integer({ min: 1, max: 6 }),
      isAgreed: fc.constantFrom(true, true, false),
    }),
  },
  { weight: 4, arbitrary: record('pledge', { lot, part, vault: fc.constantFrom(0, 1) }) },
  { weight: 4, arbitrary: record('return', { lot, part, to: fc.option(person, { nil: undefined }) }) },
  {
    weight: 2,
    arbitrary: record('control', {
      account: person,
      what: fc.constantFrom('frozen', 'blacklisted', 'cap', 'none', 'none', 'none'),
      cap: fc.bigInt(1n, 500n),
    }),
  },
  { weight: 1, arbitrary: record('bar', { account: person, on: fc.boolean() }) },
  { weight: 1, arbitrary: record('plain', { to: person, quantity: amount }) },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never
const history = fc.array(fc.record({ step, waitMs: fc.constantFrom(0, 0, 0, 1, 3_600_000, DAY_MS / 2) }), {
  minLength: 60,
  maxLength: 90,
})

/** Step with numbers of lots instead of indexes. */
function meant(naive: NaiveRwas, step: Step): Step {
  const live = [...naive.world.lots.keys()]
  const number = (place: number): number =>
    place > 27 || live.length === 0 ? 1 + (place % 5) : (live[place % live.length] ?? 1)
  // Mostly the id of an existing hold.
  if ((step.kind === 'redeem' || step.kind === 'release') && step.lot < 24) {
    const wanted = step.kind === 'redeem' ? 'redemption' : 'legal'
    const holds = [...naive.world.lots].flatMap(([at, lot]) =>
      naive.live(lot).flatMap(({ kind, id }) => (kind === wanted ? [{ lot: at, hold: id }] : [])),
    )
    if (holds.length > 0) return { ...step, ...(holds[step.lot % holds.length] ?? {}) }
  }
  if (step.kind === 'merge' && step.by === 'lawful' && live.length > 0) {
    const first = naive.world.lots.get(number(step.lots[0] ?? 0))
    const alike = live.filter((at) => naive.world.lots.get(at)?.holder === first?.holder)
    if (alike.length > 0) return { ...step, lots: step.lots.map((place) => alike[place % alike.length] ?? 1) }
  }
  if ('lots' in step) return { ...step, lots: step.lots.map(number) }
  return 'lot' in step ? { ...step, lot: number(step.lot) } : step
}

/** One step of a history: instruction, authority, and result of the naive execution. */
function made(naive: NaiveRwas, step: Step): readonly [AccountId, Instruction, () => string | undefined] {
  const holder = (number: number) => {
    const live = naive.world.lots.get(number)
    return live === undefined ? alice : live.holder
  }
  const issuerOr = step.by === 'lawful' ? owner : alice
  const holderOr = (number: number) => {
    const account = holder(number)
    if (step.by === 'other' || keylessKind(account) === 'vault') return outsider
    return account
  }
  const { nowMs } = naive
  switch (step.kind) {
    case 'issue':
      return [
        issuerOr,
        rwa.issue(step.to, step.quantity, { grade: step.grade }),
        () => naive.issue(issuerOr, step.to, step.quantity, step.grade),
      ]
    case 'transfer': {
      const from = holderOr(step.lot)
      return [from, rwa.move(step.lot, step.to, step.part), () => naive.transfer(from, step.lot, step.to, step.part)]
    }
    case 'split': {
      const from = holderOr(step.lot)
      return [from, rwa.split(step.lot, ...step.parts), () => naive.split(from, step.lot, step.parts)]
    }
    case 'merge': {
      const from = holderOr(step.lots[0] ?? 1)
      return [from, rwa.merge(...step.lots), () => naive.merge(from, step.lots)]
    }
    case 'freeze':
      return [issuerOr, rwa.freeze(step.lot, step.on), () => naive.freeze(issuerOr, step.lot, step.on)]
    case 'hold': {
      const until = step.time === undefined ? undefined : nowMs + step.time
      return [
        issuerOr,
        rwa.hold(step.lot, step.quantity, until),
        () => naive.hold(issuerOr, step.lot, step.quantity, until),
      ]
    }
    case 'release':
      return [issuerOr, rwa.release(step.lot, step.hold), () => naive.release(issuerOr, step.lot, step.hold)]
    case 'force':
      return [issuerOr, rwa.force(step.lots, step.to), () => naive.force(issuerOr, step.lots, step.to)]
    case 'request': {
      const from = holderOr(step.lot)
      return [from, rwa.request(step.lot, step.quantity), () => naive.request(from, step.lot, step.quantity)]
    }
    case 'redeem': {
      const from = step.by === 'lawful' ? owner : holder(step.lot) === VAULTS[0] ? outsider : holderOr(step.lot)
      return [
        from,
        rwa.redeem(step.lot, step.hold, step.accept),
        () => naive.redeem(from, step.lot, step.hold, step.accept),
      ]
    }
    case 'admit': {
      const until = step.until === undefined ? undefined : nowMs + step.until
      return [issuerOr, rwa.admit(step.account, until), () => naive.admit(issuerOr, step.account, until)]
    }
    case 'change': {
      return [issuerOr, rwa.change(step.paused, ...step.clear), () => naive.change(issuerOr, step.paused, step.clear)]
    }
    case 'declare':
      return [issuerOr, rwa.declare(step.amount), () => naive.declare(issuerOr, step.amount)]
    case 'claim':
      return [outsider, rwa.claim(step.lots, ...step.accounts), () => naive.claim(step.lots, step.accounts)]
    case 'pledge':
      return [
        outsider,
        instruction(deposit.pledgeLot, {
          key: KEYS[step.vault === 0 ? 0 : 1],
          lot: lotOf(step.lot),
          quantity: step.part === undefined ? undefined : hundredths(step.part),
        }),
        () => naive.agree(step.lot, VAULTS[step.vault] ?? owner, step.part),
      ]
    case 'return': {
      const live = naive.world.lots.get(step.lot)
      const to = step.to ?? (live === undefined ? alice : naive.ownerOf(live))
      return [
        outsider,
        instruction(deposit.returnLot, {
          key: KEYS[0],
          lot: lotOf(step.lot),
          to,
          quantity: step.part === undefined ? undefined : hundredths(step.part),
        }),
        () => naive.agree(step.lot, to, step.part),
      ]
    }
    case 'plain':
      return [
        alice,
        instruction(assets.transfer, {
          asset: { definition: GOLD, account: alice },
          to: step.to,
          amount: hundredths(step.quantity),
        }),
        () => (step.to === alice ? 'self_transfer' : 'lots_only'),
      ]
    default:
      throw new Error(`${step.kind} is done by the driver`)
  }
}

/** Check a state: lots sum to balances, owners are counted, income equals that of the model. */
function compare({ state }: Bench, naive: NaiveRwas): void {
  const { world } = naive
  const found = state.get(rwaClasses, GOLD)
  if (found === undefined) throw new Error('gold is missing')
  expect(found.nextLot).toBe(world.next)
  expect(found.holders).toBe(naive.owners.size)
  expect(unitsAt(state.get(definitions, GOLD)?.total ?? hundredths(0n), 2)).toBe(naive.total)
  const owed = new Map<AccountId, bigint>()
  for (let number = 1; number < world.next; number += 1) {
    const row = state.get(rwaLots, { definition: GOLD, number })
    const live = world.lots.get(number)
    if (live === undefined) {
      expect(row?.kind, `lot ${number}`).toBe('spent')
      continue
    }
    if (row?.kind !== 'live') throw new Error(`lot ${number} is not live`)
    expect({
      holder: row.value.holder,
      pledgor: row.value.beneficiary,
      quantity: unitsAt(row.value.quantity, 2),
      frozen: row.value.frozen,
      grade: row.value.grade,
      parents: row.value.parents.map((one) => [one.number, unitsAt(one.quantity, 2)]),
      earned: earnedBy(row.value, found, 2),
    }).toEqual({
      holder: live.holder,
      pledgor: live.pledgor,
      quantity: live.quantity,
      frozen: live.frozen,
      grade: live.grade,
      parents: live.parents,
      earned: live.earned,
    })
  }
  for (const account of [...PEOPLE, ...VAULTS]) {
    const asset = { definition: GOLD, account }
    expect(unitsAt(state.get(balances, asset) ?? hundredths(0n), 2)).toBe(naive.balanceOf(account))
    const owned = [...world.lots.values()].filter((one) => naive.ownerOf(one) === account).length
    const row = holderOf(state, GOLD, account)
    expect([row.lots, row.owed.mantissa]).toEqual([owned, world.owed.get(account) ?? 0n])
    owed.set(account, row.owed.mantissa)
    const cash = state.get(balances, { definition: core.USD, account }) ?? hundredths(0n)
    expect(unitsAt(cash, 2)).toBe(world.cash.get(account) ?? 0n)
  }
  for (const key of keysIn(state, rwaHolders)) {
    const row = state.get(rwaHolders, key)
    expect(row === undefined || row.lots > 0 || row.owed.mantissa > 0n || row.eligible !== undefined).toBe(true)
  }
  const pool = state.get(balances, { definition: core.USD, account: incomeVault(GOLD) }) ?? hundredths(0n)
  expect(unitsAt(pool, 2)).toBe(world.pool)
  expect(found.income?.carry.mantissa ?? 0n).toBe(world.carry)
  expect(naive.isIncomeExact).toBe(true)
}

it(`lots match a naive execution in ${RUNS} histories, with equal roots on two executors`, async () => {
  const seen = new Map<string, number>()
  await fc.assert(
    fc.asyncProperty(history, async (steps) => {
      const world = await worldOf()
      const first = new Bench(setup.state, DEPOSIT_ABI)
      const base = world.overlay()
      const second = new Bench(base, DEPOSIT_ABI)
      const naive = new NaiveRwas(
        owner,
        (account) => keylessKind(account) === 'vault',
        { ...rwa.ALL, eligibleOnly: true },
        HOLDERS_MAX,
        [owner, alice, bob].map((account) => [account, START_CASH] as const),
      )
      naive.nowMs = START_MS
      const benches = [first, second]
      const both = (by: AccountId, ...list: readonly Instruction[]): string | undefined => {
        const [code, other] = benches.map((bench) => bench.run(by, ...list))
        expect(other).toBe(code)
        return code
      }
      const pass = (waitMs: number): void => {
        naive.nowMs += waitMs
        for (const bench of benches) bench.timeMs = naive.nowMs
      }
      pass(0)
      for (const account of [alice, bob, carol]) {
        both(owner, rwa.admit(account, START_MS + 30 * DAY_MS))
        naive.admit(owner, account, START_MS + 30 * DAY_MS)
      }
      for (const { step: drawn, waitMs } of steps) {
        pass(waitMs)
        const step = meant(naive, drawn)
        if (step.kind === 'control') {
          const asset = { definition: GOLD, account: step.account }
          const perDay = step.what === 'cap' ? step.cap : undefined
          const limits = perDay === undefined ? [] : [{ window: 'day' as const, cap: hundredths(perDay) }]
          const [frozen, blacklisted] = [step.what === 'frozen', step.what === 'blacklisted']
          const code = both(
            owner,
            instruction(assets.setFreeze, { asset, frozen, reason: undefined }),
            instruction(assets.setBlacklist, { asset, blacklisted }),
            instruction(assets.setLimits, { asset, limits: [] }),
            ...(perDay === undefined ? [] : [instruction(assets.setLimits, { asset, limits })]),
          )
          expect(code).toBeUndefined()
          naive.world.controls.set(step.account, { frozen, blacklisted, perDay })
          naive.world.left = naive.world.left.filter(({ account }) => account !== step.account)
        } else if (step.kind === 'bar') {
          const asset = { definition: core.USD, account: step.account }
          expect(both(owner, instruction(assets.setBlacklist, { asset, blacklisted: step.on }))).toBeUndefined()
          if (step.on) naive.world.barred.add(step.account)
          else naive.world.barred.delete(step.account)
        } else if (step.kind === 'deliver') {
          const live = naive.world.lots.get(step.lot)
          const seller = live === undefined || keylessKind(live.holder) === 'vault' ? outsider : live.holder
          const { quantity, price, isAgreed } = step
          const buyer = step.to === seller ? (seller === bob ? alice : bob) : step.to
          const terms = rwa.termsOf(`d${step.id}`, [step.lot, quantity], [buyer, price], seller)
          if (isAgreed) {
            const object = lotSettlementObject(terms, buyer)
            const token = { kind: 'permission' as const, value: { name: 'CanSettle', object } }
            both(buyer, instruction(permissions.grant, { subject: token, to: { kind: 'account', value: seller } }))
          }
          const code = both(seller, rwa.deliver(terms))
          const bad = price <= 0n
          const expected = naive.run(() => {
            const done = naive.deliver(
              seller,
              { id: terms.id, number: step.lot, quantity, buyer, price: bad ? 0n : price },
              isAgreed,
            )
            return done === undefined && bad ? 'bad_amount' : done
          })
          expect(code, `deliver ${first.last?.rejection?.message}`).toBe(expected)
          seen.set(`deliver ${code}`, (seen.get(`deliver ${code}`) ?? 0) + 1)
        } else {
          const [by, one, work] = made(naive, step)
          const code = both(by, one)
          expect(code, `${step.kind} ${first.last?.rejection?.message}`).toBe(naive.run(work))
          seen.set(`${step.kind} ${code}`, (seen.get(`${step.kind} ${code}`) ?? 0) + 1)
        }
        compare(first, naive)
      }
      second.state.merge()
      expect((await rootOf(first.state)).equals(world.prepare(base).root)).toBe(true)
    }),
    // Shrinking a history is slow: set `RWA_SHRINK` to enable it.
    { numRuns: RUNS, seed: SEED, endOnFailure: process.env.RWA_SHRINK === undefined },
  )
  // Each kind of step must occur, or it is not compared.
  const kinds = 'issue transfer split merge freeze hold release force request redeem admit change declare claim deliver'
  const unseen = [...kinds.split(' '), 'pledge', 'return'].filter((kind) => !seen.has(`${kind} undefined`))
  expect(unseen).toEqual([])
})
