/** Owns sponsorship: who pays the fees of others (docs/design/lanes.md 5, row 46). */

import { accounts, countUse } from '../../../executor/accounts.js'
import { addressIn, unknownAccount } from '../../../executor/addresses.js'
import { reject } from '../../../executor/contract.js'
import type { Executions } from '../../../executor/feature.js'
import { ZERO } from '../../../ledger/money.js'
import { accountObject } from '../../../ledger/permission-kinds.js'
import { domains } from '../../../ledger/tables.js'
import { event, sameIncarnation } from '../../../model/index.js'
import type { instructions } from '../schema.js'
import { events } from '../schema.js'
import { sponsorships } from './tables.js'

export const execute = {
  sponsorFees: {
    cost: { base: 96 },
    execute(ctx, { beneficiary, terms }) {
      const sponsor = ctx.authority
      const key = { sponsor, beneficiary }
      const held = ctx.get(sponsorships, key)
      const { kind, value } = beneficiary
      const changed = event(events.sponsorshipChanged, {
        sponsor,
        beneficiary: kind === 'domain' ? value : accountObject(value),
        active: terms !== undefined,
      })
      if (terms === undefined) {
        if (held === undefined) {
          const whose = kind === 'domain' ? `domain ${value}` : addressIn(ctx, value)
          return reject('absent', `${addressIn(ctx, sponsor)} pays no fees of ${whose}`)
        }
        ctx.delete(sponsorships, key)
        countUse(ctx, sponsor, 'objects', -1)
        ctx.record(changed)
        return undefined
      }
      const row = kind === 'domain' ? ctx.get(domains, value) : ctx.get(accounts, value)
      if (row === undefined)
        return kind === 'domain'
          ? reject('absent', `domain ${value} does not exist`)
          : unknownAccount(ctx, value, 'beneficiary')
      if (terms.maxPerTx.mantissa <= 0n || terms.maxPerDay.mantissa <= 0n) {
        return reject('bad_amount', 'what a sponsor pays at most is greater than zero')
      }
      const isSame = held !== undefined && sameIncarnation(held.incarnation, row.incarnation)
      const { day, spent } = isSame ? held : { day: 0, spent: ZERO }
      if (held === undefined) countUse(ctx, sponsor, 'objects', 1)
      ctx.set(sponsorships, key, { ...terms, incarnation: row.incarnation, day, spent })
      ctx.record(changed)
      return undefined
    },
  },
} satisfies Partial<Executions<typeof instructions>>
