/** Manifests against a naive evaluation: transactions, triggers, proposals and contract calls, on two executors. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { gateAt } from '../../../src/executor/index.js'
import { ABI_2 } from '../../../src/features/abi.js'
import { instructions as contracts } from '../../../src/features/contracts/schema/instructions.js'
import { artifactHashOf } from '../../../src/features/contracts/schema/records.js'
import { spaceGrants, spentIn } from '../../../src/features/spaces/ledger/grants.js'
import { spaceManifests } from '../../../src/features/spaces/ledger/tables.js'
import { balances } from '../../../src/ledger/tables.js'
import { type AccountId, domainOfDefinition, type Instruction } from '../../../src/model/index.js'
import { MemoryBackend, type Overlay, WorldState } from '../../../src/state/index.js'
import { slice } from '../../suites.mjs'
import { addressOf, call, deploy, register } from '../../support/contracts.js'
import * as core from '../../support/core.js'
import type { Bench } from '../../support/executor.js'
import { type NaiveAction, type NaiveEntry, type NaiveMove, NaiveSpaces } from '../../support/naive-spaces.js'
import { rowsOf } from '../../support/nodes.js'
import {
  alice,
  BOND,
  bob,
  CONTRACT,
  carol,
  expire,
  firm,
  GOLD,
  NOTE,
  outsider,
  owner,
  publish,
  revoke,
  START_MS,
  spaceBench,
  spaceWorld,
} from '../../support/spaces.js'

/** `SPACE_HISTORIES` and `SPACE_SEED` choose others. */
const RUNS = Number(process.env.SPACE_HISTORIES ?? slice(6, 40))
const SEED = Number(process.env.SPACE_SEED ?? 1)
const codec = ABI_2.codec('cw')
const DAY_MS = 86_400_000

const setup = spaceWorld()
const artifact = artifactHashOf(CONTRACT.code, CONTRACT.manifest)
setup.genesis(owner, register(CONTRACT.code, CONTRACT.manifest), deploy(artifact, { domain: 'depot' }))
/** A contract at home in the depot. */
const shop = addressOf(setup)
const GUESTS = [alice, outsider, firm, carol] as const
const SPACES = [7, 9] as const
const DEFINITIONS = [BOND, NOTE, GOLD, core.USD] as const
/** Lists that triggers run: movements of their accounts. */
const KEPT: Readonly<Record<string, NaiveMove>> = {
  bonds: { from: alice, to: bob, definition: BOND, amount: 3n },
  gold: { from: outsider, to: carol, definition: GOLD, amount: 7n },
}
for (const [id, { from, to, definition, amount }] of Object.entries(KEPT)) {
  const list = [core.log('first'), core.transfer(from, to, amount, definition)]
  setup.genesis(from, core.registerTrigger(id, from, core.BY_CALL, list))
}
const rows = rowsOf(setup.state)

/** State of the rows, read from their bytes. */
async function worldOf(): Promise<WorldState> {
  const world = await WorldState.open({ backend: new MemoryBackend(), cacheBytes: 0, context: codec })
  await world.commit(world.prepareRows(rows), { height: 1 })
  return world
}
/** Root of the setup with the changes of an overlay. */
async function rootOf(state: Overlay): Promise<Buffer> {
  const changed = state.changes().map(({ row, table, value }) => ({
    row,
    bytes: value === undefined ? undefined : table.value.encode(value, codec),
  }))
  return (await worldOf()).prepareRows(changed).root
}

const homes = new Map<AccountId, string>([
  ...[owner, alice, outsider, firm].map((id) => [id, 'bank'] as const),
  [bob, 'depot'],
  [carol, 'annex'],
  [shop, 'depot'],
])

const entry = fc
  .record(
    {
      instruction: fc.constantFrom('asset::transfer', 'asset', 'transfer', 'transfer_batch', 'contract::call', 'mint'),
      definition: fc.constantFrom(...DEFINITIONS),
      counterparty: fc.constantFrom<string>(bob, carol, '*@depot', '*@bank'),
      isDenial: fc.constantFrom(false, false, false, true),
      amount: fc.tuple(fc.bigInt(1n, 40n), fc.constantFrom('transaction' as const, 'minute' as const, 'day' as const)),
    },
    { requiredKeys: ['isDenial'] },
  )
  .map(({ amount, ...more }): NaiveEntry => {
    if (amount === undefined || more.isDenial) return more
    const [max, window] = amount
    return { ...more, definition: more.definition ?? BOND, max, window }
  })
