/** Owns the execution of metadata: its permissions and instructions. */

import { accounts } from '../../executor/accounts.js'
import { unknownAccount } from '../../executor/addresses.js'
import { type ExecContext, type Rejection, reject } from '../../executor/contract.js'
import { perContent } from '../../executor/costs.js'
import { defineLedger, type Executions } from '../../executor/feature.js'
import { METADATA_TABLES, removeMetadata, setMetadata } from '../../executor/metadata.js'
import type { Permission } from '../../executor/permission.js'
import { triggers } from '../../executor/triggers/tables.js'
import { accountObject, onAccount, onDefinition, onDomain, onNft, onTrigger } from '../../ledger/permission-kinds.js'
import { requirePermission } from '../../ledger/permissions.js'
import { definitions, domains, nfts } from '../../ledger/tables.js'
import { type AccountId, domainOfDefinition, domainOfNft, metadataValue, type Target } from '../../model/index.js'
import { events, type instructions, metadataSchema } from './schema.js'

const METADATA_PERMISSIONS = {
  CanModifyDomainMetadata: onDomain('CanModifyDomainMetadata'),
  CanModifyAccountMetadata: onAccount('CanModifyAccountMetadata'),
  CanModifyDefinitionMetadata: onDefinition('CanModifyDefinitionMetadata'),
  CanModifyNftMetadata: onNft('CanModifyNftMetadata', 'domainOwner'),
  CanModifyTriggerMetadata: onTrigger('CanModifyTriggerMetadata'),
} as const satisfies Record<string, Permission>

/** Owner and permission that allow the metadata of an object to be changed. */
interface Keeper {
  readonly owner: AccountId | undefined
  readonly permission: readonly [def: Permission, object: string]
}

function keeperOf(ctx: ExecContext, at: Target): Keeper | Rejection {
  switch (at.kind) {
    case 'domain': {
      const row = ctx.get(domains, at.value)
      if (row === undefined) return reject('absent', `domain ${at.value} does not exist`)
      return { owner: row.owner, permission: [METADATA_PERMISSIONS.CanModifyDomainMetadata, at.value] }
    }
    case 'account':
      if (!ctx.has(accounts, at.value)) return unknownAccount(ctx, at.value)
      return { owner: at.value, permission: [METADATA_PERMISSIONS.CanModifyAccountMetadata, accountObject(at.value)] }
    case 'definition': {
      const row = ctx.get(definitions, at.value)
      if (row === undefined) return reject('absent', `asset definition ${at.value} does not exist`)
      return { owner: row.owner, permission: [METADATA_PERMISSIONS.CanModifyDefinitionMetadata, at.value] }
    }
    case 'nft': {
      if (!ctx.has(nfts, at.value)) return reject('absent', `NFT ${at.value} does not exist`)
      // The metadata of an NFT is a statement of its domain; its holder must not change it.
      const owner = ctx.get(domains, domainOfNft(at.value))?.owner
      return { owner, permission: [METADATA_PERMISSIONS.CanModifyNftMetadata, at.value] }
    }
    case 'trigger': {
      const row = ctx.get(triggers, at.value)
      if (row === undefined) return reject('absent', `trigger ${at.value} does not exist`)
      return { owner: row.authority, permission: [METADATA_PERMISSIONS.CanModifyTriggerMetadata, at.value] }
    }
  }
}

/** Reason why the authority may not change the metadata of a target, or undefined. */
function keeperFault(ctx: ExecContext, at: Target): Rejection | undefined {
  const keeper = keeperOf(ctx, at)
  if ('code' in keeper) return keeper
  return requirePermission(ctx, 'changing its metadata', keeper.owner, keeper.permission)
}

/** Domain of a metadata change; undefined for an account or a trigger, for which the home of the authority applies. */
function domainOfTarget({ target }: { readonly target: Target }): string | undefined {
  switch (target.kind) {
    case 'domain':
      return target.value
    case 'definition':
      return domainOfDefinition(target.value)
    case 'nft':
      return domainOfNft(target.value)
    case 'account':
    case 'trigger':
      return undefined
  }
}

const execute: Executions<typeof instructions> = {
  setKeyValue: {
    primaryDomain: domainOfTarget,
    cost: { base: 64, per: [perContent('value', ({ value }) => metadataValue.encode(value).length)] },
    execute(ctx, { target, key, value }) {
      const refused = keeperFault(ctx, target) ?? setMetadata(ctx, target, key, value)
      if (refused !== undefined) return refused
      ctx.emit(events.metadataInserted, { target, key, value })
      return undefined
    },
  },

  removeKeyValue: {
    primaryDomain: domainOfTarget,
    cost: { base: 64 },
    execute(ctx, { target, key }) {
      const refused = keeperFault(ctx, target)
      if (refused !== undefined) return refused
      if (!removeMetadata(ctx, target, key)) return reject('absent', `metadata key ${key} does not exist`)
      ctx.emit(events.metadataRemoved, { target, key })
      return undefined
    },
  },
}

export const metadataLedger = defineLedger(metadataSchema, {
  tables: [...METADATA_TABLES],
  execute,
  queries: {},
  permissions: Object.values(METADATA_PERMISSIONS),
})
