/** Owns the asset instructions: register a definition, mint, burn, transfer (docs/design/lanes.md 1, rows 10 to 15). */

import { accounts, countUse } from '../../../executor/accounts.js'
import { type ExecContext, type Execution, type Rejection, reject } from '../../../executor/contract.js'
import { dropMetadata, writeMetadata } from '../../../executor/metadata.js'
import { receiverAdmission } from '../../../ledger/admission.js'
import { applyControls } from '../../../ledger/controls.js'
import { countMember } from '../../../ledger/members.js'
import { amountFault, credit, debit, move, ZERO } from '../../../ledger/money.js'
import { valuesToCome } from '../../../ledger/parameters.js'
import { assetObject } from '../../../ledger/permission-kinds.js'
import { holds, requirePermission, tokenFor } from '../../../ledger/permissions.js'
import { type Definition, definitions, domains } from '../../../ledger/tables.js'
import { type AssetId, add, domainOfDefinition, isSupply, type Mintable, subtract } from '../../../model/index.js'
import { FEE_ASSET } from '../../fees/schema/parameters.js'
import {
  burned,
  definitionCreated,
  definitionDeleted,
  mintabilityChanged,
  minted,
  transferred,
} from '../schema/events.js'
import type {
  Amount,
  RegisterAssetDefinition,
  Transfer,
  TransferBatch,
  UnregisterAssetDefinition,
} from '../schema/instructions.js'
import { ASSET_PERMISSIONS } from './permissions.js'

/** Largest scale of a definition: that of amounts (docs/design/ledger.md 3). */
const SCALE_MAX = 28

export const registerAssetDefinition: Execution<RegisterAssetDefinition> = {
  cost: { base: 200 },
  primaryDomain: (value) => domainOfDefinition(value.id),
  execute(ctx, value) {
    const domain = domainOfDefinition(value.id)
    const home = ctx.get(domains, domain)
    if (home === undefined) return reject('absent', `domain ${domain} does not exist`)
    const denied = requirePermission(ctx, 'registering an asset definition', home.owner, [
      ASSET_PERMISSIONS.CanRegisterAssetDefinition,
      domain,
    ])
    if (denied) return denied
    if (value.scale !== undefined && value.scale > SCALE_MAX)
      return reject('bad_scale', `a scale is at most ${SCALE_MAX}`)
    if (value.mintable.kind === 'limited' && value.mintable.value < 1)
      return reject('bad_amount', 'limited minting allows at least one mint')
    if (ctx.get(definitions, value.id) !== undefined) return reject('exists', `definition ${value.id} exists`)
    const refused = writeMetadata(ctx, { kind: 'definition', value: value.id }, value.metadata)
    if (refused) return refused
    const owner = ctx.env.genesis ? home.owner : ctx.authority
    ctx.set(definitions, value.id, {
      owner,
      scale: value.scale,
      mintable: value.mintable,
      total: ZERO,
      incarnation: ctx.incarnation(),
    })
    countUse(ctx, owner, 'objects', 1)
    countMember(ctx, domain, 1)
    ctx.emit({ kind: definitionCreated.kind, value: { definition: value.id, owner } })
    return undefined
  },
}

export const unregisterAssetDefinition: Execution<UnregisterAssetDefinition> = {
  cost: { base: 150 },
  primaryDomain: (value) => domainOfDefinition(value.id),
  execute(ctx, { id }) {
    const row = ctx.get(definitions, id)
    if (row === undefined) return reject('absent', `asset definition ${id} does not exist`)
    const denied = requirePermission(ctx, 'removing an asset definition', row.owner)
    if (denied) return denied
    if (row.total.mantissa > 0n) return reject('not_empty', 'accounts hold units of it')
    if (valuesToCome(ctx, FEE_ASSET).includes(id)) return reject('not_empty', 'fees are paid in it')
    ctx.delete(definitions, id)
    dropMetadata(ctx, { kind: 'definition', value: id })
    countUse(ctx, row.owner, 'objects', -1)
    countMember(ctx, domainOfDefinition(id), -1)
    ctx.emit({ kind: definitionDeleted.kind, value: { definition: id } })
    return undefined
  },
}

/** What a successful mint leaves of the permission to mint. */
function afterMint(before: Mintable): Mintable | undefined {
  switch (before.kind) {
    case 'infinitely':
      return before
    case 'once':
      return { kind: 'not', value: undefined }
    case 'limited':
      return before.value <= 1 ? { kind: 'not', value: undefined } : { kind: 'limited', value: before.value - 1 }
    case 'not':
      return undefined
  }
}

/** The definition of a balance, or what is missing. */
function definitionOf(ctx: ExecContext, asset: AssetId): Definition | Rejection {
  const found = ctx.get(definitions, asset.definition)
  return found ?? reject('absent', `asset definition ${asset.definition} does not exist`)
}

/** The same for a balance that must have a holder already. */
function resolve(ctx: ExecContext, asset: AssetId): Definition | Rejection {
  const found = definitionOf(ctx, asset)
  if ('code' in found) return found
  if (ctx.get(accounts, asset.account) === undefined) return reject('unknown_account', 'the account is not registered')
  return found
}

