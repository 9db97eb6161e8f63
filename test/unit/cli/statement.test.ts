/** Statements on the command line: a balance is that of the node, or none is shown. */
import { expect, test } from 'vitest'
import { fetchStatement, type MovementView } from '../../../src/cli/iso/statement.js'
import type { CausewayClient } from '../../../src/client/index.js'

/** A node with one page of movements. */
const nodeWith = (opening: string | null, items: readonly MovementView[] = []): CausewayClient =>
  ({
    json: async () => ({ account: 'cw1alice', items, next_cursor: null, opening_balance: opening, height: 9 }),
  }) as unknown as CausewayClient
const period = { fromMs: 0, toMs: 1_000, asset: 'eur#bank' }
const movement: MovementView = {
  definition: 'eur#bank',
  side: 'Debit',
  amount: '2.5',
  balance: '7.5',
  kind: 'Transfer',
  counterparty: null,
  transaction_hash: null,
  reference: null,
  reference_by: null,
  height: 5,
  time_ms: 500,
}

test('a period without a movement of the asset opens and closes with its balance', async () => {
  const { assets } = await fetchStatement(nodeWith('10'), 'cw1alice', period)
  expect(assets).toMatchObject([{ asset: 'eur#bank', opening: '10', closing: '10' }])
})

test('a balance that movements of other assets hide from the node is not shown as zero', async () => {
  await expect(fetchStatement(nodeWith(null), 'cw1alice', period)).rejects.toMatchObject({ code: 'query_too_complex' })
})

test('a movement in the period tells the balance before it, also where the node does not', async () => {
  const { assets } = await fetchStatement(nodeWith(null, [movement]), 'cw1alice', period)
  expect(assets).toMatchObject([{ opening: '10.0', closing: '7.5' }])
})
