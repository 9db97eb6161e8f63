// Checks settlement: who moves which leg, both or none, receipts and what a block commits to of them.

import { beforeEach, describe, expect, it } from 'vitest'
import type { Numeric } from '../../../src/codec/index.js'
import { merkleRoot } from '../../../src/crypto/index.js'
import { parameters } from '../../../src/executor/index.js'
import { instructions as accountInstructions } from '../../../src/features/accounts/schema.js'
import { instructions as assets } from '../../../src/features/assets/schema/instructions.js'
import { instructions as domains } from '../../../src/features/domains/schema.js'
import {
  instructions as laneInstructions,
  type SettlementLeg,
  settlementObject,
} from '../../../src/features/lanes/schema/instructions.js'
import { instructions as permissions } from '../../../src/features/permissions/schema.js'
import {
  figuresFault,
  notesByLane,
  receiptsOf,
  type SettlementFigures,
  type SettlementNote,
  settlementCommitment,
  settlementEvents,
  settlementHashOf,
  settlementReceipt,
} from '../../../src/lanes/index.js'
import { balances } from '../../../src/ledger/tables.js'
import {
  ACCOUNT_ADMISSION,
  event,
  type Instruction,
  instruction,
  isEvent,
  NO_METADATA,
} from '../../../src/model/index.js'
import { accountNamed, Bench } from '../../support/executor.js'

const owner = accountNamed('owner')
const seller = accountNamed('seller')
const buyer = accountNamed('buyer')
const agent = accountNamed('agent')
const units = (mantissa: bigint, scale = 0): Numeric => ({ mantissa, scale })

const leg = (definition: string, from: string, to: string, amount: Numeric): SettlementLeg => ({
  asset: { definition, account: from },
  to,
  amount,
})
const bond = (amount = units(5n)) => leg('bond#x', seller, buyer, amount)
const cash = (amount = units(100n)) => leg('usd#x', buyer, seller, amount)
const dvp = (id: string, delivery = bond(), payment = cash()): Instruction =>
  instruction(laneInstructions.settleDvp, { id, delivery, payment })
const pvp = (id: string, first: SettlementLeg, second: SettlementLeg): Instruction =>
  instruction(laneInstructions.settlePvp, { id, first, second })
const grantTo = (name: string, to: string, object?: string): Instruction =>
  instruction(permissions.grant, {
    subject: { kind: 'permission', value: { name, object } },
    to: { kind: 'account', value: to },
  })
const figures = (more: Partial<SettlementFigures> = {}): SettlementFigures => ({
  localDefinition: 'bond#x',
  localAmount: units(5n),
  unitDefinition: 'usd#x',
  unitDue: units(100n),
  unitAfterHaircut: units(98n),
  unitVariance: units(2n),
  ...more,
})
const record = (lane: number, receipt = figures()): Instruction =>
  instruction(laneInstructions.recordSettlement, { lane, receipt, swap: undefined })

let bench: Bench
const held = (definition: string, account: string) => bench.state.get(balances, { definition, account })?.mantissa ?? 0n
const notes = () => bench.events.filter((one) => isEvent(one, settlementEvents.settlementRecorded))

beforeEach(() => {
  bench = new Bench()
  const definition = (id: string): Instruction =>
    instruction(assets.registerAssetDefinition, {
      id,
      scale: 2,
      mintable: { kind: 'infinitely', value: undefined },
      metadata: NO_METADATA,
    })
  const mint = (id: string, account: string): Instruction =>
    instruction(assets.mint, { asset: { definition: id, account }, amount: units(1_000n) })
  const accounts = [owner, seller, buyer, agent].map(
    (id): Instruction =>
      instruction(accountInstructions.registerAccount, { id, domain: 'x', label: undefined, metadata: NO_METADATA }),
  )
  const domain: Instruction = instruction(domains.registerDomain, {
    id: 'x',
    dataspace: undefined,
    metadata: NO_METADATA,
  })
  bench.genesis(
    owner,
    domain,
    ...accounts,
    definition('bond#x'),
    definition('usd#x'),
    mint('bond#x', seller),
    mint('usd#x', buyer),
  )
})

/** The seller and the buyer agree with what the agent submits. */
const agreed = (id: string, ...legs: readonly SettlementLeg[]) => {
  for (const each of legs) {
    const { account } = each.asset
    expect(bench.run(account, grantTo('CanSettle', agent, settlementObject(id, legs, account)))).toBeUndefined()
  }
}