export const mint: Execution<Amount> = {
  cost: { base: 150 },
  primaryDomain: ({ asset }) => domainOfDefinition(asset.definition),
  execute(ctx, { asset, amount }) {
    const found = definitionOf(ctx, asset)
    if ('code' in found) return found
    const denied = requirePermission(
      ctx,
      'minting',
      found.owner,
      [ASSET_PERMISSIONS.CanMint, asset.definition],
      [ASSET_PERMISSIONS.CanMintAsset, assetObject(asset)],
    )
    const fault = denied ?? amountFault(amount, found.scale)
    if (fault) return fault
    const left = afterMint(found.mintable)
    if (left === undefined) return reject('unmintable', `${asset.definition} can no longer be minted`)
    const total = add(found.total, amount)
    if (total === undefined || !isSupply(total)) {
      return reject('overflow', 'the total would be too large for its parts to be written with all decimals')
    }
    const failed = receiverAdmission(ctx, asset, amount) ?? credit(ctx, asset, amount)
    if (failed) return failed
    ctx.set(definitions, asset.definition, { ...found, total, mintable: left })
    ctx.emit({ kind: minted.kind, value: { asset, amount } })
    if (left.kind !== found.mintable.kind) {
      ctx.emit({ kind: mintabilityChanged.kind, value: { definition: asset.definition, mintable: left } })
    }
    return undefined
  },
}

export const burn: Execution<Amount> = {
  cost: { base: 150 },
  primaryDomain: ({ asset }) => domainOfDefinition(asset.definition),
  execute(ctx, { asset, amount }) {
    const found = resolve(ctx, asset)
    if ('code' in found) return found
    const denied =
      asset.account === ctx.authority
        ? undefined
        : requirePermission(
            ctx,
            'burning',
            found.owner,
            [ASSET_PERMISSIONS.CanBurn, asset.definition],
            [ASSET_PERMISSIONS.CanBurnAsset, assetObject(asset)],
          )
    const failed = denied ?? amountFault(amount, found.scale) ?? debit(ctx, asset, amount)
    if (failed) return failed
    const total = subtract(found.total, amount)
    if (total === undefined) throw new Error(`total of ${asset.definition} is smaller than one of its balances`)
    ctx.set(definitions, asset.definition, { ...found, total })
    ctx.emit({ kind: burned.kind, value: { asset, amount } })
    return undefined
  },
}

/** Controls bind everybody but who moves the asset under the licence of its definition's owner (a forced transfer). */
function controlled(ctx: ExecContext, asset: AssetId, to: string, amount: Amount['amount']): Rejection | undefined {
  const isForced =
    asset.account !== ctx.authority &&
    holds(ctx, ctx.authority, tokenFor(ctx, ASSET_PERMISSIONS.CanTransfer, asset.definition))
  return isForced ? undefined : applyControls(ctx, asset, to, amount)
}

/** One transfer: every path of it asks the same questions. */
function pay(ctx: ExecContext, { asset, to, amount }: Transfer): Rejection | undefined {
  const found = resolve(ctx, asset)
  if ('code' in found) return found
  const denied =
    asset.account === ctx.authority
      ? undefined
      : requirePermission(
          ctx,
          'transferring',
          asset.account,
          [ASSET_PERMISSIONS.CanTransfer, asset.definition],
          [ASSET_PERMISSIONS.CanTransferAsset, assetObject(asset)],
        )
  if (denied) return denied
  if (to === asset.account) return reject('self_transfer', 'source and destination are the same account')
  const failed =
    amountFault(amount, found.scale) ??
    receiverAdmission(ctx, { definition: asset.definition, account: to }, amount) ??
    controlled(ctx, asset, to, amount) ??
    move(ctx, asset, to, amount)
  if (failed) return failed
  ctx.emit({ kind: transferred.kind, value: { asset, to, amount } })
  return undefined
}

/** Units of one transfer beside its record, rows and events: with them a plain one is metered at no more than 240. */
const TRANSFER_TEU = 38
/** The same in a batch: one of 256 transfers with the longest names is metered at no more than 60,000. */
const BATCHED_TRANSFER_TEU = 144

export const transfer: Execution<Transfer> = {
  cost: { base: TRANSFER_TEU },
  primaryDomain: ({ asset }) => domainOfDefinition(asset.definition),
  execute: pay,
}

export const transferBatch: Execution<TransferBatch> = {
  cost: {
    base: 0,
    per: {
      teu: BATCHED_TRANSFER_TEU,
      item: 'transfer, at least one',
      count: ({ transfers }) => Math.max(1, transfers.length),
    },
  },
  primaryDomain: ({ transfers }) => [...new Set(transfers.map(({ asset }) => domainOfDefinition(asset.definition)))],
  execute(ctx, { transfers }) {
    if (transfers.length === 0) return reject('bad_amount', 'a batch has at least one transfer')
    for (const one of transfers) {
      const failed = pay(ctx, one)
      if (failed) return failed
    }
    return undefined
  },
}
