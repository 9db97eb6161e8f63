/** Owns the instructions of manifests: publish, revoke, expire. */

import { accounts } from '../../../executor/accounts.js'
import { unknownAccount } from '../../../executor/addresses.js'
import { type ExecContext, type Rejection, reject } from '../../../executor/contract.js'
import type { Executions } from '../../../executor/feature.js'
import { latestDataspace, UNIVERSAL_DATASPACE } from '../../../lanes/index.js'
import { onDataspace } from '../../../ledger/permission-kinds.js'
import { requirePermission } from '../../../ledger/permissions.js'
import { domains } from '../../../ledger/tables.js'
import { isSupply } from '../../../model/index.js'
import { events } from '../schema/events.js'
import type { instructions, PublishManifest } from '../schema/instructions.js'
import { domainOfCounterparty, type SpaceEntry } from '../schema/records.js'
import { dropUsage, isOfToday, type ManifestKey, type ManifestRow, manifestOf, spaceManifests } from './tables.js'

export const CAN_PUBLISH_MANIFESTS = onDataspace('CanPublishManifests')

const denied = (ctx: ExecContext, dataspace: bigint): Rejection | undefined =>
  requirePermission(ctx, `publishing manifests of dataspace ${dataspace}`, undefined, [
    CAN_PUBLISH_MANIFESTS,
    String(dataspace),
  ])

const bad = (message: string): Rejection => reject('bad_manifest', message)

const absent = ({ dataspace }: ManifestKey): Rejection =>
  reject('absent', `the account has no manifest in dataspace ${dataspace}`)

/** Reason why an entry is inconsistent, or undefined. */
function entryFault(ctx: ExecContext, { scope, effect }: SpaceEntry, index: number): Rejection | undefined {
  const domain = scope.counterparty === undefined ? undefined : domainOfCounterparty(scope.counterparty)
  if (domain !== undefined && !ctx.has(domains, domain)) return bad(`entry ${index}: domain ${domain} does not exist`)
  if (effect.kind === 'deny') return undefined
  const { maxAmount, window } = effect.value
  if (maxAmount === undefined)
    return window === undefined ? undefined : bad(`entry ${index}: a window requires an amount`)
  if (maxAmount.mantissa <= 0n) return bad(`entry ${index}: an amount must be greater than zero`)
  if (!isSupply(maxAmount)) return bad(`entry ${index}: the amount exceeds every supply`)
  if (scope.definition === undefined) return bad(`entry ${index}: an amount requires a definition`)
  return window === undefined ? bad(`entry ${index}: an amount requires a window`) : undefined
}

function manifestFault(ctx: ExecContext, value: PublishManifest, activeFromMs: number): Rejection | undefined {
  const { dataspace, entries, expiresMs } = value
  if (dataspace === UNIVERSAL_DATASPACE) return bad('the universal dataspace is never restricted')
  if (entries.length === 0) return bad('a manifest must have at least one entry')
  for (const [index, entry] of entries.entries()) {
    const fault = entryFault(ctx, entry, index)
    if (fault !== undefined) return fault
  }
  if (expiresMs === undefined) return undefined
  if (expiresMs <= activeFromMs) return bad('a manifest must expire after it becomes active')
  return expiresMs <= ctx.env.timeMs ? bad('a manifest must expire after the time of its block') : undefined
}

export const execute = {
  publishManifest: {
    cost: { base: 200, per: [{ teu: 24, item: 'entry', count: ({ entries }: PublishManifest) => entries.length }] },
    execute(ctx, value) {
      const { dataspace, account, version, expiresMs, entries } = value
      const space = latestDataspace(ctx, dataspace)
      if (space === undefined) return reject('absent', `dataspace ${dataspace} does not exist`)
      const refused = denied(ctx, dataspace)
      if (refused) return refused
      const guest = ctx.get(accounts, account)
      if (guest === undefined) return unknownAccount(ctx, account)
      const key = { dataspace, account }
      const row = ctx.get(spaceManifests, key)
      const isReplaced = row !== undefined && isOfToday(ctx, key, row)
      const next = isReplaced ? row.version + 1 : 1
      if (version !== next) return reject('bad_version', `the next version must be ${next}, not ${version}`)
      const issuedMs = ctx.env.timeMs
      const activeFromMs = value.activeFromMs ?? issuedMs
      const fault = manifestFault(ctx, value, activeFromMs)
      if (fault) return fault
      // Versions of a removed dataspace or account start anew.
      if (row !== undefined && !isReplaced) dropUsage(ctx, key)
      ctx.set(spaceManifests, key, {
        version,
        issuer: ctx.authority,
        issuedMs,
        activeFromMs,
        expiresMs,
        entries,
        dataspaceIncarnation: space.incarnation,
        accountIncarnation: guest.incarnation,
        revoked: undefined,
      })
      ctx.emit(events.spaceManifestPublished, { ...key, version })
      return undefined
    },
  },

  revokeManifest: {
    cost: { base: 128 },
    execute(ctx, { reason, ...key }) {
      const manifest = manifestOf(ctx, key)
      if (manifest === undefined) return absent(key)
      const refused = denied(ctx, key.dataspace)
      if (refused) return refused
      if (manifest.revoked !== undefined) return reject('exists', 'the manifest is already revoked')
      ctx.set(spaceManifests, key, { ...manifest, revoked: { atMs: ctx.env.timeMs, reason } })
      ctx.emit(events.spaceManifestRevoked, { ...key, version: manifest.version })
      return undefined
    },
  },

  expireManifest: {
    cost: { base: 128 },
    execute(ctx, key) {
      const manifest = ctx.get(spaceManifests, key)
      if (manifest === undefined) return absent(key)
      if (isOfToday(ctx, key, manifest) && !isOver(manifest, ctx.env.timeMs)) {
        return reject('manifest_live', `the manifest of the account in dataspace ${key.dataspace} has not expired`)
      }
      dropUsage(ctx, key)
      ctx.delete(spaceManifests, key)
      ctx.emit(events.spaceManifestExpired, { ...key, version: manifest.version })
      return undefined
    },
  },
} satisfies Executions<typeof instructions>

const isOver = ({ expiresMs }: ManifestRow, timeMs: number): boolean => expiresMs !== undefined && timeMs >= expiresMs
