/** Resolution of a payment on the ledger: pins that confirm or replace bindings, and reasons that forbid it. */

import { beforeEach, describe, expect, it } from 'vitest'
import type { NodeServices } from '../../../src/api/services.js'
import type { Abi } from '../../../src/executor/index.js'
import type { QueryContext } from '../../../src/executor/reads.js'
import { ABI_1, NEWEST_ABI } from '../../../src/features/abi.js'
import { instructions as accounts } from '../../../src/features/accounts/schema.js'
import { instructions as assets } from '../../../src/features/assets/schema/instructions.js'
import { instructions as domains } from '../../../src/features/domains/schema.js'
import { type PinMode, type Resolved, resolvePayments } from '../../../src/features/iso20022/bridge/resolve.js'
import { isoResolveAll } from '../../../src/features/iso20022/ledger/queries.js'
import type { Payment } from '../../../src/features/iso20022/message/index.js'
import { instructions as iso } from '../../../src/features/iso20022/schema/instructions.js'
import type { ResolveAllQuery } from '../../../src/features/iso20022/schema/views.js'
import { instructions as permissions } from '../../../src/features/permissions/schema.js'
import type { InstructionOf } from '../../../src/model/definition.js'
import { formatAddress, type Instruction, instruction, NO_METADATA } from '../../../src/model/index.js'
import { accepted, CREDITOR_IBAN, DEBTOR_IBAN, FLAT_008 } from '../../fixtures/iso20022/messages.js'
import { accountNamed, Bench } from '../../support/executor.js'
import { CHAIN, FakeNode } from '../gateway/support.js'

const owner = accountNamed('owner')
const [alice, bob, carol] = ['alice', 'bob', 'carol'].map(accountNamed) as [string, string, string]
const NOW_MS = Date.parse('2026-03-02T10:00:00Z')
const units = (mantissa: bigint) => ({ mantissa, scale: 0 })
const asset = (account: string) => ({ definition: 'usd#bank', account })

const definition = (id: string): Instruction =>
  instruction(assets.registerAssetDefinition, {
    id,
    scale: 2,
    mintable: { kind: 'infinitely', value: undefined },
    metadata: NO_METADATA,
  })

let bench: Bench
function world(abi: Abi): void {
  bench = new Bench(undefined, abi)
  bench.genesis(
    owner,
    instruction(domains.registerDomain, { id: 'bank', dataspace: undefined, metadata: NO_METADATA }),
    ...[owner, alice, bob, carol].map(
      (id, at): Instruction =>
        instruction(accounts.registerAccount, {
          id,
          domain: 'bank',
          label: ['owner', 'alice', 'bob', 'carol'][at],
          metadata: NO_METADATA,
        }),
    ),
    definition('usd#bank'),
    definition('usd2#bank'),
    instruction(iso.bindIban, { iban: DEBTOR_IBAN, account: alice }),
    instruction(iso.bindIban, { iban: CREDITOR_IBAN, account: bob }),
    instruction(iso.bindCurrency, { currency: 'USD', definition: 'usd#bank' }),
    instruction(iso.setSubmitter, submitter({})),
  )
}
beforeEach(() => world(ABI_1))

type Submitter = InstructionOf<typeof iso.setSubmitter>
const submitter = (changes: Partial<Submitter>): Submitter => ({
  submitter: owner,
  bics: [],
  debtor: { kind: 'domain', value: 'bank' },
  limits: [],
  ...changes,
})

/** A node whose ledger is the bench, with one alias. */
const answering = (): NodeServices => ({
  ...new FakeNode().services,
  queries: () => new Map(),
  query: async (def, input) => {
    if (def.kind === 'isoResolveAll') {
      return (await isoResolveAll(
        { reader: bench.state } as unknown as QueryContext,
        input as ResolveAllQuery,
      )) as never
    }
    const { alias } = input as { alias?: string }
    return (alias === 'carol@bank' ? { id: carol } : undefined) as never
  },
})