const space = fc.constantFrom(...SPACES)
const guest = fc.constantFrom(...GUESTS)
const move = fc.record({
  to: fc.constantFrom(bob, carol, alice, shop),
  definition: fc.constantFrom(...DEFINITIONS),
  amount: fc.bigInt(1n, 25n),
})
const act = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('transfer' as const), move }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('batch' as const),
      moves: fc.array(move, { minLength: 1, maxLength: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('call' as const), move }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('trigger' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('log' as const) }) },
)
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('publish' as const),
      space,
      account: guest,
      next: fc.constantFrom(1, 1, 1, 1, 0, 2),
      from: fc.option(fc.integer({ min: -60_000, max: 60_000 }), { nil: undefined }),
      until: fc.option(fc.integer({ min: -1, max: 2 * DAY_MS }), { nil: undefined }),
      entries: fc.array(entry, { minLength: 0, maxLength: 4 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('revoke' as const), space, account: guest }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('expire' as const), space, account: guest }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('token' as const), space, account: guest }) },
  {
    weight: 10,
    arbitrary: fc.record({
      kind: fc.constant('act' as const),
      by: fc.constantFrom(alice, outsider, carol, bob),
      isProposed: fc.constantFrom(false, false, true),
      list: fc.array(act, { minLength: 1, maxLength: 3 }),
    }),
  },
)
const history = fc.array(fc.record({ step, waitMs: fc.constantFrom(0, 0, 1, 30_000, 60_000, DAY_MS) }), {
  minLength: 40,
  maxLength: 60,
})

type Act = typeof act extends fc.Arbitrary<infer T> ? T : never

/** Instruction of an act with what it does. */
function made(by: AccountId, one: Act): readonly [Instruction, readonly NaiveAction[]] {
  const full = (it: Omit<NaiveMove, 'from'>): NaiveMove => ({
    ...it,
    from: by,
    to: it.to === by ? (bob === by ? carol : bob) : it.to,
  })
  const paid = ({ from, to, definition, amount }: NaiveMove) => core.transfer(from, to, amount, definition)
  const transferred = (it: NaiveMove): NaiveAction => ({
    by: it.from,
    label: 'asset::transfer',
    about: [domainOfDefinition(it.definition)],
    moves: [it],
  })
  if (one.kind === 'transfer') {
    const it = full(one.move)
    return [paid(it), [transferred(it)]]
  }
  if (one.kind === 'batch') {
    const moves = one.moves.map(full)
    const about = moves.map(({ definition }) => domainOfDefinition(definition))
    const transfers = moves.map(({ from, to, definition, amount }) => ({
      asset: { definition, account: from },
      to,
      amount: core.units(amount),
    }))
    return [{ kind: 'transferBatch', value: { transfers } }, [{ by, label: 'asset::transfer_batch', about, moves }]]
  }
  if (one.kind === 'call') {
    const { definition, amount } = one.move
    const attach = [{ definition, amount: core.units(amount) }]
    const moves = [{ from: by, to: shop, definition, amount }]
    return [call(shop, 'keep', { attach }), [{ by, label: contracts.contractCall.label, about: ['depot'], moves }]]
  }
  const [id, kept] = Object.entries(KEPT).find(([, { from }]) => from === by) ?? []
  if (one.kind === 'trigger' && id !== undefined && kept !== undefined)
    return [core.callTrigger(id), [transferred(kept)]]
  return [core.log('beside'), []]
}

/** Compares what both know: balances, usage, routes, and what a movement alone would do. */
function compare(bench: Bench, naive: NaiveSpaces): void {
  for (const [key, change] of naive.balances) {
    const [definition, account] = [key.slice(0, key.indexOf(' ')), key.slice(key.indexOf(' ') + 1)]
    const held = (state: Pick<Overlay, 'get'>) => state.get(balances, { definition, account })?.mantissa ?? 0n
    expect(held(bench.state) - held(setup.state), key).toBe(change)
  }
  for (const account of GUESTS) {
    for (const of of SPACES) {
      const key = { dataspace: BigInt(of), account }
      expect(spaceGrants.mayUse(bench.state, account, key.dataspace)).toBe(naive.mayUse(of, account))
      const manifest = bench.state.get(spaceManifests, key)
      for (const [entry, { effect }] of (manifest?.entries ?? []).entries()) {
        if (effect.kind === 'deny' || effect.value.window === undefined || effect.value.window === 'transaction')
          continue
        const { window } = effect.value
        const bucket = { kind: window, value: Math.floor(bench.timeMs / (window === 'minute' ? 60_000 : DAY_MS)) }
        const spent = spentIn(bench.state, key, entry, manifest?.version ?? 0, bucket)
        expect(spent.mantissa).toBe(naive.spent(`${of} ${account}`, entry))
      }
    }
  }
}

