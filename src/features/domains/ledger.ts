/** Owns the execution of domains: permissions, instructions, queries. */

import type { Page } from '../../api/paging.js'
import type { ByIdQuery, PageQuery } from '../../api/query-inputs.js'
import { countUse } from '../../executor/accounts.js'
import { reject } from '../../executor/contract.js'
import { defineLedger, type Executions } from '../../executor/feature.js'
import { dropMetadata, metadataBytes, metadataOf, writeMetadata } from '../../executor/metadata.js'
import type { Permission } from '../../executor/permission.js'
import type { QueryRun } from '../../executor/reads.js'
import { countDomain, entryFault, UNIVERSAL_DATASPACE } from '../../lanes/index.js'
import { admissions } from '../../ledger/admission-tables.js'
import { NO_STEPS_AS_NAMES, pathNameFault } from '../../ledger/path-names.js'
import { global, onDomain } from '../../ledger/permission-kinds.js'
import { requirePermission } from '../../ledger/permissions.js'
import { pageOfTable } from '../../ledger/table-page.js'
import { type Domain, domainMembers, domains } from '../../ledger/tables.js'
import type { StateReader } from '../../state/index.js'
import { type DomainView, domainSchema, events, type instructions } from './schema.js'

const DOMAIN_PERMISSIONS = {
  CanRegisterDomain: global('CanRegisterDomain'),
  CanUnregisterDomain: onDomain('CanUnregisterDomain'),
} as const satisfies Record<string, Permission>

const domainViewOf = (state: StateReader, id: string, row: Domain): DomainView => ({
  id,
  ownedBy: row.owner,
  metadata: metadataOf(state, { kind: 'domain', value: id }),
})

const domainsQuery: QueryRun<PageQuery, Page<DomainView>> = (ctx, query) =>
  pageOfTable(
    ctx,
    domains,
    query,
    (id, row) => domainViewOf(ctx.reader, id, row),
    (value) => metadataBytes(ctx.reader, { kind: 'domain', value }),
  )

const domainQuery: QueryRun<ByIdQuery, DomainView> = async ({ reader }, { id }) => {
  const row = reader.get(domains, id)
  return row === undefined ? undefined : domainViewOf(reader, id, row)
}

const execute: Executions<typeof instructions> = {
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
      if (ctx.get(domains, value.id) !== undefined) return reject('exists', `domain ${value.id} already exists`)
      const kept = ctx.abi.policies.domainIds?.(ctx, value.id)
      if (kept) return kept
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
          `domain ${id} still has ${members} accounts, asset definitions, NFTs and other objects`,
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
}

export const domainLedger = defineLedger(domainSchema, {
  tables: [domainMembers, domains],
  execute,
  queries: { domains: domainsQuery, domain: domainQuery },
  permissions: Object.values(DOMAIN_PERMISSIONS),
  rules: [NO_STEPS_AS_NAMES],
})
