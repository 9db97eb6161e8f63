/** Owns the metadata instructions (design/ledger-lanes.md 1, rows 19 and 20). */
import { type Json, type Schema, struct } from '../../codec/index.js'
import { type Account, accounts } from '../../executor/accounts.js'
import { type ExecContext, type InstructionDef, type Rejection, reject } from '../../executor/contract.js'
import { METADATA_MAX_KEYS, type Metadata, metadataValue, name } from '../../model/index.js'
import { CORE_INSTRUCTIONS } from '../ids.js'
import { metadataInserted, metadataRemoved } from './events.js'
import { accountObject, PERMISSIONS, requirePermission } from './permissions.js'
import { type Definition, type Domain, definitions, domains } from './tables.js'
import { type Target, target } from './target.js'

export interface SetKeyValue {
  readonly target: Target
  readonly key: string
  readonly value: Json
}
const setSchema_ = struct('SetKeyValue', { target, key: name, value: metadataValue })
const setSchema: Schema<SetKeyValue> = setSchema_

export interface RemoveKeyValue {
  readonly target: Target
  readonly key: string
}
const removeSchema_ = struct('RemoveKeyValue', { target, key: name })
const removeSchema: Schema<RemoveKeyValue> = removeSchema_

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

export const setKeyValue: InstructionDef<SetKeyValue> = {
  id: CORE_INSTRUCTIONS.setKeyValue,
  kind: 'setKeyValue',
  label: 'metadata::set',
  schema: setSchema,
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
  id: CORE_INSTRUCTIONS.removeKeyValue,
  kind: 'removeKeyValue',
  label: 'metadata::remove',
  schema: removeSchema,
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