describe('delivery against payment', () => {
  it('moves both legs only after every party except the submitter has agreed to exactly these terms', () => {
    expect(bench.run(seller, dvp('t1'))).toBe('not_permitted')
    expect(bench.run(agent, dvp('t1'))).toBe('not_permitted')
    bench.run(buyer, grantTo('CanSettle', seller, settlementObject('t1', [bond(), cash()], buyer)))
    expect(bench.run(seller, dvp('t1', bond(), cash(units(101n))))).toBe('not_permitted')
    expect(bench.run(seller, dvp('t2'))).toBe('not_permitted')
    expect([held('bond#x', buyer), held('usd#x', seller)]).toEqual([0n, 0n])
    expect(bench.run(seller, dvp('t1'))).toBeUndefined()
    expect([held('bond#x', buyer), held('usd#x', seller)]).toEqual([5n, 100n])
    expect(bench.run(seller, dvp('t1'))).toBe('exists')
  })

  it('can be submitted by a third account with the grants of both parties', () => {
    agreed('t1', bond(), cash())
    expect(bench.run(agent, dvp('t1'))).toBeUndefined()
    expect([held('bond#x', seller), held('usd#x', buyer)]).toEqual([995n, 900n])
  })

  it('cannot be permitted by one account for another', () => {
    const object = settlementObject('t1', [bond(), cash()], buyer)
    expect(bench.run(seller, grantTo('CanSettle', agent, object))).toBe('not_permitted')
    expect(bench.run(seller, grantTo('CanSettle', agent, 'nonsense'))).toBe('absent')
  })

  it.each([
    ['more than the buyer has', bond(), cash(units(1_001n)), 'not_enough'],
    ['a definition that does not exist', leg('none#x', seller, buyer, units(1n)), cash(), 'absent'],
    [
      'an account that is not registered',
      bond(),
      leg('usd#x', buyer, accountNamed('nobody'), units(1n)),
      'unknown_account',
    ],
    ['a leg to itself', leg('bond#x', seller, seller, units(1n)), cash(), 'self_transfer'],
    ['an amount of zero', bond(units(0n)), cash(), 'bad_amount'],
    ['too many fraction digits', bond(), cash(units(1n, 3)), 'bad_scale'],
  ] as const)('moves nothing with %s', (_what, delivery, payment, code) => {
    // The grants are given by hand: some of these terms name accounts that do not exist.
    for (const account of [seller, buyer]) {
      bench.genesis(owner, grantTo('CanSettle', agent, settlementObject('t1', [delivery, payment], account)))
    }
    expect(bench.run(agent, dvp('t1', delivery, payment))).toBe(code)
    expect([held('bond#x', seller), held('usd#x', buyer)]).toEqual([1_000n, 1_000n])
    expect(notes()).toEqual([])
  })

  const on = (definition: string, account: string) => ({ asset: { definition, account } })
  const freeze = (definition: string, account: string, frozen = true): Instruction =>
    instruction(assets.setFreeze, { ...on(definition, account), frozen, reason: undefined })
  const bar = (definition: string, account: string, blacklisted = true): Instruction =>
    instruction(assets.setBlacklist, { ...on(definition, account), blacklisted })
  const cap = (definition: string, account: string, most: bigint): Instruction =>
    instruction(assets.setLimits, { ...on(definition, account), limits: [{ window: 'day', cap: units(most) }] })

  /** Each control on what it bars, with what lifts it again. */
  const CONTROLS: readonly (readonly [name: string, code: string, set: Instruction, lift: Instruction])[] = [
    ['a frozen deliverer', 'asset_frozen', freeze('bond#x', seller), freeze('bond#x', seller, false)],
    ['a frozen payer', 'asset_frozen', freeze('usd#x', buyer), freeze('usd#x', buyer, false)],
    ['a blacklisted deliverer', 'asset_blacklisted', bar('bond#x', seller), bar('bond#x', seller, false)],
    ['a blacklisted receiver of the delivery', 'asset_blacklisted', bar('bond#x', buyer), bar('bond#x', buyer, false)],
    ['a blacklisted payer', 'asset_blacklisted', bar('usd#x', buyer), bar('usd#x', buyer, false)],
    ['a blacklisted receiver of the payment', 'asset_blacklisted', bar('usd#x', seller), bar('usd#x', seller, false)],
    ['a capped deliverer', 'transfer_limit', cap('bond#x', seller, 4n), cap('bond#x', seller, 5n)],
    ['a capped payer', 'transfer_limit', cap('usd#x', buyer, 99n), cap('usd#x', buyer, 100n)],
  ]
  it.each(CONTROLS)(
    'is refused because of %s, as is payment against payment, and succeeds after the control is lifted',
    (_, code, set, lift) => {
      agreed('t1', bond(), cash())
      agreed('t2', cash(), bond())
      expect(bench.run(owner, set)).toBeUndefined()
      for (const settlement of [dvp('t1'), pvp('t2', cash(), bond())]) {
        expect(bench.run(agent, settlement)).toBe(code)
        expect([held('bond#x', seller), held('usd#x', buyer)]).toEqual([1_000n, 1_000n])
      }
      expect(bench.run(owner, lift)).toBeUndefined()
      expect(bench.run(agent, dvp('t1'))).toBeUndefined()
      expect([held('bond#x', buyer), held('usd#x', seller)]).toEqual([5n, 100n])
    },
  )

  it('counts against the caps of both payers', () => {
    expect(bench.run(owner, cap('bond#x', seller, 9n), cap('usd#x', buyer, 199n))).toBeUndefined()
    agreed('t1', bond(), cash())
    agreed('t2', bond(), cash(units(1n)))
    expect(bench.run(agent, dvp('t1'))).toBeUndefined()
    expect(bench.run(agent, dvp('t2', bond(), cash(units(1n))))).toBe('transfer_limit')
    expect(
      bench.run(buyer, instruction(assets.transfer, { ...on('usd#x', buyer), to: agent, amount: units(100n) })),
    ).toBe('transfer_limit')
  })

  it('creates the receiving account only if chain and domain allow it', () => {
    const fresh = accountNamed('fresh')
    const delivery = leg('bond#x', seller, fresh, units(5n))
    agreed('t1', delivery, cash())
    expect(bench.run(agent, dvp('t1', delivery))).toBe('unknown_account')
    const chain = { mode: 'implicit', maxPerTx: 16, maxPerBlock: 256 } as const
    bench.state.set(parameters, 'account_admission', { current: ACCOUNT_ADMISSION.schema.encode(chain), staged: [] })
    const limits = { maxPerTx: 1, maxPerBlock: 5, minimum: units(5n), defaultRole: undefined }
    const policy = { mode: 'implicit', ...limits } as const
    expect(bench.run(owner, instruction(accountInstructions.setAdmission, { domain: 'x', policy }))).toBeUndefined()
    expect(bench.run(agent, dvp('t1', delivery))).toBeUndefined()
    expect(held('bond#x', fresh)).toBe(5n)
    const small = leg('bond#x', seller, accountNamed('other'), units(4n))
    agreed('t2', small, cash())
    expect(bench.run(agent, dvp('t2', small))).toBe('admission_limit')
  })

  it('requires a transaction in a lane, and is refused in other runs', () => {
    agreed('t1', bond(), cash())
    bench.lane = undefined
    expect(bench.run(agent, dvp('t1'))).toBe('lane_mismatch')
    bench.lane = 3
    expect(bench.run(agent, dvp('t1'))).toBeUndefined()
  })

  it('creates a receipt for each leg in the unit of the payment, without a haircut', () => {
    agreed('t1', bond(), cash())
    bench.run(agent, dvp('t1'))
    expect(notes().map((event) => event.value.figures)).toEqual([
      figures({ unitAfterHaircut: units(100n), unitVariance: units(0n) }),
      figures({
        localDefinition: 'usd#x',
        localAmount: units(100n),
        unitAfterHaircut: units(100n),
        unitVariance: units(0n),
      }),
    ])
  })
})

