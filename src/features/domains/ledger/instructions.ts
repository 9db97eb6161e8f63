/** Owns registration and removal of domains (docs/design/lanes.md 1, rows 5 and 6). */

import { countUse } from '../../../executor/accounts.js'
import { reject } from '../../../executor/contract.js'
import type { Executions } from '../../../executor/feature.js'
import { dropMetadata, writeMetadata } from '../../../executor/metadata.js'
import { countDomain, entryFault, UNIVERSAL_DATASPACE } from '../../../lanes/index.js'
import { admissions } from '../../../ledger/admission-tables.js'
import { pathNameFault } from '../../../ledger/path-names.js'
import { requirePermission } from '../../../ledger/permissions.js'
import { domainMembers, domains } from '../../../ledger/tables.js'
import { events } from '../schema/events.js'
import type { instructions } from '../schema/instructions.js'
import { DOMAIN_PERMISSIONS } from './permissions.js'

export const execute = {
  registerDomain: {
    cost: { base: 200 },
    primaryDomain: (value) => value.id,
    execute(ctx, value) {
      const denied = requirePermission(ctx, 'registering a domain', undefined, [
        DOMAIN_PERMISSIONS.CanRegisterDomain,
        undefined,
      ])
      const unnamed = denied ?? pathNameFault(ctx, value.id)
      if (unnamed) return unnamed
      if (ctx.get(domains, value.id) !== undefined) return reject('exists', `domain ${value.id} exists`)
      const dataspace = value.dataspace ?? UNIVERSAL_DATASPACE
      const closed = entryFault(ctx, dataspace, ctx.env.height)
      if (closed !== undefined) return reject('absent', closed)
      countDomain(ctx, dataspace, 1)
      const refused = writeMetadata(ctx, { kind: 'domain', value: value.id }, value.metadata)
      if (refused) return refused
      ctx.set(domains, value.id, { owner: ctx.authority, dataspace, incarnation: ctx.incarnation() })
      countUse(ctx, ctx.authority, 'objects', 1)
      ctx.emit(events.domainCreated, { domain: value.id, owner: ctx.authority })
      return undefined
    },
  },

  unregisterDomain: {
    cost: { base: 150 },
    primaryDomain: (value) => value.id,
    execute(ctx, { id }) {
      const row = ctx.get(domains, id)
      if (row === undefined) return reject('absent', `domain ${id} does not exist`)
      const denied = requirePermission(ctx, 'removing a domain', row.owner, [
        DOMAIN_PERMISSIONS.CanUnregisterDomain,
        id,
      ])
      if (denied) return denied
      const members = ctx.get(domainMembers, id) ?? 0
      if (members > 0)
        return reject(
          'not_empty',
          `${members} accounts, asset definitions, NFTs, lists of relays and active calls belong to it`,
        )
      ctx.delete(domains, id)
      dropMetadata(ctx, { kind: 'domain', value: id })
      ctx.delete(admissions, id)
      countDomain(ctx, row.dataspace, -1)
      countUse(ctx, row.owner, 'objects', -1)
      ctx.emit(events.domainDeleted, { domain: id })
      return undefined
    },
  },
} satisfies Partial<Executions<typeof instructions>>