async function resolve(pins: readonly string[] = [], mode: PinMode = 'match') {
  const { payment } = accepted([...FLAT_008, ...pins.map((pin) => `SplmtryData/${pin}`)].join('\n'), {
    family: 'pacs.008',
  })
  const [found] = await resolvePayments(answering(), [payment], owner, { mode, timeMs: NOW_MS, open: [] })
  return found as Resolved
}
const codes = async (...parameters: Parameters<typeof resolve>) => {
  const found = await resolve(...parameters)
  return found.ok ? [] : found.faults.map((one) => `${one.code} ${one.reasonCode}`)
}
const address = (account: string) => formatAddress(account, 'cw')

describe('account and asset pins', () => {
  it('are accepted if they equal the bindings', async () => {
    const pins = [
      `LedgerId=${CHAIN}`,
      `SourceAccountId=${address(alice)}`,
      `TargetAccountAddress=${address(bob)}`,
      'AssetDefinitionId=usd#bank',
    ]
    expect(await resolve(pins)).toMatchObject({
      ok: true,
      value: { source: alice, target: bob, definition: 'usd#bank' },
    })
  })

  it('are rejected if they contradict the bindings, each with its own reason', async () => {
    const pins = [
      'LedgerId=other',
      `SourceAccountId=${address(carol)}`,
      'TargetAccountId=carol@bank',
      'AssetDefinitionId=usd2#bank',
    ]
    expect(await codes(pins)).toEqual([
      'pin_ledger NARR',
      'pin_account AC02',
      'pin_account AC03',
      'pin_definition AM03',
    ])
    expect(await codes(['SourceAccountId=nonsense'])).toEqual(['pin_account AC02'])
  })

  it('replace the bindings if the node permits it, but only for debtors that the submitter may debit', async () => {
    const pins = [`SourceAccountId=${address(carol)}`, 'AssetDefinitionId=usd2#bank']
    expect(await resolve(pins, 'override')).toMatchObject({
      ok: true,
      value: { source: carol, target: bob, definition: 'usd2#bank' },
    })
    expect(await codes(['LedgerId=other'], 'override')).toEqual(['pin_ledger NARR'])
    expect(await codes(['AssetDefinitionId=none#bank'], 'override')).toContain('currency_unbound AM03')
    bench.genesis(owner, instruction(iso.setSubmitter, submitter({ debtor: { kind: 'accounts', value: [alice] } })))
    expect(await codes(pins, 'override')).toEqual(['submitter_debtor AG01'])
  })
})

describe('several payments of one message', () => {
  it('count towards the daily limit in their order, in addition to open payments', async () => {
    const perDay = { mantissa: 100n, scale: 0 }
    bench.genesis(
      owner,
      instruction(iso.setSubmitter, submitter({ limits: [{ definition: 'usd#bank', perPayment: undefined, perDay }] })),
    )
    const { payment } = accepted(FLAT_008.join('\n'), { family: 'pacs.008' })
    const of = (units: bigint): Payment => ({ ...payment, amount: { mantissa: units * 100n, scale: 2 } })
    const open = [{ definition: 'usd#bank', amount: { mantissa: 20n, scale: 0 } }]
    const found = await resolvePayments(answering(), [of(50n), of(40n), of(30n)], owner, {
      mode: 'match',
      timeMs: NOW_MS,
      open,
    })
    expect(found.map((one) => (one.ok ? 'paid' : one.refusedBy))).toEqual(['paid', 'iso_limit', 'paid'])
  })
})

