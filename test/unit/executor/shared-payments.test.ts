import { describe, expect, it } from 'vitest'
import { setParameterNow } from '../../../src/executor/parameters.js'
import { ABI_1 } from '../../../src/features/abi.js'
import { instructions as accounts } from '../../../src/features/accounts/schema.js'
import { instructions as assets } from '../../../src/features/assets/schema/instructions.js'
import { claims, headRefusals, heads, payments, uetrs } from '../../../src/features/iso20022/ledger/tables.js'
import {
  claimKey,
  instructions as iso,
  type PaymentPart,
  paymentKey,
} from '../../../src/features/iso20022/schema/instructions.js'
import { ISO_UETR_UNIQUE } from '../../../src/features/iso20022/schema/parameters.js'
import { OUTCOME_KEPT_UNITS, PART_KEPT_UNITS } from '../../../src/features/iso20022/schema/shared-units.js'
import { instructions as triggers } from '../../../src/features/triggers/schema.js'
import { assetObject } from '../../../src/ledger/asset-permissions.js'
import { accountObject } from '../../../src/ledger/permission-kinds.js'
import { type Instruction, instruction, NO_METADATA } from '../../../src/model/index.js'
import { accountNamed, type Bench } from '../../support/executor.js'
import {
  alice,
  balanceOf,
  bank,
  bob,
  bridge,
  euros,
  message,
  outcomesOf,
  owner,
  part,
  paymentsBench,
  permission,
  register,
  START,
  setBank,
  settle,
  uetrOf,
  units,
} from '../../support/shared-payments.js'
import { DETAILS } from '../iso20022/support.js'

const keyOf = (id: string) => claimKey(bank, 'pacs008', id)
const headOf = (bench: Bench, id: string) => bench.state.get(heads, keyOf(id))
const withUetr = (uetr: string): Partial<PaymentPart> => ({ details: { ...DETAILS, uetr } })
const UETR = '00000000-0000-4000-8000-000000000001'
/** A payment to an account that the ledger does not have. */
const failing = (place: number): PaymentPart => part(place, 1n, { target: accountNamed('unknown') })

