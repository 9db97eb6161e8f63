/** Slashes: what a proven fault takes, when, from whom; and what cannot be withdrawn before. */
import { beforeAll, describe, expect, it } from 'vitest'
import { hash } from '../../../src/crypto/index.js'
import { accountUse } from '../../../src/executor/accounts.js'
import { rosterAt } from '../../../src/executor/rosters.js'
import { exposurePages } from '../../../src/features/staking/ledger/elections/tables.js'
import { calendarOf } from '../../../src/features/staking/ledger/epochs/calendar.js'
import { terms } from '../../../src/features/staking/ledger/epochs/tables.js'
import { faultSink } from '../../../src/features/staking/ledger/slashing/slashes.js'
import { openSlashes, slashes } from '../../../src/features/staking/ledger/slashing/tables.js'
import { stakes } from '../../../src/features/staking/ledger/stake/tables.js'
import { validators } from '../../../src/features/staking/ledger/validators/tables.js'
import {
  accountNamed,
  amount,
  bond,
  chill,
  keyOf,
  type Node,
  NposChain,
  nodeNamed,
  nominate,
  registrationOf,
  SHORT,
  unbond,
  withdraw,
} from '../../support/npos/chain.js'

let nodes: Node[]
beforeAll(async () => {
  nodes = await Promise.all(Array.from({ length: 8 }, (_, index) => nodeNamed(`v${index}`)))
})

const chainOf = (parameters: Record<string, unknown> = {}, count = 7) =>
  new NposChain({
    validators: nodes.slice(0, count).map((node) => ({ node, bond: 10_000n })),
    nominators: [{ name: 'nina', bond: 7_000n, targets: ['v0', 'v1'] }],
    parameters,
  })

/** A fault of a node that the next look of the ledger finds recorded. */
function prove(chain: NposChain, node: Node, kind = 'double_commit', height = chain.height): void {
  faultSink(chain.state, {
    kind,
    offender: keyOf(node),
    height,
    view: 0,
    epoch: rosterAt(chain.state, height)?.epoch ?? 0,
    evidenceHash: hash('evidence', Buffer.from(`${node.name}${height}${kind}`)),
    recordedHeight: chain.height + 1,
    recordedMs: chain.timeMs,
  })
}
const bondedOf = (chain: NposChain, name: string) => chain.state.get(stakes, accountNamed(name))?.bonded
/** Blocks until everything that is due was made. */
const wait = (chain: NposChain, minutes: number) => {
  for (let minute = 0; minute < minutes; minute += 1) {
    chain.timeMs += 60_000
    chain.block()
  }
}

describe('a stake that was slashed completely', () => {
  it('can be withdrawn at zero so that its account can be removed, but a missing stake is rejected', () => {
    const chain = chainOf()
    const nina = accountNamed('nina')
    const row = chain.state.get(stakes, nina)
    const objects = chain.state.get(accountUse, nina)?.objects ?? 0
    if (row === undefined) throw new Error('no stake')
    chain.state.set(stakes, nina, { ...row, role: 'idle', bonded: amount(0n), unbonding: [] })
    expect(chain.run(nina, withdraw)).toBeUndefined()
    expect(chain.state.get(stakes, nina)).toBeUndefined()
    expect(chain.state.get(accountUse, nina)?.objects ?? 0).toBe(objects - 1)
    expect(chain.run(nina, withdraw)).toBe('not_enough')
  })
})

