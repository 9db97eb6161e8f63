/** Repos against a naive ledger, in random histories of blocks on several executors. */
import { expect, it } from 'vitest'
import { accounts } from '../../../src/executor/index.js'
import { ABI_2 } from '../../../src/features/abi.js'
import { vaultOfRepo } from '../../../src/features/repo/ledger/items.js'
import { agreements } from '../../../src/features/repo/ledger/tables.js'
import type { RepoTerms } from '../../../src/features/repo/schema/records.js'
import { balances } from '../../../src/ledger/tables.js'
import { type AccountId, type Instruction, isEvent, triggerEvents } from '../../../src/model/index.js'
import { type Random, randomOf } from '../../../src/simulation/prng.js'
import { slice } from '../../suites.mjs'
import { Blocks, entry } from '../../support/blocks.js'
import * as core from '../../support/core.js'
import {
  ahead,
  businessDateAt,
  type NaiveItem,
  NaiveRepos,
  type NaiveSides,
  type NaiveTerms,
} from '../../support/naive-repo.js'
import { Nodes, rowsOf } from '../../support/nodes.js'
import {
  act,
  alice,
  asset,
  BOND,
  blacklist,
  bob,
  burn,
  CALENDAR,
  capDay,
  carol,
  cents,
  consent,
  DAY_MS,
  dateAfter,
  EUR,
  freeze,
  GOLD,
  HELD,
  HOLIDAYS,
  HOUR_MS,
  idOf,
  MINUTE_MS,
  margin,
  outsider,
  owner,
  price,
  propose,
  RULES,
  repoWorld,
  START_MS,
} from '../../support/repos.js'
import { Supply } from '../../support/supply.js'

/** `REPO_HISTORIES` and `REPO_SEED` choose others. */
const RUNS = Number(process.env.REPO_HISTORIES ?? slice(10, 60))
const SEED = Number(process.env.REPO_SEED ?? 400)
const STEPS = 90
/** Histories that several nodes execute. */
const WITH_NODES = slice(1, 4)

const PEOPLE: Readonly<Record<string, AccountId>> = { alice, bob, carol, stranger: outsider }
const DESKS = ['alice', 'bob', 'carol'] as const
const COLLATERAL = [GOLD, BOND] as const
const accountOf = (name: string): AccountId => PEOPLE[name] ?? outsider
const context = ABI_2.codec('cw')

/** Terms of the ledger for those of the model. */
const termsOf = (terms: NaiveTerms): RepoTerms => ({
  cash: { definition: EUR, amount: cents(terms.cash) },
  collateral: terms.collateral.map(({ definition, amount }) => asset(definition, amount)),
  eligible: Object.entries(terms.eligible).map(([definition, ppm]) => ({ definition, haircutPpm: Number(ppm) })),
  ratePpm: Number(terms.ratePpm),
  basis: terms.basis === 360n ? 'act360' : 'act365f',
  purchaseDate: terms.purchase,
  repurchaseDate: terms.repurchase,
  calendar: CALENDAR,
  threshold: cents(terms.threshold),
  minimumTransfer: cents(terms.minimum),
  marginDays: terms.marginDays,
  posters: terms.posters.map(accountOf),
  priceMaxAgeMs: terms.maxAgeMs,
  graceMs: terms.graceMs,
})
const sidesOf = ({ seller, buyer, custodian }: NaiveSides) => ({
  seller: accountOf(seller),
  buyer: accountOf(buyer),
  custodian: custodian === undefined ? undefined : accountOf(custodian),
})

const KINDS = {
  withdraw: 'withdrawRepo',
  call: 'callMargin',
  repurchase: 'repurchaseRepo',
  default: 'defaultRepo',
  closeOut: 'closeOutRepo',
} as const

/** Instruction with its result in the model. */
interface Step {
  readonly what: string
  readonly by: string
  readonly made: Instruction
  readonly expected: () => string | undefined
}
interface Proposal {
  readonly by: string
  readonly sides: NaiveSides
  readonly terms: NaiveTerms
}

