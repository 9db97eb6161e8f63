/** Owns the tables of manifests, and their validity. */
import {
  enumOf,
  hash32,
  type Infer,
  numeric,
  option,
  struct,
  u8,
  u32,
  varint,
  varintBig,
} from '../../../codec/index.js'
import { accounts } from '../../../executor/accounts.js'
import { latestDataspace } from '../../../lanes/index.js'
import { accountId, incarnation, sameIncarnation } from '../../../model/index.js'
import type { StateReader, StateWriter, TableDef } from '../../../state/index.js'
import { ENTRIES_MAX, revocationReason, spaceEntries } from '../schema/records.js'
import type { SpaceStatus } from '../schema/views.js'

/** Manifest of an account in a dataspace. */
export interface ManifestKey extends Infer<typeof manifestKey_> {}
const manifestKey_ = struct('SpaceManifestKey', { dataspace: varintBig, account: accountId })

export interface ManifestRow extends Infer<typeof manifestRow_> {}
const manifestRow_ = struct('SpaceManifestRow', {
  version: u32,
  issuer: accountId,
  issuedMs: varint,
  activeFromMs: varint,
  expiresMs: option(varint),
  entries: spaceEntries,
  dataspaceIncarnation: incarnation,
  accountIncarnation: incarnation,
  revoked: option(struct('SpaceRevocation', { atMs: varint, reason: revocationReason })),
})
export const spaceManifests: TableDef<ManifestKey, ManifestRow> = {
  id: 1600,
  name: 'space_manifest',
  bound: {
    holds: 'one manifest: 32 entries',
    filledBy: 'PublishManifest',
    atBound: 'the decoder refuses more; leaves with ExpireManifest',
  },
  key: manifestKey_,
  value: manifestRow_,
}

/** Window of a recorded amount. */
export type Bucket = Infer<typeof bucket_>
const bucket_ = enumOf('SpaceBucket', { transaction: [0, hash32], minute: [1, varint], day: [2, varint] })

export interface UsageKey extends Infer<typeof usageKey_> {}
const usageKey_ = struct('SpaceUsageKey', { dataspace: varintBig, account: accountId, entry: u8 })

export interface UsageRow extends Infer<typeof usageRow_> {}
const usageRow_ = struct('SpaceUsageRow', {
  /** Version of the manifest; usage under other versions counts as zero. */
  version: u32,
  bucket: bucket_,
  spent: numeric,
})
export const spaceUsage: TableDef<UsageKey, UsageRow> = {
  id: 1601,
  name: 'space_usage',
  bound: {
    holds: 'one amount',
    filledBy: 'movements of guests',
    atBound: 'one for each entry; leaves with its manifest',
  },
  key: usageKey_,
  value: usageRow_,
}

export const SPACE_TABLES = [spaceManifests, spaceUsage]

/** True if the dataspace and the account still have the registrations for which the manifest was published. */
export const isOfToday = (state: StateReader, { dataspace, account }: ManifestKey, row: ManifestRow): boolean =>
  sameIncarnation(row.accountIncarnation, state.get(accounts, account)?.incarnation) &&
  sameIncarnation(row.dataspaceIncarnation, latestDataspace(state, dataspace)?.incarnation)

/** Manifest of an account; void if its dataspace or account was removed. */
export function manifestOf(state: StateReader, key: ManifestKey): ManifestRow | undefined {
  const row = state.get(spaceManifests, key)
  return row !== undefined && isOfToday(state, key, row) ? row : undefined
}

/** Status at a header time. */
export function statusOf({ revoked, activeFromMs, expiresMs }: ManifestRow, timeMs: number): SpaceStatus {
  if (revoked !== undefined) return 'revoked'
  if (expiresMs !== undefined && timeMs >= expiresMs) return 'expired'
  return timeMs < activeFromMs ? 'pending' : 'active'
}

/** Remove the usage of all versions of a manifest. */
export function dropUsage(state: StateWriter, key: ManifestKey): void {
  for (let entry = 0; entry < ENTRIES_MAX; entry += 1) {
    const usage = { ...key, entry }
    if (state.has(spaceUsage, usage)) state.delete(spaceUsage, usage)
  }
}
