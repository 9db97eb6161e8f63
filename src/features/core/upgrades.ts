/** Owns runtime upgrades on the ledger: proposed, then activated inside their window or cancelled (design/ledger.md 9). */

import { hash32, list, option, type Schema, struct, unitEnum, varint } from '../../codec/index.js'
import { type ExecContext, type Execution, type QueryRun, type Rejection, reject } from '../../executor/contract.js'
import { chainInfo, ONLY } from '../../executor/tables.js'
import { requirePermission } from '../../ledger/permissions.js'
import { type AccountId, accountId } from '../../model/index.js'
import type { StateReader, TableDef } from '../../state/index.js'
import { CORE_TABLES } from '../ids.js'
import { PERMISSIONS } from './permissions.js'
import { upgradeActivated, upgradeCancelled, upgradeProposed } from './schema/events.js'
import * as schema from './schema/upgrades.js'

/** Heights between an activation and the first block of the new ABI: nothing of the next height is under way yet. */
const ACTIVATION_LEAD_HEIGHTS = 2
/** Farthest start of a window, in blocks from now: weeks at full speed. */
const START_WITHIN_BLOCKS = 10_000_000

interface Upgrade {
  readonly id: Uint8Array
  readonly manifest: schema.UpgradeManifest
  readonly status: 'proposed' | 'activated' | 'cancelled'
  readonly proposer: AccountId
  readonly createdHeight: number
  readonly actsFrom: number | undefined
}
const upgrade_ = struct('Upgrade', {
  id: hash32,
  manifest: schema.upgradeManifest,
  status: unitEnum('UpgradeStanding', { proposed: 0, activated: 1, cancelled: 2 }),
  proposer: accountId,
  createdHeight: varint,
  actsFrom: option(varint),
})
const upgradeRow: Schema<Upgrade> = upgrade_
/** Upgrades in the order of their proposals: few and looked at together, so one record. */
export const upgrades: TableDef<string, readonly Upgrade[]> = {
  id: CORE_TABLES.upgrades,
  name: 'upgrades',
  bound: {
    holds: '24 upgrades',
    filledBy: 'ProposeUpgrade',
    atBound: 'the oldest that is over leaves, else `too_many_proposals`',
  },
  key: chainInfo.key,
  value: list(upgradeRow, schema.UPGRADES_MAX),
}

const allOf = (state: StateReader): readonly Upgrade[] => state.get(upgrades, ONLY) ?? []

const sameId = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0

/** True when it may still become the active ABI at a height. */
const isOpen = ({ status, manifest }: Upgrade, height: number): boolean =>
  status === 'proposed' && height < manifest.endHeight

const denied = (ctx: ExecContext): Rejection | undefined =>
  requirePermission(ctx, 'an upgrade', undefined, [PERMISSIONS.CanManageRuntimeUpgrades, undefined])

/** Why a manifest may not be proposed now. */
function manifestFault(ctx: ExecContext, manifest: schema.UpgradeManifest): Rejection | undefined {
  const { startHeight, endHeight, abiVersion } = manifest
  const { height } = ctx.env
  const info = ctx.get(chainInfo, ONLY)
  const newest = info?.nextAbi?.abi ?? info?.abi ?? 0
  if (abiVersion <= newest)
    return reject('bad_activation', `ABI ${newest} is active or decided; an upgrade leads beyond it`)
  if (startHeight <= height || startHeight > height + START_WITHIN_BLOCKS || endHeight <= startHeight) {
    return reject('bad_activation', `the window begins after height ${height} and ends after it begins`)
  }
  const other = allOf(ctx).find(
    (one) => isOpen(one, height) && one.manifest.startHeight < endHeight && startHeight < one.manifest.endHeight,
  )
  return other && reject('exists', `its window overlaps with that of ${other.manifest.name}`)
}

export const proposeUpgrade: Execution<schema.ProposeUpgrade> = {
  cost: { base: 2_000 },
  execute(ctx, { manifest }) {
    const refused = denied(ctx)
    if (refused) return refused
    const id = schema.upgradeId(manifest)
    const known = allOf(ctx)
    if (known.some((one) => sameId(one.id, id))) return reject('exists', 'this very upgrade was proposed before')
    const fault = manifestFault(ctx, manifest)
    if (fault) return fault
    const { height } = ctx.env
    // What can no longer change makes room, oldest first.
    const over = known.length < schema.UPGRADES_MAX ? undefined : known.find((one) => !isOpen(one, height))
    if (known.length === schema.UPGRADES_MAX && over === undefined) {
      return reject('too_many_proposals', `at most ${schema.UPGRADES_MAX} upgrades wait`)
    }
    const row = { id, manifest, status: 'proposed', proposer: ctx.authority, createdHeight: height } as const
    ctx.set(upgrades, ONLY, [...known.filter((one) => one !== over), { ...row, actsFrom: undefined }])
    ctx.emit({ kind: upgradeProposed.kind, value: { upgrade: id, abi: manifest.abiVersion } })
    return undefined
  },
}

/** Replaces a proposed upgrade, or says why it is none. */
function change(
  ctx: ExecContext,
  id: Uint8Array,
  make: (found: Upgrade) => Upgrade | Rejection,
): Rejection | undefined {
  const refused = denied(ctx)
  if (refused) return refused
  const found = allOf(ctx).find((one) => sameId(one.id, id))
  if (found === undefined) return reject('absent', 'no such upgrade')
  if (found.status !== 'proposed') return reject('bad_activation', `the upgrade is ${found.status} already`)
  const next = make(found)
  if ('code' in next) return next
  ctx.set(
    upgrades,
    ONLY,
    allOf(ctx).map((one) => (one === found ? next : one)),
  )
  return undefined
}

export const activateUpgrade: Execution<schema.UpgradeById> = {
  cost: { base: 2_000 },
  execute: (ctx, { id }) =>
    change(ctx, id, (found) => {
      const { height } = ctx.env
      const { startHeight, endHeight, abiVersion, abiHash } = found.manifest
      if (height < startHeight || height >= endHeight) {
        return reject('bad_activation', `it can be activated from height ${startHeight} to below ${endHeight}`)
      }
      const info = ctx.get(chainInfo, ONLY)
      if (info === undefined) throw new Error('the chain has no record')
      if (info.nextAbi !== undefined) return reject('exists', 'another upgrade waits for its height')
      const fromHeight = height + ACTIVATION_LEAD_HEIGHTS
      ctx.set(chainInfo, ONLY, { ...info, nextAbi: { abi: abiVersion, hash: abiHash, fromHeight } })
      ctx.emit({ kind: upgradeActivated.kind, value: { upgrade: id, abi: abiVersion, fromHeight } })
      return { ...found, status: 'activated', actsFrom: fromHeight }
    }),
}

export const cancelUpgrade: Execution<schema.UpgradeById> = {
  cost: { base: 2_000 },
  execute: (ctx, { id }) =>
    change(ctx, id, (found) => {
      if (ctx.env.height >= found.manifest.endHeight) return reject('bad_activation', 'its window is over')
      ctx.emit({ kind: upgradeCancelled.kind, value: { upgrade: id, abi: found.manifest.abiVersion } })
      return { ...found, status: 'cancelled' }
    }),
}

export const upgradesQuery: QueryRun<Record<string, never>, schema.UpgradeList> = async ({ reader, height }) => {
  const items = allOf(reader).map((one): schema.UpgradeView => {
    const isOver = one.status === 'proposed' && !isOpen(one, height + 1)
    return isOver ? { ...one, status: 'expired' } : one
  })
  return { items, height }
}
