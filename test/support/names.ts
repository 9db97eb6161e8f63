/** Owns a small chain whose domain leases names, and the steps of `naive-names.ts` as instructions. */
import { expect } from 'vitest'
import { accountUse } from '../../src/executor/index.js'
import { ABI_2 } from '../../src/features/abi.js'
import { standingOf } from '../../src/features/names/ledger/resolution.js'
import { names as nameTable } from '../../src/features/names/ledger/tables.js'
import { instructions as names } from '../../src/features/names/schema/instructions.js'
import {
  commitmentOf,
  DEFAULT_POLICY,
  type NamePolicy,
  type NameRow,
  nameRow,
  versionHash,
} from '../../src/features/names/schema/records.js'
import { aliases, balances, domainMembers } from '../../src/ledger/tables.js'
import { type AccountId, type Instruction, instruction } from '../../src/model/index.js'
import * as core from './core.js'
import { accountNamed, Bench } from './executor.js'
import { NaiveNames, type NaiveStep } from './naive-names.js'

export const { owner, alice, bob } = core
export const carol = accountNamed('carol')
/** Not registered. */
export const unregistered = accountNamed('nobody')
export const PEOPLE: readonly AccountId[] = [owner, alice, bob, carol]
export const DAY_MS = 86_400_000
/** Initial balance of each account. */
const PURSE = 500n
const PRICES = [20, 10, 5] as const
const MOST = 2

export const POLICY: NamePolicy = {
  ...DEFAULT_POLICY,
  mode: 'leased',
  asset: core.USD,
  prices: PRICES.map((price) => core.units(BigInt(price))),
  maxPerAccount: MOST,
}
export const setPolicy = (version = 1, more: Partial<NamePolicy> = {}, domain = 'bank'): Instruction =>
  instruction(names.setNamePolicy, { domain, policy: { ...POLICY, ...more }, version })

const saltOf = (salt: number): Buffer => Buffer.alloc(32, salt)
export const commit = (by: AccountId, label: string, of = by, salt = 1): Instruction => {
  const name = { domain: 'bank', label }
  const committed = { chain: 'test', account: by, name, owner: of, salt: saltOf(salt) }
  return instruction(names.commitName, { commitment: commitmentOf(committed) })
}
export const register = (
  label: string,
  of: AccountId,
  more: {
    readonly years?: number
    readonly account?: AccountId | undefined
    readonly salt?: number
    readonly most?: bigint
    readonly in?: string
  } = {},
): Instruction =>
  instruction(names.registerName, {
    domain: 'bank',
    label,
    owner: of,
    account: more.account,
    years: more.years ?? 1,
    salt: saltOf(more.salt ?? 1),
    maxPrice: more.most === undefined ? undefined : { definition: more.in ?? core.USD, amount: core.units(more.most) },
  })

/** Chain with funded accounts, and a domain that leases names. */
export function leasing(): Bench {
  const bench = new Bench(undefined, ABI_2)
  bench.genesis(
    owner,
    core.registerDomain('bank'),
    core.registerAccount(owner, 'owner'),
    core.registerDefinition(core.USD),
  )
  for (const [at, id] of PEOPLE.slice(1).entries()) bench.genesis(owner, core.registerAccount(id, `p${at + 2}`))
  for (const id of PEOPLE) bench.genesis(owner, core.mint(id, PURSE))
  expect(bench.run(owner, setPolicy())).toBeUndefined()
  return bench
}
/** The same with a name that an account has leased for a year. */
export function leased(label: string, by: AccountId = alice): Bench {
  const bench = leasing()
  expect(lease(bench, label, by)).toBeUndefined()
  return bench
}
/** Commit, wait and register. */
export function lease(bench: Bench, label: string, by: AccountId, of = by, more: Parameters<typeof register>[2] = {}) {
  expect(bench.run(by, commit(by, label, of, more.salt))).toBeUndefined()
  bench.timeMs += 5_000
  bench.height += 1
  return bench.run(by, register(label, of, more))
}

/** Naive registry of the same chain. */
export function naiveLeasing(): NaiveNames {
  const { graceMs: grace, quarantineMs: quarantine, minLength } = POLICY
  const naive = new NaiveNames(owner, PEOPLE, { prices: PRICES, minLength, grace, quarantine, most: MOST })
  for (const [at, id] of PEOPLE.entries()) {
    naive.purse.set(id, Number(PURSE))
    naive.run(owner, { do: 'label', account: id, label: at === 0 ? 'owner' : `p${at + 1}` })
  }
  return naive
}