it('payment against payment uses its first leg as the unit', () => {
  const [first, second] = [cash(), leg('bond#x', seller, buyer, units(7n))]
  agreed('p1', first, second)
  expect(bench.run(agent, pvp('p1', first, second))).toBeUndefined()
  const [one, two] = notes().map((event) => event.value.figures)
  expect([one?.unitDefinition, two?.unitDefinition, two?.localDefinition]).toEqual(['usd#x', 'usd#x', 'bond#x'])
  expect(two?.unitDue).toEqual(units(100n))
})

describe('a recorded settlement', () => {
  it('requires CanRecordSettlement of its lane, which managers of lanes grant', () => {
    expect(bench.run(agent, record(0))).toBe('not_permitted')
    expect(bench.run(owner, grantTo('CanRecordSettlement', agent, '0'))).toBe('not_permitted')
    bench.genesis(owner, grantTo('CanManageLanes', owner))
    expect(bench.run(owner, grantTo('CanRecordSettlement', agent, '3'))).toBe('absent')
    expect(bench.run(owner, grantTo('CanRecordSettlement', agent, '0'))).toBeUndefined()
    expect(bench.run(agent, record(0))).toBeUndefined()
    bench.lane = 1
    expect(bench.run(agent, record(0))).toBe('lane_mismatch')
    expect(notes()).toHaveLength(1)
  })

  it.each([
    ['a definition that does not exist', figures({ localDefinition: 'none#x' }), 'absent'],
    ['a variance that does not match the haircut', figures({ unitVariance: units(3n) }), 'bad_variance'],
    [
      'more after the haircut than due',
      figures({ unitAfterHaircut: units(102n), unitVariance: units(-2n) }),
      'bad_variance',
    ],
    ['an amount of zero', figures({ localAmount: units(0n) }), 'bad_amount'],
    ['an amount above 256 bits', figures({ unitDue: units(1n << 256n) }), 'overflow'],
  ] as const)('is rejected with %s', (_what, receipt, code) => {
    bench.genesis(owner, grantTo('CanRecordSettlement', agent, '0'))
    expect(bench.run(agent, record(0, receipt))).toBe(code)
  })
})

