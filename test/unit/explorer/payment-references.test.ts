/** Payments by their references: found however many came after them, only those of that reference, and gone with pruned blocks. */

import { afterAll, beforeAll, expect, it } from 'vitest'
import { explorerHistory } from '../../../src/features/explorer/ledger/indexes.js'
import { queries } from '../../../src/features/explorer/schema/queries.js'
import { claimKey, instructions as iso } from '../../../src/features/iso20022/schema/instructions.js'
import { type Instruction, instruction, signedTransaction } from '../../../src/model/index.js'
import type { Ledger } from '../../../src/node/ledger/ledger.js'
import { codec, DEFINITION, signedBy, testAccount } from '../../support/chain.js'
import * as core from '../../support/core.js'
import { LedgerBench } from '../../support/ledger-bench.js'
import { DETAILS } from '../iso20022/support.js'

const UETR = 'eb6305c9-1f7f-49de-aed0-16487c27b42d'
/** Blocks of other payments, each a page that a walk through the list would take. */
const LATER = 3

let bench: LedgerBench
let ledger: Ledger

/** A message of alice with its payment to bob. */
const payment = (messageId: string, endToEndId: string, uetr?: string): Instruction[] => {
  const { alice, bob } = bench
  const details = { ...DETAILS, endToEndId, uetr }
  const idHash = claimKey(alice.id, 'pacs008', messageId)
  return [
    instruction(iso.claimMessage, {
      submitter: alice.id,
      family: 'pacs008',
      messageId,
      idHash,
      bodyHash: Buffer.alloc(32, 1),
      details,
    }),
    core.transfer(alice.id, bob.id, 1n, DEFINITION),
  ]
}

async function commit(...transactions: readonly Instruction[][]): Promise<void> {
  const now = (await ledger.tip()).header.timeMs
  const records = transactions.map((instructions) => signedBy(bench.alice, instructions, now))
  await bench.commit(ledger, await bench.build(ledger, records))
}

beforeAll(async () => {
  const { id: alice } = await testAccount('alice')
  const submitter = instruction(iso.setSubmitter, {
    submitter: alice,
    bics: [],
    debtor: { kind: 'accounts', value: [alice] },
    limits: [],
  })
  bench = await LedgerBench.create([submitter])
  ledger = await bench.open('one')
  await commit(payment('FIRST', 'Invoice 1', UETR), payment('SECOND', 'Invoice 2'))
  for (let block = 0; block < LATER; block += 1) await commit(payment(`LATER-${block}`, 'Invoice 2'))
})
afterAll(() => bench.close())

/** Messages of one page of the payments of a reference, and whether it goes on. */
async function found(reference: string, limit = 10): Promise<readonly string[]> {
  const { kind, input, output } = queries.paymentsByReference
  const asked = { limit, after: undefined, submitter: undefined, account: undefined, reference }
  const answer = await ledger.query({ kind, input: input.encode(asked, codec) })
  const page = output.decode(answer.output ?? new Uint8Array(0), codec)
  if (!page.ok) throw new Error(page.fault.message)
  return page.value.items.map(({ messageId }) => messageId)
}

it.each([
  ['a UETR', UETR, ['FIRST']],
  ['a UETR in capitals', UETR.toUpperCase(), ['FIRST']],
  ['an end-to-end id that later payments do not have', 'invoice 1', ['FIRST']],
  ['an end-to-end id of several payments, newest first', 'Invoice 2', ['LATER-2', 'LATER-1', 'LATER-0', 'SECOND']],
  ['the beginning of an end-to-end id', 'Invoice', []],
  ['a message id', 'FIRST', []],
])('a search by %s returns exactly its payments on the first page', async (_, reference, messages) => {
  expect(await found(reference)).toEqual(messages)
})

it('a page has the requested number of payments', async () => {
  expect(await found('Invoice 2', 2)).toEqual(['LATER-2', 'LATER-1'])
})

it('a rejected message of another account is not listed under a reference', async () => {
  const outsider = instruction(iso.claimMessage, {
    submitter: bench.bob.id,
    family: 'pacs008',
    messageId: 'OTHER',
    bodyHash: Buffer.alloc(32, 1),
    idHash: claimKey(bench.bob.id, 'pacs008', 'OTHER'),
    details: { ...DETAILS, endToEndId: 'Invoice 1' },
  })
  await commit([outsider, core.transfer(bench.alice.id, bench.bob.id, 1n, DEFINITION)])
  expect(await found('Invoice 1')).toEqual(['FIRST'])
})

it('payment reference keys belong to the history keys that pruning removes', () => {
  const { id, bytes } = signedBy(bench.alice, payment('GONE', 'Invoice 3', UETR), 1_000)
  const signed = signedTransaction.decode(bytes, codec)
  if (!signed.ok) throw new Error(signed.fault.message)
  const outcome = { kind: 'approved', value: undefined } as const
  const keys = explorerHistory({
    height: 9,
    timeMs: 1_000,
    events: [],
    entries: [{ id, signed: signed.value }],
    results: [{ transactionId: id, outcome, teu: 1 }],
  }).map((key) => Buffer.from(key).toString('utf8'))
  for (const reference of ['invoice 3', UETR]) expect(keys.some((key) => key.includes(reference))).toBe(true)
})