describe.each([
  ['ABI 1', ABI_1, true],
  ['the newest ABI', NEWEST_ABI, false],
])('under %s a currency binding', (_, abi, isFirst) => {
  it('is void after its definition is registered again, until the currency is bound again, from ABI 2 on', async () => {
    world(abi)
    bench.genesis(
      owner,
      instruction(permissions.grant, {
        subject: { kind: 'permission', value: { name: 'CanRegisterAssetDefinition', object: 'bank' } },
        to: { kind: 'account', value: carol },
      }),
    )
    expect(await codes()).toEqual([])
    expect(bench.run(owner, instruction(assets.unregisterAssetDefinition, { id: 'usd#bank' }))).toBeUndefined()
    expect(await codes()).toEqual(['currency_unbound AM03'])
    expect(bench.run(carol, definition('usd#bank'))).toBeUndefined()
    expect(await codes()).toEqual(isFirst ? [] : ['currency_unbound AM03'])
    const rebind: Instruction = instruction(iso.bindCurrency, { currency: 'USD', definition: 'usd#bank' })
    bench.genesis(
      owner,
      instruction(permissions.grant, {
        subject: { kind: 'permission', value: { name: 'CanManageIsoCurrencies', object: undefined } },
        to: { kind: 'account', value: owner },
      }),
    )
    expect(bench.run(owner, rebind)).toBeUndefined()
    expect(await codes()).toEqual([])
  })
})

describe('a blocked payment', () => {
  it.each([
    ['setFreeze', { asset: asset(alice), frozen: true, reason: undefined }, 'asset_frozen AC06'],
    ['setBlacklist', { asset: asset(bob), blacklisted: true }, 'asset_blacklisted AC06'],
    ['setLimits', { asset: asset(alice), limits: [{ window: 'day', cap: units(9n) }] }, 'transfer_limit AM14'],
    [
      'setSubmitter',
      submitter({ limits: [{ definition: 'usd#bank', perPayment: units(9n), perDay: undefined }] }),
      'iso_limit AM14',
    ],
    [
      'setSubmitter',
      submitter({ limits: [{ definition: 'usd#bank', perPayment: undefined, perDay: units(9n) }] }),
      'iso_limit AM14',
    ],
    ['setSubmitter', submitter({ bics: ['OTHRDEFF'] }), 'submitter_bic AG01'],
  ])('is rejected before it is signed if %s blocks it', async (kind, value, code) => {
    expect(await codes()).toEqual([])
    bench.genesis(owner, { kind, value } as Instruction)
    expect(await codes()).toEqual([code])
  })
  const places = async () => {
    const found = await resolve()
    return found.ok ? [] : found.faults.map(({ code, path, value, reasonCode }) => ({ code, path, value, reasonCode }))
  }
  const setBlacklist = (account: string): Instruction =>
    instruction(assets.setBlacklist, { asset: asset(account), blacklisted: true })
  const creditor = {
    code: 'asset_blacklisted',
    path: 'CdtrAcct/Id/IBAN',
    value: CREDITOR_IBAN,
    reasonCode: 'AC06',
  }
  const debtor = { code: 'asset_blacklisted', path: 'DbtrAcct/Id/IBAN', value: DEBTOR_IBAN, reasonCode: 'AC06' }

  it('is rejected with the path of the creditor account if its receiver is blocked', async () => {
    bench.genesis(owner, setBlacklist(bob))
    expect(await places()).toEqual([creditor])
    expect(await resolve()).toMatchObject({ refusedBy: 'asset_blacklisted', submitter: false })
  })

  it('is rejected with every blocked account, and with the amount if a cap is also exceeded', async () => {
    bench.genesis(owner, setBlacklist(alice), setBlacklist(bob))
    expect(await places()).toEqual([debtor, creditor])
    bench.genesis(
      owner,
      instruction(assets.setBlacklist, { asset: asset(alice), blacklisted: false }),
      instruction(assets.setLimits, { asset: asset(alice), limits: [{ window: 'day', cap: units(9n) }] }),
    )
    expect(await places()).toEqual([
      { code: 'transfer_limit', path: 'IntrBkSttlmAmt', value: '10.00', reasonCode: 'AM14' },
      creditor,
    ])
  })
})