describe('the lane commitments of a block', () => {
  const note = (more: Partial<SettlementFigures>, source: number): SettlementNote => ({
    sourceId: Buffer.alloc(32, source),
    figures: figures(more),
    swap: undefined,
    timestampMs: 9,
  })
  const events = [
    { entry: 0, event: event(settlementEvents.settlementRecorded, note({}, 1)) },
    { entry: 0, event: { kind: 'settled', value: { id: 't' } } },
    { entry: 0, event: event(settlementEvents.settlementRecorded, note({ localDefinition: 'a#x' }, 1)) },
    {
      entry: 2,
      event: event(
        settlementEvents.settlementRecorded,
        note({ unitVariance: units(15n, 1), unitAfterHaircut: units(985n, 1) }, 3),
      ),
    },
    { entry: 1, event: event(settlementEvents.settlementRecorded, note({}, 2)) },
    // The run of a time trigger stands beyond the transactions and in no lane.
    { entry: 3, event: event(settlementEvents.settlementRecorded, note({}, 4)) },
  ]
  const entries = [
    { lane: 4, dataspace: 7n },
    { lane: 0, dataspace: 0n },
    { lane: 4, dataspace: 7n },
  ]

  it('contain one commitment per lane, with sums per pair of definitions and the receipt root', () => {
    const lanes = notesByLane(events, entries)
    expect(lanes.map((lane) => [lane.lane, lane.dataspace, lane.notes.length])).toEqual([
      [0, 0n, 1],
      [4, 7n, 3],
    ])
    const lane = lanes[1] as (typeof lanes)[number]
    const receipts = receiptsOf(lane)
    expect(receipts.map((one) => [one.sourceId[0], one.index])).toEqual([
      [1, 0],
      [1, 1],
      [3, 0],
    ])
    const commitment = settlementCommitment(8, lane)
    expect(commitment).toMatchObject({ height: 8, lane: 4, dataspace: 7n, receiptCount: 3, swap: undefined })
    expect(commitment.totals).toEqual([
      figures({ localDefinition: 'a#x' }),
      figures({
        localAmount: units(10n),
        unitDue: units(200n),
        unitAfterHaircut: units(1_965n, 1),
        unitVariance: units(35n, 1),
      }),
    ])
    expect(commitment.receiptsRoot).toEqual(merkleRoot(receipts.map((one) => settlementReceipt.encode(one))))
    expect(settlementHashOf(commitment)).not.toEqual(settlementHashOf({ ...commitment, receiptCount: 4 }))
  })

  it('do not overflow with the largest amounts in a full block', () => {
    const largest = units((1n << 256n) - 1n)
    const heavy = figures({
      localAmount: largest,
      unitDue: largest,
      unitAfterHaircut: largest,
      unitVariance: units(0n),
    })
    expect(figuresFault(heavy)).toBeUndefined()
    const finest = figures({ ...heavy, localAmount: units((1n << 256n) - 1n, 28) })
    const all = Array.from({ length: 16_384 }, (_, at) => ({ entry: at, note: note(at % 2 === 0 ? heavy : finest, 1) }))
    expect(() => settlementCommitment(2, { lane: 0, dataspace: 0n, notes: all })).not.toThrow()
  })
})
