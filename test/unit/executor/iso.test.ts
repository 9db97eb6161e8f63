import { beforeEach, describe, expect, it } from 'vitest'
import { ABI_1, NEWEST_ABI } from '../../../src/features/abi.js'
import { instructions as accounts } from '../../../src/features/accounts/schema.js'
import { instructions as assets } from '../../../src/features/assets/schema/instructions.js'
import { instructions as domains } from '../../../src/features/domains/schema.js'
import { claims, submitters } from '../../../src/features/iso20022/ledger/tables.js'
import {
  claimKey,
  type Debtors,
  instructions as iso,
  type SubmitterLimit,
} from '../../../src/features/iso20022/schema/instructions.js'
import { instructions as permissions } from '../../../src/features/permissions/schema.js'
import { assetObject } from '../../../src/ledger/asset-permissions.js'
import { ibans } from '../../../src/ledger/iso-bindings.js'
import { accountObject } from '../../../src/ledger/permission-kinds.js'
import { balances } from '../../../src/ledger/tables.js'
import { type Instruction, instruction, NO_METADATA } from '../../../src/model/index.js'
import { accountNamed, Bench } from '../../support/executor.js'
import { DETAILS } from '../iso20022/support.js'

const owner = accountNamed('owner')
const bank = accountNamed('bank')
const bridge = accountNamed('bridge')
const alice = accountNamed('alice')
const bob = accountNamed('bob')
const IBAN = 'DE89370400440532013000'
const asset = (account: string) => ({ definition: 'eur#bank', account })

let bench: Bench
beforeEach(() => {
  bench = new Bench()
  const account = (id: string): Instruction =>
    instruction(accounts.registerAccount, { id, domain: 'bank', label: undefined, metadata: NO_METADATA })
  bench.genesis(
    owner,
    instruction(domains.registerDomain, { id: 'bank', dataspace: undefined, metadata: NO_METADATA }),
    ...[owner, bank, bridge, alice, bob].map(account),
    instruction(assets.registerAssetDefinition, {
      id: 'eur#bank',
      scale: 2,
      mintable: { kind: 'infinitely', value: undefined },
      metadata: NO_METADATA,
    }),
    instruction(assets.mint, { asset: asset(alice), amount: { mantissa: 100n, scale: 0 } }),
  )
  expect(
    bench.run(
      alice,
      instruction(permissions.grant, {
        subject: { kind: 'permission', value: { name: 'CanTransferAsset', object: assetObject(asset(alice)) } },
        to: { kind: 'account', value: bridge },
      }),
    ),
  ).toBeUndefined()
})

const allowBridge: Instruction = instruction(permissions.grant, {
  subject: { kind: 'permission', value: { name: 'CanClaimMessages', object: accountObject(bank) } },
  to: { kind: 'account', value: bridge },
})
const submitter = (debtor: Debtors, limits: readonly SubmitterLimit[] = []): Instruction =>
  instruction(iso.setSubmitter, { submitter: bank, bics: [], debtor, limits })
const claim = (id: string, body = 1) =>
  instruction(iso.claimMessage, {
    submitter: bank,
    family: 'pacs008',
    messageId: id,
    idHash: claimKey(bank, 'pacs008', id),
    bodyHash: Buffer.alloc(32, body),
    details: DETAILS,
  })
const pay = (units: bigint): Instruction =>
  instruction(assets.transfer, { asset: asset(alice), to: bob, amount: { mantissa: units, scale: 0 } })
const held = (account: string) => bench.state.get(balances, asset(account))?.mantissa ?? 0n