describe('a slash', () => {
  it('reduces every stake behind the seat by the base share, and jails the validator', () => {
    const chain = chainOf()
    chain.to(10)
    const v0 = nodes[0] as Node
    prove(chain, v0)
    chain.block()
    expect(chain.state.get(validators, v0.account)?.status.kind).toBe('jailed')
    expect(chain.state.get(openSlashes, v0.account)).toBe(1)
    wait(chain, 3)
    expect(chain.state.get(slashes, 1)?.status.kind).toBe('executed')
    expect(chain.state.get(openSlashes, v0.account)).toBeUndefined()
    expect(bondedOf(chain, 'v0')).toEqual(amount(9_500n))
    const nina = bondedOf(chain, 'nina')
    expect(Number(nina?.mantissa) / 10 ** (nina?.scale ?? 0)).toBeLessThan(7_000)
    expect(bondedOf(chain, 'v1')).toEqual(amount(10_000n))
    expect(chain.seats).toContain(v0.account)
    chain.toEpoch(1)
    expect(chain.seats).not.toContain(v0.account)
  })

  it('completes for any number of stakes behind the seat, each with the maximum number of targets', () => {
    const targets = nodes.map(({ name }) => name)
    const crowd = Array.from({ length: 130 }, (_, at) => ({ name: `n${at}`, bond: 100n + BigInt(at), targets }))
    const chain = new NposChain({
      validators: nodes.map((node) => ({ node, bond: 10_000n })),
      nominators: crowd,
      parameters: {},
    })
    chain.to(10)
    const struck = nodes.find(({ account }) => chain.seats.includes(account)) as Node
    const term = calendarOf(chain.state)?.term ?? 0
    const standing = crowd.filter(({ name }) =>
      Array.from({ length: 3 }, (_, page) => chain.state.get(exposurePages, { term, validator: struck.account, page }))
        .flatMap((entries) => entries ?? [])
        .some(({ nominator }) => nominator === accountNamed(name)),
    )
    expect(standing.length).toBeGreaterThan(10)
    prove(chain, struck)
    chain.block()
    wait(chain, 3)
    for (let block = 0; block < 130 && chain.state.get(slashes, 1)?.status.kind !== 'executed'; block += 1)
      wait(chain, 1)
    expect(chain.state.get(slashes, 1)?.status.kind).toBe('executed')
    expect(chain.state.get(openSlashes, struck.account)).toBeUndefined()
    for (const { name, bond } of standing) expect(bondedOf(chain, name), name).not.toEqual(amount(bond))
  })

  it.each([
    ['a transaction', { max_teu_per_tx: 1_000 }],
    ['a transaction and a block', { max_teu_per_tx: 1_000, block_teu: 1_000 }],
  ])('completes even if the limits of %s are too small for it, so that no stake remains locked', (_, limits) => {
    const chain = chainOf(limits)
    chain.to(10)
    prove(chain, nodes[0] as Node)
    wait(chain, 8)
    expect(chain.state.get(slashes, 1)?.status.kind).toBe('executed')
    expect(chain.state.get(openSlashes, accountNamed('v0'))).toBeUndefined()
  })

  it('after the snapshot removes the seat in the next epoch without a replacement, for at most f seats', () => {
    const chain = chainOf({ slashing_delay_ms: 86_400_000 }, 8)
    expect(chain.seats.length).toBe(7)
    chain.to(30)
    const members = nodes.filter(({ account }) => chain.seats.includes(account))
    for (const node of members.slice(0, 3)) {
      prove(chain, node)
      chain.block()
    }
    chain.toEpoch(1)
    expect(chain.seats.length).toBe(5)
    // The latest two, of a budget of two.
    expect(chain.seats).toContain(members[0]?.account)
    expect(chain.seats).not.toContain(members[1]?.account)
    expect(chain.seats).not.toContain(members[2]?.account)
  })

  it('waits for its appeal window in time and in blocks, and can be cancelled within the window', () => {
    const chain = chainOf({ slashing_delay_ms: 600_000, slashing_delay_blocks: 20 })
    chain.to(5)
    prove(chain, nodes[0] as Node)
    wait(chain, 5)
    expect(chain.state.get(slashes, 1)?.status.kind).toBe('open')
    wait(chain, 6)
    expect(chain.state.get(slashes, 1)?.status.kind).toBe('open')
    wait(chain, 12)
    expect(chain.state.get(slashes, 1)?.status.kind).toBe('executed')
  })

  it('applies the highest share for one validator and term, not the sum', () => {
    const chain = chainOf()
    chain.to(10)
    prove(chain, nodes[0] as Node, 'double_prepare', 9)
    prove(chain, nodes[0] as Node, 'double_commit', 10)
    prove(chain, nodes[0] as Node, 'double_commit', 8)
    wait(chain, 6)
    expect(bondedOf(chain, 'v0')).toEqual(amount(9_500n))
  })

  it('uses a larger share if many validators were faulty in one term', () => {
    const chain = chainOf()
    chain.to(10)
    for (const node of nodes.slice(0, 3)) prove(chain, node)
    wait(chain, 5)
    // floor(90000 * 2^2 / 7^2) = 7346 bps.
    expect(bondedOf(chain, 'v1')).toEqual({ mantissa: 2_654n, scale: 0 })
  })

  it('for an earlier fault applies to the stakes of the term of that fault', () => {
    const chain = chainOf()
    chain.to(10)
    chain.toEpoch(1)
    const before = bondedOf(chain, 'v2')
    prove(chain, nodes[2] as Node, 'double_commit', 30)
    wait(chain, 3)
    expect(chain.state.get(slashes, 1)?.term).toBe(1)
    expect(before).toEqual(amount(10_000n))
    expect(bondedOf(chain, 'v2')).toEqual(amount(9_500n))
  })

  it('includes stake that was unbonded after the fault', () => {
    const chain = chainOf()
    chain.to(10)
    expect(chain.run(accountNamed('nina'), unbond(7_000n))).toBeUndefined()
    prove(chain, nodes[0] as Node)
    prove(chain, nodes[1] as Node)
    wait(chain, 4)
    const left = chain.state.get(stakes, accountNamed('nina'))?.unbonding[0]?.amount
    // Two offenders of seven: floor(90000 / 49) = 1836 bps.
    expect(Number(left?.mantissa) / 10 ** (left?.scale ?? 0)).toBeCloseTo(7_000 * (1 - 0.1836), 0)
  })
})

