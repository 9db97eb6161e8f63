/** Amounts in the output of commands: with the digits of their asset, and the asset. */
import { describe, expect, test } from 'vitest'
import { type Columns, cellsOf } from '../../../src/cli/command/columns.js'
import { Directory } from '../../../src/cli/gateway/directory.js'
import type { View } from '../../../src/cli/gateway/gateway.js'
import { agreementFields, changeLine as repoLine, termsLines } from '../../../src/cli/repo/show.js'
import { subscriptionFields, changeLine as subscriptionLine } from '../../../src/cli/subscription/show.js'

const names = new Directory(new Map(), new Map([['eur#bank', 2]]))
const shown = (columns: Columns, view: View): Record<string, string | undefined> => {
  const cells = cellsOf(columns, view, names)
  return Object.fromEntries(Object.keys(columns).map((title, at) => [title, cells[at]]))
}

test('an amount has the digits of its asset, or its own digits if it has more or the asset is unknown', () => {
  expect(names.amount('10', 'eur#bank')).toBe('10.00 eur#bank')
  expect(names.amount('0.125', 'eur#bank')).toBe('0.125 eur#bank')
  expect(names.amount('7', 'gold#bank')).toBe('7 gold#bank')
  expect(names.amount(null, 'eur#bank')).toBeUndefined()
  expect(names.amount('7', undefined)).toBe('7')
})

describe('an agreement', () => {
  const terms = {
    cash: { definition: 'eur#bank', amount: '9000' },
    collateral: [{ Asset: { definition: 'bond#bank', amount: '10' } }, { Lot: { lot: 'gold#bank/7', quantity: null } }],
  }
  const open: View = {
    status: 'Open',
    live: { terms, items: [{ definition: 'gold#bank', amount: '5', lot: 'gold#bank/7' }], cash_margin: '20' },
    exposure: { owed: '9000.5', cover: '9100', exposure: '-99.5' },
  }

  test('shows its cash in the asset of its terms', () => {
    expect(shown(agreementFields, open)).toMatchObject({
      cash: '9000.00 eur#bank',
      collateral: '10 bond#bank, gold#bank/7',
      'in the vault': '5 gold#bank/7',
      'cash margin': '20.00 eur#bank',
      owed: '9000.50 eur#bank',
      cover: '9100.00 eur#bank',
      exposure: '-99.50 eur#bank',
      paid: undefined,
    })
    expect(repoLine(open, names)).toBe('open; 5 gold#bank/7; cash margin 20.00 eur#bank')
    expect(termsLines(open, names)[0]).toBe('cash 9000.00 eur#bank against 10 bond#bank, gold#bank/7')
  })

  test('shows the cash that was actually paid if it is closed', () => {
    const closed = { status: 'Closed', closed: { cause: 'Repurchased', cash: 'eur#bank', paid: '9001' } }
    expect(shown(agreementFields, closed)).toMatchObject({ paid: '9001.00 eur#bank', shortfall: undefined })
    expect(repoLine(closed, names)).toBe('closed; repurchased; paid 9001.00 eur#bank')
  })
})

test('a subscription shows its amounts in the asset of its plan', () => {
  const view: View = {
    subscription: { status: 'Active', credit: '0', spent: '5', mandate: { max_per_period: '6', total_max: null } },
    plan: { terms: { asset: 'eur#bank', fixed: '5', cadence: { Fixed: { period_ms: 60_000 } } } },
    invoice: { invoice: { number: 1, amount: '5', paid_ms: 1, skipped: 0, attempts: 0 } },
    entitled: true,
  }
  expect(shown(subscriptionFields, view)).toMatchObject({
    invoice: '1: 5.00 eur#bank, paid',
    credit: '0.00 eur#bank',
    'paid so far': '5.00 eur#bank',
    'most a period': '6.00 eur#bank',
    'most in all': undefined,
  })
  expect(subscriptionLine(view, names)).toBe('active; 1: 5.00 eur#bank, paid')
})