const full = (name: string): string => `${name}@bank`
/** Step as an instruction of an account. */
export function instructionOf(by: AccountId, step: NaiveStep): Instruction {
  const most = (of: number | undefined) =>
    of === undefined ? undefined : { definition: core.USD, amount: core.units(BigInt(of)) }
  switch (step.do) {
    case 'commit':
      return commit(by, step.label, step.owner, step.salt)
    case 'register': {
      const { account, years, salt } = step
      const { kind, value } = register(step.label, step.owner, { account, years, salt })
      return { kind, value: { ...(value as object), maxPrice: most(step.most) } }
    }
    case 'renew':
      return instruction(names.renewName, { name: full(step.name), years: step.years, maxPrice: most(step.most) })
    case 'transfer':
      return instruction(names.transferName, { names: step.names.map(full), to: step.to })
    case 'account':
      return instruction(names.setNameAccount, { name: full(step.name), account: step.account })
    case 'records':
      return instruction(names.setNameRecords, { name: full(step.name), set: [{ key: step.key, value: step.value }] })
    case 'manager':
      return instruction(names.setNameManager, { name: full(step.name), manager: step.manager })
    case 'sub': {
      const { label, owner: of, expires: expiresMs } = step
      return instruction(names.createSubname, {
        parent: full(step.parent),
        label,
        owner: of,
        account: undefined,
        expiresMs,
      })
    }
    case 'removeSub':
      return instruction(names.removeSubname, { name: full(step.name) })
    case 'release':
      return instruction(names.releaseName, { name: full(step.name) })
    case 'prune':
      return instruction(names.pruneName, { name: full(step.name) })
    case 'label':
      return { kind: 'setLabel', value: { account: step.account, label: step.label } }
    case 'reserve': {
      const add = [{ label: step.label, assignee: step.assignee, untilMs: undefined, reason: 'kept' }]
      return instruction(names.reserveNames, { domain: 'bank', add, remove: [] })
    }
    case 'unreserve':
      return instruction(names.reserveNames, { domain: 'bank', add: [], remove: [step.label] })
  }
}

/** Versions of names at the ends of blocks, by hash. */
export class Versions {
  private readonly known = new Map<string, NameRow>()

  /** Compare each name with the naive registry. */
  look(bench: Bench, naive: NaiveNames, what: string): void {
    for (const [label, expected] of naive.names) {
      const name = { domain: 'bank', label }
      const [row, account] = [bench.state.get(nameTable, name), bench.state.get(aliases, name)]
      if (row === undefined || account === undefined) throw new Error(`${what}: ${label} is gone`)
      const { kind, owner: of, manager, since, expires, records } = expected
      expect(
        [row.kind, row.owner, account, row.manager, row.sinceMs, row.expiresMs, Object.fromEntries(row.records)],
        what,
      ).toEqual([kind, of, expected.account, manager, since, expires, records])
      expect([row.subnames, standingOf(bench.state, name, bench.timeMs)], `${what}: ${label}`).toEqual([
        naive.children(label),
        naive.standing(label),
      ])
      this.known.set(versionHash(nameRow.encode(row), account).toString('hex'), row)
    }
  }

  /** Follow the hashes of all names down to their first versions, all of which were recorded. */
  follow(bench: Bench, naive: NaiveNames, what: string): void {
    for (const label of naive.names.keys()) {
      let row = bench.state.get(nameTable, { domain: 'bank', label })
      let version = row?.version ?? 0
      while (row?.previous !== undefined) {
        row = this.known.get(Buffer.from(row.previous).toString('hex'))
        version -= 1
        expect(row?.version, `${what}: version ${version} of ${label}`).toBe(version)
      }
      expect(version, what).toBe(1)
    }
  }
}

/** Compare counts and balances. */
export function compareCounts(bench: Bench, naive: NaiveNames, what: string): void {
  for (const id of PEOPLE) {
    const balance = bench.state.get(balances, { definition: core.USD, account: id })
    expect(Number(balance?.mantissa ?? 0n) * 10 ** -(balance?.scale ?? 0), what).toBe(naive.purse.get(id))
    const base = id === owner ? 2 : 0
    expect((bench.state.get(accountUse, id)?.objects ?? 0) - base, `${what}: objects`).toBe(naive.owned(id))
  }
  // Four accounts and a definition besides the names.
  expect(bench.state.get(domainMembers, 'bank'), what).toBe(5 + naive.members)
}