it(`manifests match a naive implementation in ${RUNS} histories, with equal roots on two executors`, async () => {
  const seen = new Map<string, number>()
  const note = (what: string): void => void seen.set(what, (seen.get(what) ?? 0) + 1)
  await fc.assert(
    fc.asyncProperty(history, async (steps) => {
      const world = await worldOf()
      const first = spaceBench(setup.state)
      const base = world.overlay()
      const second = spaceBench(base)
      const naive = new NaiveSpaces(homes, { depot: 7, annex: 9 })
      const both = (by: AccountId, ...list: readonly Instruction[]): string | undefined => {
        const code = first.run(by, ...list)
        expect(second.run(by, ...list)).toBe(code)
        return code
      }
      naive.nowMs = START_MS
      for (const { step, waitMs } of steps) {
        naive.nowMs += waitMs
        first.timeMs = naive.nowMs
        second.timeMs = naive.nowMs
        if (step.kind === 'publish') {
          const { space, account, entries } = step
          const version = (naive.manifests.get(`${space} ${account}`)?.version ?? 0) + step.next
          const times = {
            ...(step.from === undefined ? {} : { from: naive.nowMs + step.from }),
            ...(step.until === undefined ? {} : { until: naive.nowMs + step.until }),
          }
          const published = { space, account, version, ...times, entries }
          const code = both(owner, publish(published))
          expect(code).toBe(naive.publish(published))
          note(`publish ${code}`)
        } else if (step.kind === 'revoke') {
          const code = both(owner, revoke(step.space, step.account))
          expect(code).toBe(naive.revoke(step.space, step.account))
          note(`revoke ${code}`)
        } else if (step.kind === 'expire') {
          const code = both(bob, expire(step.space, step.account))
          expect(code).toBe(naive.expire(step.space, step.account))
          note(`expire ${code}`)
        } else if (step.kind === 'token') {
          const key = `${step.space} ${step.account}`
          const verb = naive.holders.has(key) ? 'revoke' : 'grant'
          for (const bench of [first, second])
            bench.genesis(owner, core.permission(verb, 'CanUseDataspace', String(step.space), step.account))
          if (!naive.holders.delete(key)) naive.holders.add(key)
        } else {
          const { by, list } = step
          const isProposed = step.isProposed && (by === alice || by === outsider)
          const acts = list.map((one) => made(isProposed ? firm : by, one))
          const instructions = acts.map(([one]) => one)
          const [only] = list
          const would = list.length === 1 && only?.kind === 'transfer' && !isProposed ? instructions[0] : undefined
          const expected = would === undefined ? undefined : wouldPay(first, would)
          const code = both(by, ...(isProposed ? [core.propose(firm, ...instructions)] : instructions))
          const isAllowed = naive.transact(acts.flatMap(([, actions]) => actions))
          const failed = first.events.slice(-2).some(({ kind }) => kind === 'proposalFailed')
          if (isProposed) expect(failed).toBe(!isAllowed)
          else expect(code === undefined, code).toBe(isAllowed)
          if (would !== undefined) expect(expected).toBe(code)
          if (!isProposed && code !== undefined) expect(['space_denied', 'contract_trap']).toContain(code)
          note(`${isProposed ? 'proposal' : by === bob ? 'home' : 'guest'} ${isAllowed}`)
          for (const [at, { kind }] of list.entries())
            if (isAllowed && (acts[at]?.[1].length ?? 0) > 0) note(`${kind} allowed`)
        }
        compare(first, naive)
      }
      second.state.merge()
      expect((await rootOf(first.state)).equals(world.prepare(base).root)).toBe(true)
    }),
    // A shorter history takes longer to find than to read: set `SPACE_SHRINK`.
    { numRuns: RUNS, seed: SEED, endOnFailure: process.env.SPACE_SHRINK === undefined },
  )
  // Outcomes that never occur are not compared.
  expect([...seen.keys()]).toEqual(
    expect.arrayContaining([
      ...['publish undefined', 'publish bad_version', 'publish bad_manifest', 'revoke undefined', 'expire undefined'],
      ...['guest true', 'guest false', 'proposal true', 'proposal false', 'trigger allowed', 'call allowed'],
    ]),
  )
})

/** Result of queries about a transfer. */
function wouldPay({ state, height, timeMs }: Bench, { value }: Instruction): string | undefined {
  const gate = gateAt(ABI_2.policies, state, height)
  const { asset, to, amount } = value as {
    asset: { definition: string; account: AccountId }
    to: AccountId
    amount: { mantissa: bigint; scale: number }
  }
  const { account, definition } = asset
  const label = 'asset::transfer'
  const fault =
    gate?.instruction(state, timeMs, account, domainOfDefinition(definition), label) ??
    gate?.wouldMove(state, timeMs, { source: account, to, definition, amount, label })
  return fault?.code
}
