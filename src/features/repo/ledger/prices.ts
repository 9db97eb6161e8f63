/** Owns the prices that accounts post. An agreement uses only prices of its posters. */
import { accounts } from '../../../executor/accounts.js'
import { type Execution, type Rejection, reject } from '../../../executor/contract.js'
import { definitionOf } from '../../../ledger/moves.js'
import { domainOfDefinition } from '../../../model/index.js'
import { events } from '../schema/events.js'
import type { PostRepoPrice } from '../schema/instructions.js'
import { isPrice, PRICE_MAX_DIGITS } from '../schema/records.js'
import { prices } from './tables.js'

export const postRepoPrice: Execution<PostRepoPrice> = {
  cost: { base: 96 },
  primaryDomain: ({ cash }) => domainOfDefinition(cash),
  execute(ctx, { definition, cash, price }): Rejection | undefined {
    const [asset, money] = [definitionOf(ctx, { definition }), definitionOf(ctx, { definition: cash })]
    if ('code' in asset) return asset
    if ('code' in money) return money
    if (!isPrice(price))
      return reject('bad_amount', `a price must be greater than zero and have at most ${PRICE_MAX_DIGITS} digits`)
    ctx.set(
      prices,
      { poster: ctx.authority, definition, cash },
      {
        price,
        atMs: ctx.env.timeMs,
        posterIncarnation: ctx.get(accounts, ctx.authority)?.incarnation,
        definitionIncarnation: asset.incarnation,
        cashIncarnation: money.incarnation,
      },
    )
    ctx.emit(events.repoPricePosted, { poster: ctx.authority, definition, cash, price })
    return undefined
  },
}
