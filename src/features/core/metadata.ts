/** Owns the metadata instructions (design/ledger-lanes.md 1, rows 19 and 20). */
import { type Account, accounts } from '../../executor/accounts.js'
import { type ExecContext, type InstructionDef, type Rejection, reject } from '../../executor/contract.js'
import { domainOfDefinition, METADATA_MAX_KEYS, type Metadata, metadataValue } from '../../model/index.js'
import { accountObject, PERMISSIONS, requirePermission } from './permissions.js'
import { metadataInserted, metadataRemoved } from './schema/events.js'
import type { RemoveKeyValue, SetKeyValue } from './schema/instructions.js'
import * as schema from './schema/instructions.js'
import type { Target } from './schema/target.js'
import { type Definition, type Domain, definitions, domains } from './tables.js'

interface Opened {
  readonly metadata: Metadata
  readonly store: (next: Metadata) => void
}

/** The metadata of a target that the authority may change, and the way to store it. */
function open(ctx: ExecContext, at: Target): Opened | Rejection {
  switch (at.kind) {
    case 'domain': {
      const row: Domain | undefined = ctx.get(domains, at.value)
      if (row === undefined) return reject('absent', `domain ${at.value} does not exist`)
      const denied = requirePermission(ctx, 'changing its metadata', row.owner, [
        PERMISSIONS.CanModifyDomainMetadata,
        at.value,
      ])
      return denied ?? { metadata: row.metadata, store: (metadata) => ctx.set(domains, at.value, { ...row, metadata }) }
    }
    case 'account': {
      const row: Account | undefined = ctx.get(accounts, at.value)
      if (row === undefined) return reject('unknown_account', 'the account is not registered')
      const denied = requirePermission(ctx, 'changing its metadata', at.value, [
        PERMISSIONS.CanModifyAccountMetadata,
        accountObject(at.value),
      ])
      return (
        denied ?? { metadata: row.metadata, store: (metadata) => ctx.set(accounts, at.value, { ...row, metadata }) }
      )
    }
    case 'definition': {
      const row: Definition | undefined = ctx.get(definitions, at.value)
      if (row === undefined) return reject('absent', `asset definition ${at.value} does not exist`)
      const denied = requirePermission(ctx, 'changing its metadata', row.owner, [
        PERMISSIONS.CanModifyDefinitionMetadata,
        at.value,
      ])
      return (
        denied ?? { metadata: row.metadata, store: (metadata) => ctx.set(definitions, at.value, { ...row, metadata }) }
      )
    }
  }
}

/** Domain that a change of metadata is about; of an account: the home of the authority. */
function domainOfTarget({ target }: { readonly target: Target }): string | undefined {
  switch (target.kind) {
    case 'domain':
      return target.value
    case 'account':
      return undefined
    case 'definition':
      return domainOfDefinition(target.value)
  }
}

export const setKeyValue: InstructionDef<SetKeyValue> = {
  ...schema.setKeyValue,
  primaryDomain: domainOfTarget,
  cost: (value) => 64 + Math.ceil(metadataValue.encode(value.value).length / 16),
  execute(ctx, value) {
    const opened = open(ctx, value.target)
    if ('code' in opened) return opened
    const next = new Map(opened.metadata)
    next.set(value.key, value.value)
    if (next.size > METADATA_MAX_KEYS) return reject('metadata_limit', `at most ${METADATA_MAX_KEYS} metadata keys`)
    opened.store(next)
    ctx.emit({ kind: metadataInserted.kind, value: { target: value.target, key: value.key, value: value.value } })
    return undefined
  },
}

export const removeKeyValue: InstructionDef<RemoveKeyValue> = {
  ...schema.removeKeyValue,
  primaryDomain: domainOfTarget,
  cost: () => 64,
  execute(ctx, value) {
    const opened = open(ctx, value.target)
    if ('code' in opened) return opened
    if (!opened.metadata.has(value.key)) return reject('absent', `no metadata key ${value.key}`)
    const next = new Map(opened.metadata)
    next.delete(value.key)
    opened.store(next)
    ctx.emit({ kind: metadataRemoved.kind, value: { target: value.target, key: value.key } })
    return undefined
  },
}
