/** Transactions that call contracts, or set off who does, stand in lists by what became of them. */

import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Page } from '../../../src/api/paging.js'
import { ABI_2 } from '../../../src/features/abi.js'
import { instructions as contracts } from '../../../src/features/contracts/schema/instructions.js'
import { queries as contractQueries } from '../../../src/features/contracts/schema/queries.js'
import { artifactHashOf } from '../../../src/features/contracts/schema/records.js'
import type { InstanceItem } from '../../../src/features/contracts/schema/views.js'
import type { InstructionItem, OutcomeName, TransactionItem } from '../../../src/features/explorer/schema/history.js'
import { queries as explorerQueries } from '../../../src/features/explorer/schema/queries.js'
import { type Instruction, instruction, type QueryDef } from '../../../src/model/index.js'
import type { Ledger } from '../../../src/node/ledger/ledger.js'
import { DEFINITION, signedBy, transferOf } from '../../support/chain.js'
import * as contract from '../../support/contracts.js'
import * as core from '../../support/core.js'
import { LedgerBench } from '../../support/ledger-bench.js'
import { op } from '../../support/vm/assembler.js'

const codec = ABI_2.codec('cw')
const code = contract.handwritten({ go: [op.plain(0x01)], fail: [op.plain(0x00)] })
const manifest = contract.manifestOf(code, [contract.entry('go'), contract.entry('fail')])
const GAS = { gasLimit: 20_000 }

let bench: LedgerBench
let ledger: Ledger

async function ask<I, O>(def: QueryDef<I, O>, input: I): Promise<O> {
  const { output } = await ledger.query({ kind: def.kind, input: def.input.encode(input, codec) })
  const decoded = def.output.decode(output ?? new Uint8Array(0), codec)
  if (!decoded.ok) throw new Error(decoded.fault.message)
  return decoded.value
}

/** Commits a block of one transaction each; their ids. */
async function commit(...asked: readonly (readonly [by: LedgerBench['alice'], ...list: Instruction[]])[]) {
  const now = (await ledger.tip()).header.timeMs
  const records = asked.map(([by, ...list]) => signedBy(by, list, now, 100_000, codec))
  await bench.commit(ledger, await bench.build(ledger, records))
  return records.map(({ id }) => Buffer.from(id).toString('hex'))
}

const listed = (hash: Uint8Array): string => Buffer.from(hash).toString('hex')
const asked = (outcome: OutcomeName | undefined) => ({
  limit: 100,
  after: undefined,
  authority: undefined,
  definition: undefined,
  kind: undefined,
  block: undefined,
  outcome,
})
const transactions = async (outcome: OutcomeName | undefined) =>
  (await ask<ReturnType<typeof asked>, Page<TransactionItem>>(explorerQueries.transactions as never, asked(outcome)))
    .items
const instructions = async (outcome: OutcomeName | undefined) =>
  (await ask<ReturnType<typeof asked>, Page<InstructionItem>>(explorerQueries.instructions as never, asked(outcome)))
    .items

beforeAll(async () => {
  bench = await LedgerBench.create(
    [instruction(contracts.registerContract, { code, manifest }), contract.deploy(artifactHashOf(code, manifest))],
    { abi: ABI_2 },
  )
  ledger = await bench.open('one')
})
afterAll(() => bench.close())

it('each transaction is listed once, either as approved or as rejected', async () => {
  const { alice, bob } = bench
  const nothing = { limit: 100, after: undefined, domain: undefined }
  const page = await ask<typeof nothing, Page<InstanceItem>>(contractQueries.contracts as never, nothing)
  const address = page.items[0]?.address ?? ''
  const watch = { kind: 'asset', value: { definition: DEFINITION, account: bob.id } } as const
  const [registered = ''] = await commit([
    bob,
    core.registerTrigger('follow', bob.id, core.onData('asset', watch), [contract.call(address, 'go', GAS)]),
  ])
  const [called = '', trapped = '', paid = '', refused = ''] = await commit(
    [alice, contract.call(address, 'go', GAS)],
    [alice, contract.call(address, 'fail', GAS)],
    // The receiver's trigger calls the contract: it is a payment all the same.
    [alice, transferOf(alice.id, bob.id, 1n)],
    [alice, transferOf(alice.id, bob.id, 10_000_000n)],
  )
  const all = await transactions(undefined)
  const kinds = new Map(all.map(({ hash, outcome }) => [listed(hash), outcome.kind]))
  expect([called, trapped, paid, refused].map((hash) => kinds.get(hash))).toEqual([
    'called',
    'called',
    'called',
    'rejected',
  ])
  const approved = [registered, called, paid]
  const rejected = [trapped, refused]
  for (const [outcome, hashes] of [
    ['approved', approved],
    ['rejected', rejected],
  ] as const) {
    expect((await transactions(outcome)).map(({ hash }) => listed(hash)).sort()).toEqual([...hashes].sort())
    const found = await instructions(outcome)
    expect(found.map(({ transactionHash }) => listed(transactionHash)).sort()).toEqual([...hashes].sort())
    expect(new Set(found.map((one) => one.outcome))).toEqual(new Set([outcome]))
  }
})
