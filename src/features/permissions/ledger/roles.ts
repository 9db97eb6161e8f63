/** Owns the registration of roles (docs/design/lanes.md 1, rows 21 and 22). */

import { accounts } from '../../../executor/accounts.js'
import { unknownAccount } from '../../../executor/addresses.js'
import { reject } from '../../../executor/contract.js'
import type { Executions } from '../../../executor/feature.js'
import { asManagers, managersOf } from '../../../ledger/grants.js'
import { pathNameFault } from '../../../ledger/path-names.js'
import { requirePermission } from '../../../ledger/permissions.js'
import { roles } from '../../../ledger/tables.js'
import { type Token, tokenKey } from '../../../model/index.js'
import type { instructions } from '../schema.js'
import { events } from '../schema.js'
import { grantable } from './grants.js'
import { GRANT_PERMISSIONS } from './permissions.js'

export const execute = {
  registerRole: {
    cost: { base: 96 },
    execute(ctx, { id, permissions, managers }) {
      const denied = requirePermission(ctx, 'registering a role', undefined, [
        GRANT_PERMISSIONS.CanManageRoles,
        undefined,
      ])
      const unnamed = denied ?? pathNameFault(ctx, id)
      if (unnamed) return unnamed
      if (ctx.has(roles, id)) return reject('exists', `role ${id} already exists`)
      const held = new Map<string, Token>()
      for (const subject of permissions) {
        const found = grantable(ctx, subject)
        if ('code' in found) return found
        const key = tokenKey(found.token)
        if (held.has(key)) return reject('exists', `${subject.name} is listed twice`)
        held.set(key, found.token)
      }
      if (new Set(managers).size < managers.length) return reject('exists', 'a manager is listed twice')
      const unknown = managers.find((one) => !ctx.has(accounts, one))
      if (unknown !== undefined) return unknownAccount(ctx, unknown, 'manager')
      const registered = asManagers(ctx, managers)
      ctx.set(roles, id, { tokens: [...held.values()], managers: registered, members: 0 })
      ctx.emit(events.roleCreated, { role: id })
      return undefined
    },
  },

  unregisterRole: {
    cost: { base: 96 },
    execute(ctx, { id }) {
      const role = ctx.get(roles, id)
      if (role === undefined) return reject('absent', `role ${id} does not exist`)
      if (!managersOf(ctx, role).includes(ctx.authority)) {
        const wanted = [GRANT_PERMISSIONS.CanManageRoles, undefined] as const
        const denied = requirePermission(ctx, 'removing a role', undefined, wanted)
        if (denied) return denied
      }
      if (role.members > 0) return reject('not_empty', `the role is held by ${role.members} accounts`)
      const sealed = ctx.abi.policies.roleSeal?.(ctx, id, { kind: 'removal' })
      if (sealed !== undefined) return sealed
      ctx.delete(roles, id)
      ctx.emit(events.roleDeleted, { role: id })
      return undefined
    },
  },
} satisfies Partial<Executions<typeof instructions>>