describe('the row of a submitter', () => {
  const mallory = accountNamed('mallory')
  const rowOf = () => bench.state.get(submitters, bank)
  beforeEach(() => {
    bench = new Bench(undefined, NEWEST_ABI)
    const account = (id: string, domain: string): Instruction =>
      instruction(accounts.registerAccount, { id, domain, label: undefined, metadata: NO_METADATA })
    const domain = (id: string): Instruction =>
      instruction(domains.registerDomain, { id, dataspace: undefined, metadata: NO_METADATA })
    bench.genesis(owner, domain('bank'), ...[owner, bank, alice, bob].map((id) => account(id, 'bank')))
    bench.genesis(mallory, domain('other'), account(mallory, 'other'))
    expect(bench.run(owner, submitter({ kind: 'accounts', value: [alice] }))).toBeUndefined()
  })

  it('cannot be replaced by an account that manages neither the submitter nor its debtors', () => {
    const before = rowOf()
    const others: readonly Debtors[] = [
      { kind: 'accounts', value: [] },
      { kind: 'accounts', value: [mallory] },
      { kind: 'domain', value: 'other' },
    ]
    for (const debtor of others) expect(bench.run(mallory, submitter(debtor))).toBe('not_permitted')
    expect(rowOf()).toEqual(before)
  })

  it('can be emptied only by a manager of the submitter', () => {
    const empty: Debtors = { kind: 'accounts', value: [] }
    expect(bench.run(owner, submitter(empty))).toBeUndefined()
    expect(bench.run(mallory, submitter(empty))).toBe('not_permitted')
    expect(rowOf()?.debtor).toEqual(empty)
  })

  it('can be replaced by a manager of the submitter, even if another account set it', () => {
    bench = new Bench(bench.state, NEWEST_ABI)
    expect(bench.run(owner, submitter({ kind: 'accounts', value: [] }))).toBeUndefined()
    expect(bench.run(mallory, submitter({ kind: 'domain', value: 'other' }))).toBeUndefined()
    expect(bench.run(mallory, submitter({ kind: 'accounts', value: [mallory] }))).toBeUndefined()
    expect(bench.run(owner, submitter({ kind: 'domain', value: 'bank' }))).toBeUndefined()
    expect(bench.run(mallory, submitter({ kind: 'domain', value: 'other' }))).toBe('not_permitted')
  })

  it('follows the rules of release 0.1.0 under ABI 1, for nodes that still run that release', () => {
    bench = new Bench(bench.state, ABI_1)
    expect(bench.run(mallory, submitter({ kind: 'accounts', value: [] }))).toBeUndefined()
  })
})

describe('bindings', () => {
  it('of an IBAN are made once, by the owner of the domain', () => {
    const bind: Instruction = instruction(iso.bindIban, { iban: IBAN, account: alice })
    expect(bench.run(alice, bind)).toBe('not_permitted')
    expect(bench.run(owner, bind)).toBeUndefined()
    expect(bench.run(owner, instruction(iso.bindIban, { iban: IBAN, account: bob }))).toBe('exists')
    expect(bench.run(owner, instruction(iso.unbindIban, { iban: IBAN }))).toBeUndefined()
    expect(bench.state.get(ibans, IBAN)).toBeUndefined()
  })

  it('of a currency need the global permission', () => {
    const bind: Instruction = instruction(iso.bindCurrency, { currency: 'EUR', definition: 'eur#bank' })
    expect(bench.run(owner, bind)).toBe('not_permitted')
    bench.genesis(owner, bind)
    bench.genesis(owner, bind)
    const other: Instruction = instruction(iso.bindCurrency, { currency: 'EUR', definition: 'usd#bank' })
    expect(() => bench.genesis(owner, other)).toThrow('absent')
  })
})