/** One random history. */
class History {
  readonly naive = new NaiveRepos(EUR, { ...RULES, weekend: [0, 6], holidays: HOLIDAYS })
  readonly proposals = new Map<string, Proposal>()

  constructor(private readonly random: Random) {
    this.naive.nowMs = START_MS
    for (const name of DESKS) for (const of of [EUR, ...COLLATERAL]) this.naive.balances.set(`${of} ${name}`, HELD)
  }

  private some<T>(chance: number, usual: T, others: readonly T[]): T {
    return this.random.chance(chance) ? usual : this.random.pick(others)
  }

  step(): Step {
    const { random } = this
    const known = [...this.proposals.keys()]
    const going = known.filter((key) => this.naive.repos.get(key)?.status !== 'closed')
    const isOver = (key: string) => this.naive.nowMs > (this.naive.repos.get(key)?.opensMs ?? 0) + DAY_MS
    const left = going.filter((key) => this.naive.repos.get(key)?.status !== 'proposed' || !isOver(key))
    const key = random.chance(0.95) ? left.at(-1 - random.below(2)) : known.at(-1 - random.below(4))
    if (key === undefined || random.chance(0.04)) return this.propose()
    if (random.chance(0.18)) return this.post()
    if (random.chance(0.06)) return this.control()
    if (random.chance(0.04)) return this.spend()
    if (random.chance(0.02)) return this.cap()
    if (random.chance(0.015)) return this.burn()
    return this.about(key)
  }

  private propose(): Step {
    const { random, naive } = this
    const { pick, below, chance } = random
    const reference = chance(0.95) ? `R${this.proposals.size}` : 'R0'
    const seller = pick(DESKS)
    const buyer = this.some(0.97, pick(DESKS.filter((one) => one !== seller)), [seller])
    const third = DESKS.find((one) => one !== seller && one !== buyer) ?? 'carol'
    const sides = { seller, buyer, ...(chance(0.3) ? { custodian: third } : {}) }
    const by = this.some(0.95, pick([seller, buyer]), [third])
    const today = businessDateAt(naive.calendar, naive.nowMs)
    const purchase = this.some(0.9, ahead(naive.calendar, today, pick([0, 0, 0, 1, 3])), [
      dateAfter(today, -1),
      dateAfter(today, 5),
      dateAfter(today, 20),
      '2026-12-25',
    ])
    const repurchase = this.some(0.93, ahead(naive.calendar, purchase, pick([1, 1, 2, 5, 20])), [
      purchase,
      dateAfter(purchase, 5),
    ])
    const cash = this.some(0.95, BigInt(1 + below(9_000_000)), [0n, HELD * 2n])
    const collateral = COLLATERAL.filter(() => chance(0.75)).map((definition) => ({
      definition,
      amount: this.some(0.97, BigInt(1 + below(200_000)), [0n, HELD * 2n]),
    }))
    const eligible = {
      [GOLD]: this.some(0.97, BigInt(below(100_000)), [1_000_000n]),
      ...(chance(0.9) ? { [BOND]: BigInt(below(300_000)) } : {}),
    }
    const terms: NaiveTerms = {
      cash,
      collateral,
      eligible,
      purchase,
      repurchase,
      basis: pick([360n, 365n]),
      ratePpm: BigInt(pick([36_500, 0, -20_000, 999_999, -1_000_000, below(100_000)])),
      threshold: pick([0n, 10_000n]),
      minimum: pick([0n, 50_000n]),
      marginDays: pick([0, 1, 2]),
      posters: DESKS.slice(0, 1 + below(3)),
      maxAgeMs: pick([DAY_MS, 10 * DAY_MS]),
      graceMs: pick([0, 90 * MINUTE_MS, 72 * HOUR_MS]),
    }
    const key = `${by}/${reference}`
    const expected = () => {
      const code = naive.propose(by, key, sides, terms)
      if (code === undefined) this.proposals.set(key, { by, sides, terms })
      return code
    }
    return { what: 'propose', by, made: propose(reference, termsOf(terms), sidesOf(sides)), expected }
  }

