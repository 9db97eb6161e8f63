/** Transfers of a file: who pays, who is paid and how much is what stands there, or nothing is sent. */
import { expect, test } from 'vitest'
import { transfersJson } from '../../../src/cli/ledger/transfers.js'
import type { Json } from '../../../src/codec/index.js'

const drafting = {
  account: async (text: string | undefined) => (text === undefined ? 'own' : `address of ${text}`),
  asset: async (text: string) => text,
}
const jsonForms = (list: Json, asset?: string) => transfersJson(list, 'pay.json', asset, drafting)

test('a transfer pays from the given account, or by default from the account of the key', async () => {
  const list: Json[] = [
    { to: 'bob@bank', amount: '12.50' },
    { from: 'alice@bank', to: 'bob@bank', amount: 3, asset: 'usd#bank' },
  ]
  expect(await jsonForms(list, 'eur#bank')).toEqual([
    { asset: { definition: 'eur#bank', account: 'own' }, to: 'address of bob@bank', amount: '12.5' },
    { asset: { definition: 'usd#bank', account: 'address of alice@bank' }, to: 'address of bob@bank', amount: '3' },
  ])
})

test.each([
  ['the payer under another name', { source: 'alice@bank' }, 'unknown field "source"'],
  ['the asset under another name', { Asset: 'usd#bank' }, 'unknown field "Asset"'],
  ['a payer that is not a text', { from: null }, 'from must be an address'],
  ['a payer in a record', { from: { alias: 'alice@bank' } }, 'from must be an address'],
  ['an amount in a list', { amount: ['5'] }, 'requires to, amount'],
])('no payment is made with %s', async (_, more, why) => {
  await expect(jsonForms([{ to: 'bob@bank', amount: '5', ...more }], 'eur#bank')).rejects.toThrow(why)
})

test('a transfer without an asset, a receiver or an amount is refused', async () => {
  await expect(jsonForms([{ to: 'bob@bank', amount: '5' }])).rejects.toThrow('an asset')
  await expect(jsonForms([null], 'eur#bank')).rejects.toThrow('transfer 0 requires')
  await expect(jsonForms({ to: 'bob@bank', amount: '5' }, 'eur#bank')).rejects.toThrow('expected a list')
})