describe('a jailed validator', () => {
  it('cannot chill before its release, even without an open slash', () => {
    const chain = chainOf()
    const { account } = nodes[0] as Node
    chain.withholding.add(account)
    while (chain.state.get(validators, account)?.status.kind !== 'jailed') chain.block()
    expect(chain.state.get(openSlashes, account)).toBeUndefined()
    expect(chain.run(account, chill)).toBe('stake_jailed')
    expect(chain.state.get(validators, account)?.status.kind).toBe('jailed')
  })
})

describe('a nominator that dropped a validator', () => {
  it('remains exposed to its slashes until the term after the next and the age limit of evidence', () => {
    const chain = chainOf()
    const nina = accountNamed('nina')
    const exposed = () => {
      expect(chain.run(nina, nominate(accountNamed(chain.height % 2 === 0 ? 'v1' : 'v2')))).toBeUndefined()
      return chain.state.get(stakes, nina)?.exposed.map(({ validator }) => validator) ?? []
    }
    chain.to(10)
    expect(exposed()).toContain(accountNamed('v0'))
    while (chain.state.get(terms, 3) === undefined) chain.block()
    const { start = 0 } = chain.state.get(terms, 3) ?? {}
    chain.to(start + SHORT.evidence_horizon_blocks - 2)
    expect(exposed()).toContain(accountNamed('v0'))
    expect(exposed()).not.toContain(accountNamed('v0'))
  })
})

describe('unbonded stake', () => {
  it('is unlocked after the start of the term after the next and the age limit of evidence', () => {
    const chain = chainOf()
    chain.to(10)
    expect(chain.run(accountNamed('nina'), unbond(1_000n))).toBeUndefined()
    expect(chain.run(accountNamed('nina'), withdraw)).toBe('not_enough')
    chain.toEpoch(2)
    const begun = chain.height
    expect(calendarOf(chain.state)?.term).toBe(3)
    chain.to(begun + 48)
    expect(chain.run(accountNamed('nina'), withdraw)).toBe('not_enough')
    expect(chain.run(accountNamed('nina'), withdraw)).toBeUndefined()
    expect(chain.run(accountNamed('nina'), withdraw)).toBe('not_enough')
  })

  it('stays locked while a validator backed by it has an open slash', () => {
    const chain = chainOf({ slashing_delay_ms: 86_400_000 })
    chain.to(10)
    expect(chain.run(accountNamed('nina'), unbond(7_000n))).toBeUndefined()
    prove(chain, nodes[0] as Node)
    chain.toEpoch(3)
    chain.to(chain.height + 60)
    expect(chain.run(accountNamed('nina'), withdraw)).toBe('stake_frozen')
  })

  it('of a validator with a slash that was proven after it left prevents a new registration until the slash ends', async () => {
    const chain = chainOf({ slashing_delay_ms: 600_000 }, 8)
    const struck = nodes.find(({ account }) => chain.seats.includes(account)) as Node
    const { account } = struck
    chain.to(5)
    expect(chain.run(account, chill)).toBeUndefined()
    const height = chain.height
    chain.toEpoch(1)
    expect(chain.run(account, unbond(10_000n))).toBeUndefined()
    expect(chain.state.get(validators, account)).toBeUndefined()
    prove(chain, struck, 'double_commit', height)
    const again = registrationOf(account, await nodeNamed('fresh'), 0)
    expect(chain.run(account, bond(10_000n), again)).toBe('stake_jailed')
    wait(chain, 12)
    expect(chain.state.get(slashes, 1)?.status.kind).toBe('executed')
    expect(chain.run(account, bond(10_000n), again)).toBeUndefined()
  })

  it('of a validator is locked until the validator is chilled and has no seat', () => {
    const chain = chainOf({}, 8)
    chain.to(5)
    const { account } = nodes[7] as Node
    expect(chain.run(account, unbond(10_000n))).toBe('stake_too_small')
    expect(chain.run(account, chill)).toBeUndefined()
    chain.toEpoch(1)
    expect(chain.run(account, unbond(10_000n))).toBeUndefined()
    expect(chain.state.get(validators, account)).toBeUndefined()
  })
})
