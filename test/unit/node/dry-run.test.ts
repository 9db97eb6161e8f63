/** Dry runs against what the very same payload does in a block: events, error, cost; and that nothing is kept. */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { dryRun } from '../../../src/api/index.js'
import { abiScheduleOf } from '../../../src/executor/index.js'
import { ABI_1 } from '../../../src/features/abi.js'
import { instructions as domains } from '../../../src/features/domains/schema.js'
import { instructions as permissions } from '../../../src/features/permissions/schema.js'
import {
  blockOutcome,
  type ErrorCode,
  type Instruction,
  instruction,
  NO_METADATA,
  signedTransaction,
} from '../../../src/model/index.js'
import type { Ledger } from '../../../src/node/ledger/ledger.js'
import { type TrialService, trialsBeside } from '../../../src/node/trials/trials.js'
import { codec, signedBy, transferOf } from '../../support/chain.js'
import { LedgerBench } from '../../support/ledger-bench.js'

let bench: LedgerBench
let ledger: Ledger
let trials: TrialService
beforeAll(async () => {
  bench = await LedgerBench.create()
  ledger = await bench.open('one')
  trials = trialsBeside(ledger, abiScheduleOf({ abi: ABI_1 }))
})
afterAll(() => bench.close())

const signedNow = async (instructions: readonly Instruction[]) =>
  signedBy(bench.alice, instructions, (await ledger.tip()).header.timeMs)

function payloadOf(record: ReturnType<typeof signedBy>): Buffer {
  const signed = signedTransaction.decode(record.bytes, codec)
  if (!signed.ok) throw new Error(signed.fault.message)
  return Buffer.from(signed.value.payload.bytes)
}

async function tried(record: ReturnType<typeof signedBy>) {
  const { header } = await ledger.tip()
  const output = await trials.run({ kind: 'dryRun', payload: payloadOf(record), timeMs: header.timeMs + 10 })
  const decoded = dryRun.decode(output ?? Buffer.alloc(0), codec)
  if (!decoded.ok) throw new Error(decoded.fault.message)
  return decoded.value
}

async function committed(record: ReturnType<typeof signedBy>) {
  await bench.commit(ledger, await bench.build(ledger, [record]))
  const { height } = await ledger.tip()
  const { blocks } = await ledger.history({ from: height, count: 1 })
  const outcome = blockOutcome.decode(blocks[0]?.outcome ?? Buffer.alloc(0), codec)
  if (!outcome.ok) throw new Error(outcome.fault.message)
  return { height, ...outcome.value }
}

test.each([
  ['an approved transaction', () => [transferOf(bench.alice.id, bench.bob.id, 5n)]],
  [
    'a transaction of several instructions',
    () => [1n, 2n, 3n].map((units) => transferOf(bench.alice.id, bench.bob.id, units)),
  ],
  [
    'a transaction that fails at its second instruction',
    () => [1n, 9_000_000n].map((units) => transferOf(bench.alice.id, bench.bob.id, units)),
  ],
  ['a transaction without permission', () => [instruction(domains.unregisterDomain, { id: 'bank' })]],
] as const)('%s has the same events, error and cost in a dry run and in a block', async (_name, make) => {
  const record = await signedNow(make())
  const before = await ledger.tip()
  const run = await tried(record)
  expect((await ledger.tip()).stateRoot).toEqual(before.stateRoot)
  const block = await committed(record)
  const [result] = block.results
  expect(run).toMatchObject({
    height: block.height,
    lane: 0,
    dataspace: 0n,
    outcome: result?.outcome.kind,
    teu: result?.teu,
  })
  expect(Buffer.from(run.hash)).toEqual(record.id)
  expect(run.events).toEqual(block.events.map(({ event }) => event))
  if (result?.outcome.kind === 'rejected') {
    expect(run.rejection?.instruction).toBe(result.outcome.value.instruction)
    expect(ABI_1.errorNumbers.get(run.rejection?.code as ErrorCode)).toBe(result.outcome.value.code)
    expect(run.events).toEqual([])
  } else {
    expect(run.rejection).toBeUndefined()
    expect(run.events.length).toBeGreaterThan(0)
  }
})

test('a dry run of a transaction that admission refuses returns the same error code', async () => {
  const late = signedBy(bench.alice, [transferOf(bench.alice.id, bench.bob.id, 1n)], 1_000, 1_000)
  await expect(tried(late)).rejects.toMatchObject({ code: 'transaction_expired' })
  const record = await signedNow([
    instruction(domains.registerDomain, { id: 'twice', dataspace: undefined, metadata: NO_METADATA }),
  ])
  await committed(record)
  await expect(tried(record)).rejects.toMatchObject({ code: 'already_committed' })
})

test('a dry run reports the balance and the required amount, and reports missing objects', async () => {
  const poor = await tried(await signedNow([transferOf(bench.alice.id, bench.bob.id, 9_000_000n)]))
  const [held = '', needed = ''] = poor.rejection?.message.match(/[0-9.]+/g) ?? []
  expect(poor.rejection).toMatchObject({
    code: 'not_enough',
    message: `the balance is ${held}, but the amount is ${needed}`,
  })
  expect(Number(needed)).toBeGreaterThan(Number(held))
  const account = bench.bob.id
  const revoke = (id: string): Instruction =>
    instruction(permissions.revoke, { subject: { kind: 'role', value: id }, to: { kind: 'account', value: account } })
  const absent = await tried(await signedNow([revoke('nobody')]))
  expect(absent.rejection).toMatchObject({ code: 'absent', message: expect.stringContaining('nobody') })
})

test('a dry run after a commit uses the state of the committed block', async () => {
  const record = await signedNow([transferOf(bench.alice.id, bench.bob.id, 7n)])
  const next = await bench.build(ledger, [await signedNow([transferOf(bench.alice.id, bench.bob.id, 2n)])])
  const tip = await ledger.tip()
  await bench.commit(ledger, next)
  const output = await trials.run({ kind: 'dryRun', payload: payloadOf(record), timeMs: 0 })
  const decoded = dryRun.decode(output ?? Buffer.alloc(0), codec)
  expect(decoded).toMatchObject({ ok: true, value: { height: tip.height + 2, outcome: 'approved' } })
  expect(decoded.ok && decoded.value.timeMs > next.header.timeMs).toBe(true)
})