  /** Id of the agreement of a key of the model. */
  idOf(key: string): Buffer {
    const [by = '', reference = ''] = key.split('/')
    return idOf(reference, accountOf(by))
  }

  private post(): Step {
    const { pick, below, chance } = this.random
    const by = pick(DESKS)
    const definition = pick(COLLATERAL)
    const units = chance(0.97) ? BigInt(1 + below(9_000)) : 0n
    const scale = pick([2, 3])
    const under = scale === 2 ? 100n : 1_000n
    return {
      what: 'post',
      by,
      made: price(units, definition, scale),
      expected: () => this.naive.post(by, definition, units, under),
    }
  }

  private control(): Step {
    const { pick, chance } = this.random
    const { naive } = this
    const isFreeze = chance(0.6)
    const held = isFreeze ? naive.frozen : naive.blacklisted
    const lifted = chance(0.75) ? [...held][0] : undefined
    const open = [...naive.repos].filter(([, { status }]) => status === 'open').map(([key]) => `vault ${key}`)
    const name = pick(chance(0.3) && open.length > 0 ? open : DESKS)
    const at = lifted ?? `${pick([EUR, ...COLLATERAL])} ${name}`
    const [definition, holder] = [at.slice(0, at.indexOf(' ')), at.slice(at.indexOf(' ') + 1)]
    const account = holder.startsWith('vault ') ? vaultOfRepo(this.idOf(holder.slice(6))) : accountOf(holder)
    return {
      what: isFreeze ? 'freeze' : 'blacklist',
      by: 'owner',
      made: (isFreeze ? freeze : blacklist)(definition, account, lifted === undefined),
      expected: () => {
        if (lifted === undefined) held.add(at)
        else held.delete(at)
        return undefined
      },
    }
  }

  /** Limit what a desk pays on a day, or remove the limit. */
  private cap(): Step {
    const { naive, random } = this
    const { pick, below, chance } = random
    const capped = [...naive.caps.keys()][0]
    const isLifted = chance(0.6) && capped !== undefined
    const [definition = EUR, name = 'alice'] = isLifted ? capped.split(' ') : [pick([EUR, EUR, GOLD]), pick(DESKS)]
    const most = isLifted ? undefined : BigInt(1 + below(9_000_000))
    return {
      what: 'cap',
      by: 'owner',
      made: capDay(definition, accountOf(name), most),
      expected: () => {
        naive.cap(definition, name, most)
        return undefined
      },
    }
  }

  /** Burn value of a desk, or of the vault of an agreement. */
  private burn(): Step {
    const { naive, random } = this
    const definition = random.pick([EUR, ...COLLATERAL])
    const open = [...naive.repos].filter(([, { status }]) => status === 'open').map(([key]) => key)
    const key = random.chance(0.2) ? open.at(-1) : undefined
    const name = random.pick(DESKS)
    const amount = 100n * BigInt(1 + random.below(100_000))
    return {
      what: 'burn',
      by: 'owner',
      made: burn(definition, key === undefined ? accountOf(name) : vaultOfRepo(this.idOf(key)), amount),
      expected: () => (key === undefined ? naive.burn(definition, name, amount) : 'vault_closed'),
    }
  }

  /** Move all whole units of a desk to another. */
  private spend(): Step {
    const { naive, random } = this
    const from = random.pick(DESKS)
    const to = random.pick(DESKS.filter((one) => one !== from))
    const definition = random.pick([EUR, EUR, GOLD])
    const whole = naive.balance(definition, from) / 100n
    return {
      what: 'spend',
      by: from,
      made: core.transfer(accountOf(from), accountOf(to), whole, definition),
      expected: () => naive.try(() => naive.pay(definition, from, to, whole * 100n)),
    }
  }

  private items(from: readonly NaiveItem[]): NaiveItem[] {
    const { random } = this
    return from
      .filter(() => random.chance(0.6))
      .map(({ definition, amount }) => ({
        definition,
        amount: this.some(0.9, BigInt(1 + random.below(Number(amount))), [amount, amount + 1n]),
      }))
  }

