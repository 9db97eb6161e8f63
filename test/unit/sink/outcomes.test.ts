/** The column `outcome` of transactions: approved or rejected, also of those that called contracts. */
import { expect, it } from 'vitest'
import { blockBody, CONTRACT_TRAP_NUMBER } from '../../../src/model/index.js'
import { type DecodedBlock, ledgerRows } from '../../../src/sink/ledger-rows.js'
import { type Row, type Table, transactions } from '../../../src/sink/tables.js'
import { blockAt } from '../gateway/fake-chain.js'
import { CODEC } from '../gateway/support.js'

const called = (trap: number) => ({
  kind: 'called' as const,
  value: { trap, abortCode: 0, gasUsed: 7, output: Buffer.alloc(32), events: Buffer.alloc(32) },
})

it('a sink records a trapped call as rejected, and any other call as approved', async () => {
  const { block, outcome } = await blockAt(2, [[], 'rejected', [], []])
  const outcomes = [undefined, undefined, called(0), called(9)]
  const results = outcome.results.map((one, at) => ({ ...one, outcome: outcomes[at] ?? one.outcome }))
  const body = blockBody.decode(block.body, CODEC)
  if (!body.ok) throw new Error(body.fault.message)
  const decoded = { block, outcome: { ...outcome, results }, body: body.value, committee: undefined, events: [] }
  const rows: Row[] = []
  const naming = { codec: CODEC, errorName: (code: number) => `error ${code}` }
  ledgerRows(decoded as DecodedBlock, naming, (table: Table, row: Row) => {
    if (table === transactions) rows.push(row)
  })
  const column = (name: string): number => transactions.columns.findIndex((one) => one.name === name)
  expect(rows.map((row) => [row[column('outcome')], row[column('error_code')]])).toEqual([
    ['approved', null],
    ['rejected', 'error 9'],
    ['approved', null],
    ['rejected', `error ${CONTRACT_TRAP_NUMBER}`],
  ])
})