describe.each([
  ['ABI 1', ABI_1, true],
  ['the newest ABI', NEWEST_ABI, false],
])('under %s, a submitter that was set before an account was registered again', (_, abi, isFirst) => {
  const register = (id: string, domain = 'bank'): Instruction =>
    instruction(accounts.registerAccount, { id, domain, label: undefined, metadata: NO_METADATA })
  const registerDomain = (id: string): Instruction =>
    instruction(domains.registerDomain, { id, dataspace: undefined, metadata: NO_METADATA })
  const unregister = (id: string): Instruction => instruction(accounts.unregisterAccount, { id })
  const money = (kind: 'mint' | 'burn', units: bigint): Instruction => ({
    kind,
    value: { asset: asset(alice), amount: { mantissa: units, scale: 0 } },
  })
  const euro: Instruction = instruction(assets.registerAssetDefinition, {
    id: 'eur#bank',
    scale: 2,
    mintable: { kind: 'infinitely', value: undefined },
    metadata: NO_METADATA,
  })
  const set = (debtor: Debtors): Instruction =>
    instruction(iso.setSubmitter, { submitter: bridge, bics: [], debtor, limits: [] })
  const grant = (name: string, object: string | undefined, account: string): Instruction =>
    instruction(permissions.grant, {
      subject: { kind: 'permission', value: { name, object } },
      to: { kind: 'account', value: account },
    })
  /** An account registered again must allow the submitter again. */
  const allow = () => bench.run(alice, grant('CanTransferAsset', assetObject(asset(alice)), bridge))
  const payOnce = (id: string) => {
    const value = { ...claim(id).value, submitter: bridge, idHash: claimKey(bridge, 'pacs008', id) }
    return bench.run(bridge, instruction(iso.claimMessage, value), pay(1n))
  }
  beforeEach(() => {
    bench = new Bench(undefined, abi)
    const homes = [owner, bob, bridge].map((id) => register(id, 'home'))
    bench.genesis(owner, registerDomain('home'), registerDomain('bank'), ...homes, register(alice), euro)
    bench.genesis(owner, money('mint', 2n), grant('CanRegisterDomain', undefined, owner))
    expect(allow()).toBeUndefined()
  })

  if (isFirst)
    it('costs the same units as under release 0.1.0, without further rows', () => {
      expect(bench.run(owner, set({ kind: 'domain', value: 'bank' }))).toBeUndefined()
      expect(bench.last?.contentTeu).toBe(42)
      expect(payOnce('M1')).toBeUndefined()
      expect(bench.last?.contentTeu).toBe(176)
    })

  it('cannot debit after its own account was registered again, until it is set again, from ABI 2 on', () => {
    expect(bench.run(owner, set({ kind: 'domain', value: 'bank' }))).toBeUndefined()
    expect(payOnce('M1')).toBeUndefined()
    expect(bench.run(owner, unregister(bridge), register(bridge, 'home'))).toBeUndefined()
    expect(allow()).toBe(undefined)
    expect(payOnce('M2')).toBe(isFirst ? undefined : 'iso_submitter')
    expect(bench.run(owner, money('mint', 2n), set({ kind: 'domain', value: 'bank' }))).toBeUndefined()
    expect(payOnce('M3')).toBeUndefined()
  })

  it('does not debit an account that was registered again, from ABI 2 on', () => {
    expect(bench.run(owner, set({ kind: 'accounts', value: [alice] }))).toBeUndefined()
    expect(payOnce('M1')).toBeUndefined()
    expect(bench.run(alice, money('burn', 1n), unregister(alice))).toBeUndefined()
    expect(bench.run(owner, register(alice), money('mint', 2n))).toBeUndefined()
    expect(allow()).toBeUndefined()
    expect(payOnce('M2')).toBe(isFirst ? undefined : 'iso_submitter')
  })

  it('does not debit accounts of a domain that was registered again, from ABI 2 on', () => {
    expect(bench.run(owner, set({ kind: 'domain', value: 'bank' }))).toBeUndefined()
    expect(bench.run(alice, money('burn', 2n))).toBeUndefined()
    const gone: readonly Instruction[] = [
      instruction(assets.unregisterAssetDefinition, { id: 'eur#bank' }),
      unregister(alice),
      instruction(domains.unregisterDomain, { id: 'bank' }),
    ]
    expect(bench.run(owner, ...gone)).toBeUndefined()
    const anew = [registerDomain('bank'), register(alice), euro, money('mint', 2n)]
    expect(bench.run(owner, ...anew)).toBeUndefined()
    expect(allow()).toBeUndefined()
    expect(payOnce('M1')).toBe(isFirst ? undefined : 'iso_submitter')
  })
})

