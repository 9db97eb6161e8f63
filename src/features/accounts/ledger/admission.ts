/** Owns the setting of account admission: which domains let value that arrives make an account (docs/design/lanes.md 5, row 47). */

import { reject } from '../../../executor/contract.js'
import type { Executions } from '../../../executor/feature.js'
import { roleFault } from '../../../ledger/admission.js'
import { admissions } from '../../../ledger/admission-tables.js'
import { requirePermission } from '../../../ledger/permissions.js'
import { domains, roles } from '../../../ledger/tables.js'
import { events } from '../schema/events.js'
import type { instructions } from '../schema/instructions.js'

export const execute = {
  setAdmission: {
    cost: { base: 96 },
    primaryDomain: (value) => value.domain,
    execute(ctx, { domain, policy }) {
      const home = ctx.get(domains, domain)
      if (home === undefined) return reject('absent', `domain ${domain} does not exist`)
      const denied = requirePermission(ctx, 'setting the admission of a domain', home.owner)
      if (denied) return denied
      if (policy.minimum !== undefined && policy.minimum.mantissa < 0n) {
        return reject('bad_amount', 'the least amount is not negative')
      }
      if (policy.defaultRole !== undefined) {
        const role = ctx.get(roles, policy.defaultRole)
        if (role === undefined) return reject('absent', `role ${policy.defaultRole} does not exist`)
        const fault = roleFault(ctx, role, home.owner)
        if (fault !== undefined) return fault
      }
      ctx.set(admissions, domain, policy)
      ctx.emit(events.admissionChanged, { domain, implicit: policy.mode === 'implicit' })
      return undefined
    },
  },
} satisfies Partial<Executions<typeof instructions>>