  private about(key: string): Step {
    const { naive, random } = this
    const { pick, chance } = random
    const { by: proposer, sides, terms } = this.proposals.get(key) as Proposal
    const repo = naive.repos.get(key)
    const [, reference = ''] = key.split('/')
    const parties = [sides.seller, sides.buyer, ...(sides.custodian === undefined ? [] : [sides.custodian])]
    const verb = this.verb(repo?.status ?? 'closed')
    if (verb === 'consent') {
      const missing = parties.filter((one) => repo?.consents.includes(one) !== true)
      const by = this.some(0.95, missing[0] ?? sides.buyer, ['stranger', proposer])
      const isSame = chance(0.95)
      const agreed = isSame ? terms : { ...terms, cash: terms.cash + 1n }
      return {
        what: 'consent',
        by,
        made: consent(reference, termsOf(agreed), { ...sidesOf(sides), proposer: accountOf(proposer) }),
        expected: () => naive.consent(by, key, isSame),
      }
    }
    if (verb === 'meet' || verb === 'take') return this.margin(verb, key, sides)
    const usual = { withdraw: sides.buyer, call: sides.buyer, default: sides.buyer, closeOut: sides.buyer }
    const by = verb === 'repurchase' ? pick(parties) : this.some(0.9, usual[verb], [sides.seller, 'stranger'])
    return {
      what: verb,
      by,
      made: act(KINDS[verb], reference, accountOf(proposer)),
      expected: () => naive[verb](by, key),
    }
  }

  private verb(status: string) {
    const { pick, chance } = this.random
    if (status === 'proposed') return chance(0.93) ? 'consent' : pick(['withdraw', 'call'] as const)
    if (status === 'waiting') return pick(['withdraw', 'consent', 'meet'] as const)
    if (status === 'defaulted') return chance(0.8) ? 'closeOut' : pick(['repurchase', 'default'] as const)
    const usual = ['call', 'call', 'meet', 'meet', 'take', 'repurchase', 'default', 'default', 'closeOut'] as const
    return status === 'closed' ? pick([...usual, 'withdraw', 'consent'] as const) : pick(usual)
  }

  private margin(verb: 'meet' | 'take', key: string, sides: NaiveSides): Step {
    const { naive, random } = this
    const repo = naive.repos.get(key)
    const by = this.some(0.95, sides.seller, [sides.buyer, 'stranger'])
    const held = [...(repo?.items ?? [])].map(([definition, amount]) => ({ definition, amount }))
    const owned = COLLATERAL.map((definition) => ({ definition, amount: 100_000n }))
    const items = this.items(verb === 'meet' ? owned : held)
    const most = verb === 'meet' ? 4_000_000 : Number(repo?.margin ?? 0n) + 2
    const cash = random.chance(0.5) ? BigInt(1 + random.below(most)) : 0n
    return {
      what: verb,
      by,
      made: margin(
        verb === 'meet' ? 'meetMargin' : 'takeExcess',
        items.map(({ definition, amount }) => asset(definition, amount)),
        cash,
        this.idOf(key),
      ),
      expected: () => naive[verb](by, key, items, cash),
    }
  }
}