describe('payments of a shared transaction', () => {
  it('are executed independently: a failed payment records its code, and the others settle', () => {
    const bench = paymentsBench()
    const list = settle(
      message('A', [part(1, 10n)]),
      message('B', [part(1, START)]),
      message('C', [part(1, 5n), failing(2), part(3, 6n)]),
    )
    expect(bench.run(bridge, list)).toBeUndefined()
    expect(outcomesOf(bench)).toEqual([
      'A/1 settled',
      'B/1 not_enough',
      'C/1 settled',
      'C/2 unknown_account',
      'C/3 settled',
    ])
    expect(balanceOf(bench, bob)).toBe(21n)
    expect(bench.state.get(claims, keyOf('A'))).toMatchObject({ messageId: 'A', amount: units(10n) })
    expect(bench.state.get(claims, keyOf('B'))).toBeUndefined()
    expect(bench.state.get(payments, keyOf('B'))).toMatchObject({ place: 1, code: expect.any(Number) })
    expect(headOf(bench, 'C')).toMatchObject({ payments: 3, settled: 2, rejected: 1, refused: 0 })
    expect(bench.state.get(payments, paymentKey(keyOf('C'), 3, 3))?.code).toBeUndefined()
    expect(bench.state.get(payments, paymentKey(keyOf('C'), 3, 2))?.code).toEqual(expect.any(Number))
  })

  it('fail individually if a pinned alias has moved', () => {
    const bench = paymentsBench()
    bench.genesis(owner, instruction(accounts.setLabel, { account: bob, label: 'bob' }))
    const pinned = (place: number, text: string): PaymentPart =>
      part(place, 10n, { aliases: [{ text, target: { kind: 'account', value: bob } }] })
    const list = settle(message('A', [pinned(1, 'bob@bank'), pinned(2, 'alice@bank'), part(3, 1n)]))
    expect(bench.run(bridge, list)).toBeUndefined()
    expect(outcomesOf(bench)).toEqual(['A/1 settled', 'A/2 alias_moved', 'A/3 settled'])
    expect(balanceOf(bench, bob)).toBe(11n)
  })

  it('are not paid twice, even if different instructions claim the same message', () => {
    const bench = paymentsBench()
    const claim = (id: string): Instruction[] => [
      instruction(iso.claimMessage, {
        submitter: bank,
        family: 'pacs008',
        messageId: id,
        idHash: keyOf(id),
        bodyHash: Buffer.alloc(32, 1),
        details: DETAILS,
      }),
      instruction(assets.transfer, { asset: euros(alice), to: bob, amount: units(1n) }),
    ]
    expect(bench.run(bridge, ...claim('A'))).toBeUndefined()
    expect(bench.run(bridge, settle(message('A', [part(1, 1n)]), message('B', [part(1, 1n)])))).toBeUndefined()
    expect(outcomesOf(bench)).toEqual(['A/1 refused iso_duplicate_message', 'B/1 settled'])
    expect(bench.run(bridge, ...claim('B'))).toBe('iso_duplicate_message')
    expect(bench.run(bridge, settle(message('C', [part(1, 1n), part(2, 1n)])))).toBeUndefined()
    expect(bench.run(bridge, ...claim('C'))).toBe('iso_duplicate_message')
    expect(bench.run(bridge, settle(message('C', [part(1, 1n), part(2, 1n)])))).toBeUndefined()
    expect(outcomesOf(bench)).toEqual(['C/1 refused iso_duplicate_message', 'C/2 refused iso_duplicate_message'])
    expect(balanceOf(bench, bob)).toBe(4n)
  })

  it('of two messages with the same id but different bodies are not both paid', () => {
    const bench = paymentsBench()
    const other = { bodyHash: Buffer.alloc(32, 2) }
    const pair = [part(1, 1n), part(2, 1n)]
    expect(bench.run(bridge, settle(message('A', [part(1, 1n)], { payments: 2 })))).toBeUndefined()
    expect(bench.run(bridge, settle(message('A', pair, other)))).toBeUndefined()
    expect(outcomesOf(bench)).toEqual(['A/1 refused iso_duplicate_message', 'A/2 refused iso_duplicate_message'])
    expect(bench.run(bridge, settle(message('A', [part(2, 1n)], { payments: 3 })))).toBeUndefined()
    expect(outcomesOf(bench)).toEqual(['A/2 refused iso_duplicate_message'])
    expect(bench.run(bridge, settle(message('A', [part(2, 1n)])))).toBeUndefined()
    expect(outcomesOf(bench)).toEqual(['A/2 settled'])
    // One payment and two under one id, in one transaction: the head was there first.
    expect(bench.run(bridge, settle(message('B', [part(1, 1n)]), message('B', pair)))).toBeUndefined()
    expect(outcomesOf(bench)).toEqual(['B/1 refused iso_duplicate_message', 'B/1 settled', 'B/2 settled'])
    expect(bench.run(bridge, settle(message('B', [part(1, 1n)])))).toBeUndefined()
    expect(outcomesOf(bench)).toEqual(['B/1 refused iso_duplicate_message'])
  })

  it('can be paid by a later transaction if rejected, and the message counts are updated', () => {
    const bench = paymentsBench()
    const all = [part(1, 1n), failing(2)]
    expect(bench.run(bridge, settle(message('A', all), message('S', [failing(1)])))).toBeUndefined()
    expect(headOf(bench, 'A')).toMatchObject({ settled: 1, rejected: 1 })
    expect(bench.run(bridge, settle(message('A', [failing(2)])))).toBeUndefined()
    expect(headOf(bench, 'A')).toMatchObject({ settled: 1, rejected: 1 })
    bench.genesis(owner, register(accountNamed('unknown')))
    expect(bench.run(bridge, settle(message('A', [failing(2)]), message('S', [failing(1)])))).toBeUndefined()
    expect(outcomesOf(bench)).toEqual(['A/2 settled', 'S/1 settled'])
    expect(headOf(bench, 'A')).toMatchObject({ settled: 2, rejected: 0 })
    expect(bench.state.get(payments, keyOf('S'))).toBeUndefined()
    expect(bench.state.get(claims, keyOf('S'))).toBeDefined()
  })

  it('keep the gateway refusals of the first transaction of the message', () => {
    const bench = paymentsBench()
    const refused = [{ place: 2, reason: 'AC03' }]
    expect(bench.run(bridge, settle(message('A', [part(1, 1n)], { payments: 3, refused })))).toBeUndefined()
    expect(bench.run(bridge, settle(message('A', [part(2, 1n)], { payments: 3 })))).toBeUndefined()
    expect(bench.state.get(headRefusals, keyOf('A'))).toEqual(refused)
    expect(headOf(bench, 'A')).toMatchObject({ settled: 2, rejected: 0, refused: 1 })
  })

  it('are refused without a row if the bridge may not claim them', () => {
    const bench = paymentsBench()
    const outsider = accountNamed('stranger')
    bench.genesis(owner, register(outsider))
    const before = bench.state.changes().length
    expect(bench.run(outsider, settle(message('A', [part(1, 1n)])))).toBeUndefined()
    expect(outcomesOf(bench)).toEqual(['A/1 refused not_permitted'])
    const unregistered = message('A', [part(1, 1n)], { submitter: outsider })
    expect(bench.run(bridge, settle(unregistered))).toBeUndefined()
    expect(outcomesOf(bench)).toEqual(['A/1 refused iso_submitter'])
    expect(bench.state.changes().length).toBe(before)
  })

  it('debit only accounts permitted to their submitter, within its limits', () => {
    const bench = paymentsBench([{ definition: 'eur#bank', perDay: 10n }])
    bench.genesis(bob, permission('CanTransferAsset', assetObject(euros(bob)), bridge))
    const back = part(2, 1n, { source: bob, target: alice })
    expect(bench.run(bridge, settle(message('A', [part(1, 8n), back, part(3, 3n), part(4, 2n)])))).toBeUndefined()
    expect(outcomesOf(bench)).toEqual(['A/1 settled', 'A/2 iso_submitter', 'A/3 iso_limit', 'A/4 settled'])
  })

  it('use a UETR once per submitter, unless the chain allows repeats', () => {
    const bench = paymentsBench()
    const pair = [part(1, 1n, withUetr(UETR)), part(2, 1n, withUetr(UETR))]
    expect(bench.run(bridge, settle(message('A', pair), message('B', [part(1, 1n, withUetr(UETR))])))).toBeUndefined()
    expect(outcomesOf(bench)).toEqual(['A/1 settled', 'A/2 iso_uetr', 'B/1 iso_uetr'])
    expect(bench.state.get(uetrs, { submitter: bank, uetr: UETR })).toEqual(paymentKey(keyOf('A'), 2, 1))
    setParameterNow(bench.state, ISO_UETR_UNIQUE.name, ISO_UETR_UNIQUE.schema.encode(false))
    expect(bench.run(bridge, settle(message('B', [part(1, 1n, withUetr(UETR))])))).toBeUndefined()
    expect(outcomesOf(bench)).toEqual(['B/1 settled'])
  })

  it('release the UETR of a failed payment for another payment', () => {
    const bench = paymentsBench()
    const lost = { ...failing(1), ...withUetr(UETR) }
    expect(bench.run(bridge, settle(message('A', [lost]), message('B', [part(1, 1n, withUetr(UETR))])))).toBeUndefined()
    expect(outcomesOf(bench)).toEqual(['A/1 unknown_account', 'B/1 settled'])
  })

  it('are rejected as a whole if the positions do not form a valid message', () => {
    const bench = paymentsBench()
    const two = [part(1, 1n), part(2, 1n)]
    for (const list of [
      settle(),
      settle(message('A', [])),
      settle(message('A', two, { payments: 1 })),
      settle(message('A', [part(2, 1n), part(1, 1n)])),
      settle(message('A', [part(1, 1n), part(1, 1n)])),
      settle(message('A', [part(1, 1n)], { refused: [{ place: 1, reason: 'AC03' }] })),
      settle(message('A', two, { payments: 3, refused: [{ place: 4, reason: 'AC03' }] })),
      settle(...Array.from({ length: 129 }, (_, at) => message(`M${at}`, two))),
    ])
      expect(bench.run(bridge, list)).toBe('iso_claim')
    const transfer = instruction(assets.transfer, { asset: euros(alice), to: bob, amount: units(1n) })
    expect(bench.run(bridge, settle(message('A', [part(1, 1n)])), transfer)).toBe('iso_claim')
    expect(balanceOf(bench, bob)).toBe(0n)
  })

  it('do not exist under ABI 1', () => {
    expect(ABI_1.instructions.has('settlePayments')).toBe(false)
  })
})

