/** The query of an account: it holds as many balances as a page, and says when that is not all of them. */

import { expect, it } from 'vitest'
import { PAGE_LIMIT_MAX } from '../../../src/api/index.js'
import { accounts } from '../../../src/executor/accounts.js'
import type { QueryContext } from '../../../src/executor/reads.js'
import { queries as accountQueries, accountView } from '../../../src/features/accounts/schema.js'
import { balances } from '../../../src/ledger/tables.js'
import { ask } from '../../support/ask.js'
import { accountOf, alice, CODEC } from '../gateway/support.js'

/** The state of an account that holds so many assets. */
const contextWith = (held: number): QueryContext =>
  ({
    height: 1,
    reader: {
      get: (table: unknown) =>
        table === accounts
          ? { domain: 'd', label: undefined }
          : table === balances
            ? { mantissa: 1n, scale: 0 }
            : undefined,
    },
    async *indexRange({ gte, limit }: { readonly gte: Buffer; readonly limit: number }) {
      for (let at = 0; at < Math.min(held, limit); at++) {
        yield [Buffer.concat([gte, Buffer.from(`a${String(at).padStart(4, '0')}#d`)]), Buffer.alloc(0)]
      }
    },
  }) as unknown as QueryContext

it.each([
  [0, 0, undefined],
  [PAGE_LIMIT_MAX, PAGE_LIMIT_MAX, undefined],
  [PAGE_LIMIT_MAX + 1, PAGE_LIMIT_MAX, true],
  [2_000, PAGE_LIMIT_MAX, true],
])(
  'an account with %i balances is returned with %i of them, and the flag for more balances is %s',
  async (held, shown, more) => {
    const view = await ask(contextWith(held), accountQueries.account, { id: accountOf(alice), alias: undefined })
    if (view === undefined) throw new Error('there is an account')
    expect([view.balances.length, view.moreBalances]).toEqual([shown, more])
    const json = accountView.toJson(view, CODEC) as Record<string, unknown>
    expect(json['more_balances']).toBe(more)
    expect(Object.hasOwn(json, 'more_balances')).toBe(more === true)
  },
)