it(`repos match a naive ledger in ${RUNS} histories, with equal roots on several nodes`, async () => {
  const seen = new Map<string, number>()
  const note = (what: string): void => void seen.set(what, (seen.get(what) ?? 0) + 1)
  for (let run = 0; run < RUNS; run += 1) {
    const random = randomOf(SEED + run, 'repos')
    const bench = repoWorld()
    const blocks = new Blocks(bench)
    const nodes = run < WITH_NODES ? await Nodes.at(rowsOf(bench.state)) : undefined
    const supply = new Supply(bench.state)
    const history = new History(random)
    const { naive } = history
    for (let at = 0; at < STEPS; at += 1) {
      naive.nowMs += random.pick([0, 0, 1, 1, MINUTE_MS, MINUTE_MS, HOUR_MS, HOUR_MS, 6 * HOUR_MS, 13 * HOUR_MS])
      const { what, by, made, expected } = history.step()
      const place = `history ${SEED + run}, step ${at}: ${what} by ${by} at ${naive.nowMs}`
      const authority = by === 'owner' ? owner : accountOf(by)
      const block = blocks.run(naive.nowMs, entry(authority, [made], { context }))
      const code = expected()
      const rejection = block.rejections.get(0)
      expect(rejection?.code, `${place}: ${rejection?.message}`).toBe(code)
      note(`${what} ${code}`)
      for (const { event } of block.events) {
        if (!isEvent(event, triggerEvents.dueRunRan)) continue
        expect(event.value.error, place).toBeUndefined()
        const key = [...naive.repos.keys()].find((one) => history.idOf(one).equals(event.value.key)) ?? ''
        naive.run(key)
        note(`${event.value.run} ${naive.repos.get(key)?.status}`)
      }
      await nodes?.execute(blocks.last, block, 1, place)
      supply.look(block, place)
      compare(history, blocks, place)
    }
    await nodes?.expectIndexes()
  }
  // Each kind of step must occur, or it is not compared.
  expect([...seen.keys()]).toEqual(
    expect.arrayContaining([
      ...['propose undefined', 'propose exists', 'propose bad_terms', 'consent undefined', 'consent terms_changed'],
      ...['consent not_enough', 'consent repo_state', 'withdraw undefined', 'call undefined', 'call no_exposure'],
      ...['call price_stale', 'meet undefined', 'meet margin_short', 'take undefined', 'take margin_short'],
      ...['repurchase undefined', 'repurchase not_permitted', 'default undefined', 'default not_in_default'],
      ...['closeOut undefined', 'closeOut repo_state', 'repo_open open', 'repo_open closed', 'repo_maturity closed'],
      ...['repo_maturity late', 'cap undefined', 'burn undefined', 'burn vault_closed'],
    ]),
  )
})

/** Compare value, agreements and vaults of the ledger and the model. */
function compare(history: History, { bench: { state } }: Blocks, place: string): void {
  const { naive } = history
  const held = (definition: string, account: AccountId): bigint => {
    const { mantissa, scale } = state.get(balances, { definition, account }) ?? core.units(0n)
    return mantissa * 10n ** BigInt(2 - scale)
  }
  for (const name of DESKS)
    for (const of of [EUR, ...COLLATERAL]) expect(held(of, accountOf(name)), place).toBe(naive.balance(of, name))
  for (const [key, repo] of naive.repos) {
    const row = state.get(agreements, history.idOf(key))
    const vault = vaultOfRepo(history.idOf(key))
    expect(row?.kind === 'live' ? row.value.status : row?.kind, `${place}: ${key}`).toBe(repo.status)
    expect(state.has(accounts, vault), place).toBe(['open', 'late', 'defaulted'].includes(repo.status))
    for (const of of [EUR, ...COLLATERAL]) expect(held(of, vault), place).toBe(naive.balance(of, `vault ${key}`))
    // The vault equals its record.
    expect(held(EUR, vault), place).toBe(repo.margin)
    if (row?.kind === 'live') {
      const { items, cashMargin, defaulted } = row.value
      const shown = items.map(({ definition, amount }) => [definition, amount])
      expect(shown, place).toEqual([...repo.items].map(([definition, amount]) => [definition, cents(amount)]))
      expect(cashMargin, place).toEqual(cents(repo.margin))
      expect(defaulted?.cause, place).toBe(repo.cause)
    } else {
      expect(row?.value.cause, place).toBe(repo.cause)
      expect(row?.value.shortfall ?? cents(0n), place).toEqual(cents(repo.shortfall))
    }
    // No due run is left.
    const dueMs = repo.runMs === undefined ? undefined : Math.ceil(repo.runMs / MINUTE_MS) * MINUTE_MS
    if (dueMs !== undefined) expect(dueMs, `${place}: ${key}`).toBeGreaterThan(naive.nowMs)
  }
}
