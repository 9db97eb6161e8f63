/** Owns the metadata instructions (design/ledger-lanes.md 1, rows 19 and 20). */
import { accounts } from '../../executor/accounts.js'
import {
  type ExecContext,
  type InstructionDef,
  type PermissionDef,
  type Rejection,
  reject,
} from '../../executor/contract.js'
import { triggers } from '../../executor/triggers/tables.js'
import {
  type AccountId,
  domainOfDefinition,
  domainOfNft,
  METADATA_MAX_KEYS,
  type Metadata,
  metadata as metadataSchema,
  metadataValue,
  NFT_CONTENT_MAX_BYTES,
} from '../../model/index.js'
import { perContent } from './content.js'
import { accountObject, PERMISSIONS, requirePermission } from './permissions.js'
import { metadataInserted, metadataRemoved } from './schema/events.js'
import type { RemoveKeyValue, SetKeyValue } from './schema/instructions.js'
import * as schema from './schema/instructions.js'
import type { Target } from './schema/target.js'
import { definitions, domains, nfts } from './tables.js'

/** The metadata of an object, who may change it, and the way to store it. */
interface Opened {
  readonly metadata: Metadata
  readonly owner: AccountId | undefined
  readonly permission: readonly [def: PermissionDef, object: string]
  readonly store: (next: Metadata) => Rejection | undefined
}

function open(ctx: ExecContext, at: Target): Opened | Rejection {
  switch (at.kind) {
    case 'domain': {
      const row = ctx.get(domains, at.value)
      if (row === undefined) return reject('absent', `domain ${at.value} does not exist`)
      const store = (metadata: Metadata) => void ctx.set(domains, at.value, { ...row, metadata })
      return { ...row, permission: [PERMISSIONS.CanModifyDomainMetadata, at.value], store }
    }
    case 'account': {
      const row = ctx.get(accounts, at.value)
      if (row === undefined) return reject('unknown_account', 'the account is not registered')
      const permission = [PERMISSIONS.CanModifyAccountMetadata, accountObject(at.value)] as const
      const store = (metadata: Metadata) => void ctx.set(accounts, at.value, { ...row, metadata })
      return { metadata: row.metadata, owner: at.value, permission, store }
    }
    case 'definition': {
      const row = ctx.get(definitions, at.value)
      if (row === undefined) return reject('absent', `asset definition ${at.value} does not exist`)
      const store = (metadata: Metadata) => void ctx.set(definitions, at.value, { ...row, metadata })
      return { ...row, permission: [PERMISSIONS.CanModifyDefinitionMetadata, at.value], store }
    }
    case 'nft': {
      const row = ctx.get(nfts, at.value)
      if (row === undefined) return reject('absent', `NFT ${at.value} does not exist`)
      const store = (content: Metadata) => {
        if (metadataSchema.encode(content).length > NFT_CONTENT_MAX_BYTES) {
          return reject('metadata_limit', `the content of an NFT has at most ${NFT_CONTENT_MAX_BYTES} bytes`)
        }
        ctx.set(nfts, at.value, { ...row, content })
        return undefined
      }
      // What an NFT says is the word of its domain; who holds it must not put words into its mouth.
      const owner = ctx.get(domains, domainOfNft(at.value))?.owner
      return { metadata: row.content, owner, permission: [PERMISSIONS.CanModifyNftMetadata, at.value], store }
    }
    case 'trigger': {
      const row = ctx.get(triggers, at.value)
      if (row === undefined) return reject('absent', `trigger ${at.value} does not exist`)
      const permission = [PERMISSIONS.CanModifyTriggerMetadata, at.value] as const
      const store = (metadata: Metadata) => void ctx.set(triggers, at.value, { ...row, metadata })
      return { metadata: row.metadata, owner: row.authority, permission, store }
    }
  }
}

/** The metadata of a target that the authority may change. */
function permitted(ctx: ExecContext, at: Target): Opened | Rejection {
  const opened = open(ctx, at)
  if ('code' in opened) return opened
  return requirePermission(ctx, 'changing its metadata', opened.owner, opened.permission) ?? opened
}

/** Domain that a change of metadata is about; of an account or a trigger: the home of the authority. */
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

export const setKeyValue: InstructionDef<SetKeyValue> = {
  ...schema.setKeyValue,
  primaryDomain: domainOfTarget,
  cost: { base: 64, per: perContent('value', ({ value }) => metadataValue.encode(value).length) },
  execute(ctx, value) {
    const opened = permitted(ctx, value.target)
    if ('code' in opened) return opened
    const next = new Map(opened.metadata)
    next.set(value.key, value.value)
    if (next.size > METADATA_MAX_KEYS) return reject('metadata_limit', `at most ${METADATA_MAX_KEYS} metadata keys`)
    const refused = opened.store(next)
    if (refused !== undefined) return refused
    ctx.emit({ kind: metadataInserted.kind, value: { target: value.target, key: value.key, value: value.value } })
    return undefined
  },
}

export const removeKeyValue: InstructionDef<RemoveKeyValue> = {
  ...schema.removeKeyValue,
  primaryDomain: domainOfTarget,
  cost: { base: 64 },
  execute(ctx, value) {
    const opened = permitted(ctx, value.target)
    if ('code' in opened) return opened
    if (!opened.metadata.has(value.key)) return reject('absent', `no metadata key ${value.key}`)
    const next = new Map(opened.metadata)
    next.delete(value.key)
    opened.store(next)
    ctx.emit({ kind: metadataRemoved.kind, value: { target: value.target, key: value.key } })
    return undefined
  },
}