describe('the units reserved for a shared transaction', () => {
  const longest = 'x'.repeat(35)
  const details = {
    currency: 'EUR',
    settlementDate: '2026-03-02',
    uetr: undefined,
    instructionId: 'ü'.repeat(35),
    endToEndId: 'ü'.repeat(35),
    senderTransactionId: 'ü'.repeat(35),
    changes: ['DT06', 'NARR'],
  }

  it('suffice for every payment without triggers, in single and large messages with the longest texts', () => {
    const bench = paymentsBench([{ definition: 'eur#bank', perDay: 1_000_000n }])
    const count = 100
    const debtors = Array.from({ length: 2 * count }, (_, at) => accountNamed(`debtor ${at}`))
    bench.genesis(owner, ...debtors.map(register), setBank({ kind: 'domain', value: 'bank' }))
    for (const account of debtors) {
      bench.genesis(owner, instruction(assets.mint, { asset: euros(account), amount: units(9n) }))
    }
    bench.genesis(owner, permission('CanTransfer', 'eur#bank', bridge))
    const many = debtors.map((source, at) =>
      part((at % count) + 1, 1n, {
        source,
        target: accountNamed(`debtor ${(at + 1) % debtors.length}`),
        details: { ...details, uetr: uetrOf(at) },
      }),
    )
    expect(bench.run(bridge, settle(message(longest, many.slice(0, count))))).toBeUndefined()
    expect(outcomesOf(bench).filter((text) => text.endsWith('settled'))).toHaveLength(count)
    expect((bench.last?.contentTeu ?? 0) / count).toBeLessThan(PART_KEPT_UNITS)
    const single = many.slice(count).map((one, at) => message(String(at).padStart(35, 'y'), [{ ...one, place: 1 }]))
    expect(bench.run(bridge, settle(...single))).toBeUndefined()
    expect(outcomesOf(bench).filter((text) => text.endsWith('settled'))).toHaveLength(count)
    expect((bench.last?.contentTeu ?? 0) / count).toBeLessThan(PART_KEPT_UNITS)
  })

  it('suffice for the outcomes of payments that all fail', () => {
    const bench = paymentsBench()
    const count = 100
    bench.contentTeu = count * (PART_KEPT_UNITS + OUTCOME_KEPT_UNITS) + 500
    const lost = Array.from({ length: count }, (_, at) => ({ ...failing(at + 1), details }))
    expect(bench.run(bridge, settle(message(longest, lost)))).toBeUndefined()
    expect(outcomesOf(bench)).toHaveLength(count)
    expect(headOf(bench, longest)).toMatchObject({ settled: 0, rejected: count })
  })

  it('suffice for 1,000 payments that fail at the last check, the balance of the debtor', () => {
    const bench = paymentsBench([{ definition: 'eur#bank', perDay: 1_000_000n }])
    const count = 250
    for (let from = 0; from < 1_000; from += count) {
      const poor = Array.from({ length: count }, (_, at) =>
        part(from + at + 1, START + 1n, { details: { ...details, uetr: uetrOf(from + at) } }),
      )
      bench.contentTeu = count * (PART_KEPT_UNITS + OUTCOME_KEPT_UNITS) + 500
      expect(bench.run(bridge, settle(message('A', poor, { payments: 1_000 })))).toBeUndefined()
      expect(new Set(outcomesOf(bench).map((text) => text.split(' ')[1]))).toEqual(new Set(['not_enough']))
      expect(bench.last?.contentTeu ?? 0).toBeLessThanOrEqual(bench.contentTeu)
    }
    expect(headOf(bench, 'A')).toMatchObject({ settled: 0, rejected: 1_000 })
    expect(balanceOf(bench, alice)).toBe(START)
  })

  it('are checked before the first payment, so that earlier payments cannot exhaust the units of later ones', () => {
    const bench = paymentsBench()
    bench.contentTeu = 2 * (PART_KEPT_UNITS + OUTCOME_KEPT_UNITS)
    const pair = message('A', [part(1, 1n), part(2, 1n)])
    expect(bench.run(bridge, settle(pair))).toBe('teu_exhausted')
    expect(headOf(bench, 'A')).toBeUndefined()
    bench.contentTeu += 500
    expect(bench.run(bridge, settle(pair))).toBeUndefined()
  })

  /** A trigger of the issuer, without which no payment to the account is made: it pays so many amounts itself. */
  const onReceipt = (id: string, account: string, times: number): Instruction =>
    instruction(triggers.registerTrigger, {
      id,
      authority: owner,
      filter: {
        kind: 'data',
        value: { subject: 'asset', events: ['transferred'], scope: { kind: 'asset', value: euros(account) } },
      },
      instructions: Array.from({ length: times }, (_, at) =>
        instruction(assets.transfer, {
          asset: euros(owner),
          to: alice,
          amount: { mantissa: BigInt(10 * at + 1), scale: 2 },
        }),
      ),
      repeats: undefined,
      metadata: NO_METADATA,
    })

  it('limit each payment separately, so that only payments with too many triggers fail', () => {
    const bench = paymentsBench()
    const greedy = accountNamed('greedy')
    bench.genesis(owner, register(greedy), instruction(assets.mint, { asset: euros(owner), amount: units(START) }))
    for (let at = 0; at < 6; at += 1) expect(bench.run(owner, onReceipt(`t${at}`, greedy, 10))).toBeUndefined()
    expect(bench.run(bridge, settle(message('one', [part(1, 1n, { target: greedy })])))).toBeUndefined()
    expect(outcomesOf(bench)).toEqual(['one/1 teu_exhausted'])
    expect(bench.last?.contentTeu ?? 0).toBeGreaterThan(1_000)
    const list = Array.from({ length: 100 }, (_, at) => part(at + 1, 1n, at % 2 === 0 ? { target: greedy } : {}))
    expect(bench.run(bridge, settle(message('A', list)))).toBeUndefined()
    expect(outcomesOf(bench)).toEqual(list.map((_, at) => `A/${at + 1} ${at % 2 === 0 ? 'teu_exhausted' : 'settled'}`))
    expect(bench.last?.contentTeu ?? 0).toBeLessThanOrEqual(bench.contentTeu)
    expect(balanceOf(bench, bob)).toBe(50n)
    expect(balanceOf(bench, owner)).toBe(START)
  })

  it('count as exhausted only if they limit a payment, not if a payment reaches its own limit', () => {
    const bench = paymentsBench()
    const greedy = accountNamed('greedy')
    bench.genesis(owner, register(greedy), instruction(assets.mint, { asset: euros(owner), amount: units(START) }))
    for (let at = 0; at < 6; at += 1) expect(bench.run(owner, onReceipt(`t${at}`, greedy, 10))).toBeUndefined()
    expect(bench.run(bridge, settle(message('A', [part(1, 1n, { target: greedy }), part(2, 1n)])))).toBeUndefined()
    expect(bench.last?.isExhausted).toBe(false)
    bench.contentTeu = 2 * (PART_KEPT_UNITS + OUTCOME_KEPT_UNITS) + 200
    expect(bench.run(bridge, settle(message('B', [part(1, 1n, { target: greedy }), part(2, 1n)])))).toBeUndefined()
    expect(outcomesOf(bench)).toEqual(['B/1 teu_exhausted', 'B/2 settled'])
    expect(bench.last?.isExhausted).toBe(true)
  })
})

it('the signing account itself needs the permissions to claim and to transfer', () => {
  const bench = paymentsBench()
  const other = accountNamed('other-bridge')
  bench.genesis(owner, register(other))
  bench.genesis(bank, permission('CanClaimMessages', accountObject(bank), other))
  expect(bench.run(other, settle(message('A', [part(1, 1n)])))).toBeUndefined()
  expect(outcomesOf(bench)).toEqual(['A/1 not_permitted'])
})