describe('a claimed message', () => {
  beforeEach(() => expect(bench.run(bank, allowBridge)).toBeUndefined())

  it('can be claimed by its submitter, or by an account with the permission of the submitter', () => {
    bench.genesis(owner, submitter({ kind: 'domain', value: 'bank' }))
    expect(bench.run(alice, claim('M1'), pay(1n))).toBe('not_permitted')
    expect(bench.run(bridge, claim('M1'), pay(1n))).toBeUndefined()
  })

  it('is paid only once, even if another account repeats it', () => {
    expect(bench.run(owner, submitter({ kind: 'domain', value: 'bank' }))).toBeUndefined()
    expect(bench.run(bridge, claim('M1'), pay(10n))).toBeUndefined()
    expect(bench.run(bridge, claim('M1'), pay(10n))).toBe('iso_duplicate_message')
    expect(bench.run(bridge, claim('M1', 2), pay(20n))).toBe('iso_duplicate_message')
    expect(held(bob)).toBe(10n)
    expect(bench.run(bridge, claim('M2'), pay(1n))).toBeUndefined()
    expect(held(bob)).toBe(11n)
  })

  it('is not claimed when its transfer fails, so the id may be used again', () => {
    bench.genesis(owner, submitter({ kind: 'domain', value: 'bank' }))
    expect(bench.run(bridge, claim('M1'), pay(500n))).toBe('not_enough')
    expect(bench.state.get(claims, claimKey(bank, 'pacs008', 'M1'))).toBeUndefined()
    expect(bench.run(bridge, claim('M1'), pay(5n))).toBeUndefined()
  })

  it('must be followed by exactly one transfer from a permitted debtor of its submitter', () => {
    expect(bench.run(bridge, claim('M1'), pay(1n))).toBe('iso_submitter')
    bench.genesis(owner, submitter({ kind: 'accounts', value: [bob] }))
    expect(bench.run(bridge, claim('M1'), pay(1n))).toBe('iso_submitter')
    bench.genesis(owner, submitter({ kind: 'accounts', value: [alice] }))
    expect(bench.run(bridge, claim('M1'))).toBe('iso_claim')
    expect(bench.run(bridge, claim('M1'), pay(1n), pay(1n))).toBe('iso_claim')
    expect(bench.run(bridge, pay(1n), claim('M1'))).toBe('iso_claim')
    const forged = claim('M1')
    const value = { ...forged.value, idHash: Buffer.alloc(32) }
    expect(bench.run(bridge, instruction(iso.claimMessage, value), pay(1n))).toBe('iso_claim')
    expect(held(bob)).toBe(0n)
  })

  it('moves nothing without the permission of the debtor', () => {
    bench.genesis(owner, submitter({ kind: 'domain', value: 'bank' }))
    expect(bench.run(bank, claim('M1'), pay(1n))).toBe('not_permitted')
    expect(held(alice)).toBe(100n)
  })

  it('respects the limits of its submitter, per payment and per day', () => {
    const limit = (perPayment: bigint | undefined, perDay: bigint | undefined) => {
      const numeric = (mantissa: bigint | undefined) => (mantissa === undefined ? undefined : { mantissa, scale: 0 })
      return [{ definition: 'eur#bank', perPayment: numeric(perPayment), perDay: numeric(perDay) }]
    }
    const domain = { kind: 'domain', value: 'bank' } as const
    expect(bench.run(owner, submitter(domain, limit(0n, undefined)))).toBe('bad_amount')
    expect(bench.run(owner, submitter(domain, [...limit(1n, undefined), ...limit(2n, undefined)]))).toBe('bad_amount')
    const elsewhere = limit(1n, 1n).map((one) => ({ ...one, definition: 'none#bank' }))
    expect(bench.run(owner, submitter(domain, elsewhere))).toBe('absent')
    expect(bench.run(owner, submitter(domain, limit(5n, undefined)))).toBeUndefined()
    expect(bench.run(owner, submitter(domain, limit(undefined, 8n)))).toBeUndefined()
    expect(bench.run(owner, submitter(domain, limit(5n, 8n)))).toBeUndefined()
    expect(bench.run(bridge, claim('M1'), pay(6n))).toBe('iso_limit')
    expect(bench.run(bridge, claim('M1'), pay(5n))).toBeUndefined()
    expect(bench.run(bridge, claim('M2'), pay(4n))).toBe('iso_limit')
    expect(bench.run(bridge, claim('M2'), pay(3n))).toBeUndefined()
    expect(bench.run(bridge, claim('M3'), pay(1n))).toBe('iso_limit')
    expect(held(bob)).toBe(8n)
  })

  it('is neither paid nor claimed if the debtor balance is frozen', () => {
    bench.genesis(owner, submitter({ kind: 'domain', value: 'bank' }))
    const freeze = instruction(assets.setFreeze, { asset: asset(alice), frozen: true, reason: undefined })
    expect(bench.run(owner, freeze)).toBeUndefined()
    expect(bench.run(bridge, claim('M1'), pay(1n))).toBe('asset_frozen')
    expect(bench.state.get(claims, claimKey(bank, 'pacs008', 'M1'))).toBeUndefined()
  })
})
