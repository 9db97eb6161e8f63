import { beforeEach, describe, expect, it } from 'vitest'
import { instructions as accounts } from '../../../src/features/accounts/schema.js'
import { instructions as assets } from '../../../src/features/assets/schema/instructions.js'
import { instructions as domains } from '../../../src/features/domains/schema.js'
import { instructions as permissions } from '../../../src/features/permissions/schema.js'
import { bucketOf } from '../../../src/ledger/controls.js'
import { balances, controls } from '../../../src/ledger/tables.js'
import type { ControlLimit } from '../../../src/model/asset.js'
import { type Instruction, instruction, NO_METADATA } from '../../../src/model/index.js'
import { accountNamed, Bench } from '../../support/executor.js'

const owner = accountNamed('owner')
const alice = accountNamed('alice')
const bob = accountNamed('bob')
const agent = accountNamed('agent')
const asset = (account: string) => ({ definition: 'eur#bank', account })
const units = (mantissa: bigint) => ({ mantissa, scale: 0 })

let bench: Bench
beforeEach(() => {
  bench = new Bench()
  bench.genesis(
    owner,
    instruction(domains.registerDomain, { id: 'bank', dataspace: undefined, metadata: NO_METADATA }),
    ...[owner, alice, bob, agent].map(
      (id): Instruction =>
        instruction(accounts.registerAccount, { id, domain: 'bank', label: undefined, metadata: NO_METADATA }),
    ),
    instruction(assets.registerAssetDefinition, {
      id: 'eur#bank',
      scale: 2,
      mintable: { kind: 'infinitely', value: undefined },
      metadata: NO_METADATA,
    }),
    instruction(assets.mint, { asset: asset(alice), amount: units(100n) }),
    instruction(assets.mint, { asset: asset(bob), amount: units(100n) }),
  )
})

const pay = (from: string, to: string, amount: bigint): Instruction =>
  instruction(assets.transfer, { asset: asset(from), to, amount: units(amount) })
const freeze = (account: string, frozen: boolean): Instruction =>
  instruction(assets.setFreeze, { asset: asset(account), frozen, reason: 'court order' })
const blacklist = (account: string, blacklisted: boolean): Instruction =>
  instruction(assets.setBlacklist, { asset: asset(account), blacklisted })
const limits = (account: string, caps: readonly [ControlLimit['window'], bigint][]): Instruction =>
  instruction(assets.setLimits, {
    asset: asset(account),
    limits: caps.map(([window, cap]) => ({ window, cap: units(cap) })),
  })
const held = (account: string) => bench.state.get(balances, asset(account))?.mantissa ?? 0n

describe('transfer controls', () => {
  it('are set by the owner of the definition, or with its permission', () => {
    expect(bench.run(alice, freeze(bob, true))).toBe('not_permitted')
    const subject = { kind: 'permission', value: { name: 'CanControl', object: 'eur#bank' } } as const
    const grant: Instruction = instruction(permissions.grant, { subject, to: { kind: 'account', value: agent } })
    expect(bench.run(owner, grant)).toBeUndefined()
    expect(bench.run(agent, freeze(bob, true))).toBeUndefined()
  })

  it('a freeze blocks outgoing value, but not incoming value, until it is lifted', () => {
    expect(bench.run(owner, freeze(alice, true))).toBeUndefined()
    expect(bench.run(alice, pay(alice, bob, 1n))).toBe('asset_frozen')
    expect(bench.run(bob, pay(bob, alice, 1n))).toBeUndefined()
    expect(bench.run(owner, freeze(alice, false))).toBeUndefined()
    expect(bench.state.get(controls, asset(alice))).toBeUndefined()
    expect(bench.run(alice, pay(alice, bob, 1n))).toBeUndefined()
  })

  it('a blacklist entry blocks both directions', () => {
    expect(bench.run(owner, blacklist(alice, true))).toBeUndefined()
    expect(bench.run(alice, pay(alice, bob, 1n))).toBe('asset_blacklisted')
    expect(bench.run(bob, pay(bob, alice, 1n))).toBe('asset_blacklisted')
  })

  it('a cap limits the exact total of outgoing value within its window', () => {
    expect(
      bench.run(
        owner,
        limits(alice, [
          ['day', 10n],
          ['month', 15n],
        ]),
      ),
    ).toBeUndefined()
    expect(bench.run(alice, pay(alice, bob, 6n))).toBeUndefined()
    expect(bench.run(alice, pay(alice, bob, 5n))).toBe('transfer_limit')
    expect(bench.run(alice, pay(alice, bob, 4n))).toBeUndefined()
    expect(bench.run(alice, pay(alice, bob, 1n))).toBe('transfer_limit')
    expect(held(alice)).toBe(90n)
    // A refused transfer counted nothing; a lifted cap counts anew.
    expect(bench.run(owner, limits(alice, []))).toBeUndefined()
    expect(bench.run(owner, limits(alice, [['day', 10n]]))).toBeUndefined()
    expect(bench.run(alice, pay(alice, bob, 10n))).toBeUndefined()
  })

  it('a cap of zero, with too many digits, or with a second cap for its window is refused', () => {
    expect(bench.run(owner, limits(alice, [['day', 0n]]))).toBe('bad_amount')
    expect(
      bench.run(
        owner,
        limits(alice, [
          ['day', 1n],
          ['day', 2n],
        ]),
      ),
    ).toBe('bad_amount')
  })

  it('do not apply to a transfer permitted by the definition owner', () => {
    const subject = { kind: 'permission', value: { name: 'CanTransfer', object: 'eur#bank' } } as const
    const grant: Instruction = instruction(permissions.grant, { subject, to: { kind: 'account', value: agent } })
    expect(bench.run(owner, grant, freeze(alice, true))).toBeUndefined()
    expect(bench.run(agent, pay(alice, bob, 1n))).toBeUndefined()
  })
})

describe('windows of transfer caps', () => {
  const at = (text: string): number => Date.parse(text)
  it('change at midnight, on Monday and on the first of the month, in UTC', () => {
    for (const [window, last, next] of [
      ['day', '2026-03-01T23:59:59.999Z', '2026-03-02T00:00:00Z'],
      ['week', '2026-03-01T23:59:59.999Z', '2026-03-02T00:00:00Z'],
      ['month', '2028-02-29T23:59:59.999Z', '2028-03-01T00:00:00Z'],
      ['month', '2026-12-31T23:59:59.999Z', '2027-01-01T00:00:00Z'],
    ] as const) {
      expect(bucketOf(window, at(next)) - bucketOf(window, at(last)), `${window} ${next}`).toBe(1)
    }
    expect(bucketOf('week', at('2026-03-02T00:00:00Z'))).toBe(bucketOf('week', at('2026-03-08T23:59:59Z')))
  })

  it('of one month match the calendar for every day of four centuries', () => {
    let previous: number | undefined
    let months = 0
    for (let day = 0; day < 146_097; day++) {
      const bucket = bucketOf('month', day * 86_400_000)
      if (previous !== undefined && bucket !== previous) {
        expect(new Date(day * 86_400_000).getUTCDate()).toBe(1)
        expect(bucket).toBe(previous + 1)
        months += 1
      }
      previous = bucket
    }
    expect(months).toBe(4_800 - 1)
  })
})
