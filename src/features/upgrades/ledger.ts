/**
 * Owns runtime upgrades on the ledger: proposed, then activated within their window or cancelled (docs/design/ledger.md
 * 9).
 */

import { sameBytes } from '../../base/bytes.js'
import { hash32, type Infer, list, option, struct, unitEnum, varint } from '../../codec/index.js'
import { type ExecContext, type Rejection, reject } from '../../executor/contract.js'
import { defineLedger, type Executions } from '../../executor/feature.js'
import type { Permission } from '../../executor/permission.js'
import type { QueryRun } from '../../executor/reads.js'
import { chainInfo, SINGLETON_KEY } from '../../executor/tables.js'
import { global } from '../../ledger/permission-kinds.js'
import { requirePermission } from '../../ledger/permissions.js'
import { accountId } from '../../model/index.js'
import type { StateReader, TableDef } from '../../state/index.js'
import * as schema from './schema.js'
import { events, type instructions, upgradeSchema } from './schema.js'

const UPGRADE_PERMISSIONS = {
  CanManageRuntimeUpgrades: global('CanManageRuntimeUpgrades'),
} as const satisfies Record<string, Permission>

interface Upgrade extends Infer<typeof upgradeRow> {}
const upgradeRow = struct('Upgrade', {
  id: hash32,
  manifest: schema.upgradeManifest,
  status: unitEnum('UpgradeStanding', { proposed: 0, activated: 1, cancelled: 2 }),
  proposer: accountId,
  createdHeight: varint,
  activationHeight: option(varint),
})
/** Upgrades in order of proposal. They are in one record, because they are few and are read together. */
const upgrades: TableDef<string, readonly Upgrade[]> = {
  id: 44,
  name: 'upgrades',
  bound: {
    holds: '24 upgrades',
    filledBy: 'ProposeUpgrade',
    atBound: 'the oldest that is over leaves, else `too_many_proposals`',
  },
  key: chainInfo.key,
  value: list(upgradeRow, schema.UPGRADES_MAX),
}

export const allOf = (state: StateReader): readonly Upgrade[] => state.get(upgrades, SINGLETON_KEY) ?? []

/** True if it may still become the active ABI at a height. */
const isOpen = ({ status, manifest }: Upgrade, height: number): boolean =>
  status === 'proposed' && height < manifest.endHeight

/**
 * Heights between an activation and the first block of the new ABI. No work on the next height may be in progress at
 * the change.
 */
const ACTIVATION_LEAD_HEIGHTS = 2
/** Maximum distance of the start of a window, in blocks from now: weeks at full speed. */
const START_WITHIN_BLOCKS = 10_000_000

const denied = (ctx: ExecContext): Rejection | undefined =>
  requirePermission(ctx, 'an upgrade', undefined, [UPGRADE_PERMISSIONS.CanManageRuntimeUpgrades, undefined])

/** Reason why a manifest may not be proposed now. */
function manifestFault(ctx: ExecContext, manifest: schema.UpgradeManifest): Rejection | undefined {
  const { startHeight, endHeight, abiVersion } = manifest
  const { height } = ctx.env
  const info = ctx.get(chainInfo, SINGLETON_KEY)
  const newest = info?.nextAbi?.abi ?? info?.abi ?? 0
  if (abiVersion <= newest)
    return reject('bad_activation', `ABI ${newest} is active or decided; an upgrade must have a higher number`)
  if (startHeight <= height || startHeight > height + START_WITHIN_BLOCKS || endHeight <= startHeight) {
    return reject('bad_activation', `the window must begin after height ${height} and end after its start`)
  }
  const other = allOf(ctx).find(
    (one) => isOpen(one, height) && one.manifest.startHeight < endHeight && startHeight < one.manifest.endHeight,
  )
  return (
    other &&
    reject(
      'upgrade_overlap',
      `the window overlaps with that of ${other.manifest.name}, heights ${other.manifest.startHeight} to ${other.manifest.endHeight}`,
    )
  )
}

/** Replace a proposed upgrade, or return the rejection. */
function change(
  ctx: ExecContext,
  id: Uint8Array,
  make: (found: Upgrade) => Upgrade | Rejection,
): Rejection | undefined {
  const refused = denied(ctx)
  if (refused) return refused
  const found = allOf(ctx).find((one) => sameBytes(one.id, id))
  if (found === undefined) return reject('absent', `upgrade ${Buffer.from(id).toString('hex')} does not exist`)
  if (found.status !== 'proposed') return reject('bad_activation', `the upgrade is already ${found.status}`)
  const next = make(found)
  if ('code' in next) return next
  ctx.set(
    upgrades,
    SINGLETON_KEY,
    allOf(ctx).map((one) => (one === found ? next : one)),
  )
  return undefined
}

const execute = {
  proposeUpgrade: {
    cost: { base: 2_000 },
    execute(ctx, { manifest }) {
      const refused = denied(ctx)
      if (refused) return refused
      const id = schema.upgradeId(manifest)
      const known = allOf(ctx)
      if (known.some((one) => sameBytes(one.id, id))) return reject('exists', 'this upgrade was already proposed')
      const fault = manifestFault(ctx, manifest)
      if (fault) return fault
      const { height } = ctx.env
      // Finished upgrades are removed to make space, oldest first.
      const over = known.length < schema.UPGRADES_MAX ? undefined : known.find((one) => !isOpen(one, height))
      if (known.length === schema.UPGRADES_MAX && over === undefined) {
        return reject('too_many_proposals', `at most ${schema.UPGRADES_MAX} upgrades can be pending`)
      }
      const row = { id, manifest, status: 'proposed', proposer: ctx.authority, createdHeight: height } as const
      ctx.set(upgrades, SINGLETON_KEY, [
        ...known.filter((one) => one !== over),
        { ...row, activationHeight: undefined },
      ])
      ctx.emit(events.upgradeProposed, { upgrade: id, abi: manifest.abiVersion })
      return undefined
    },
  },

  activateUpgrade: {
    cost: { base: 2_000 },
    execute: (ctx, { id }) =>
      change(ctx, id, (found) => {
        const { height } = ctx.env
        const { startHeight, endHeight, abiVersion, abiHash } = found.manifest
        if (height < startHeight || height >= endHeight) {
          return reject(
            'bad_activation',
            `the upgrade can be activated from height ${startHeight} to below ${endHeight}`,
          )
        }
        const info = ctx.get(chainInfo, SINGLETON_KEY)
        if (info === undefined) throw new Error('the chain has no record')
        if (info.nextAbi !== undefined) return reject('exists', 'another upgrade is pending')
        // Its ABI was newer than the active one when it was proposed; another one may have been activated since.
        if (abiVersion <= info.abi) {
          return reject('bad_activation', `ABI ${info.abi} is active; an upgrade must have a higher number`)
        }
        const unready = ctx.abi.policies.upgradeReadiness?.(ctx, abiVersion, abiHash)
        if (unready) return unready
        const fromHeight = height + ACTIVATION_LEAD_HEIGHTS
        ctx.set(chainInfo, SINGLETON_KEY, { ...info, nextAbi: { abi: abiVersion, hash: abiHash, fromHeight } })
        ctx.emit(events.upgradeActivated, { upgrade: id, abi: abiVersion, fromHeight })
        return { ...found, status: 'activated', activationHeight: fromHeight }
      }),
  },

  cancelUpgrade: {
    cost: { base: 2_000 },
    execute: (ctx, { id }) =>
      change(ctx, id, (found) => {
        if (ctx.env.height >= found.manifest.endHeight)
          return reject('bad_activation', 'the window of the upgrade has passed')
        ctx.emit(events.upgradeCancelled, { upgrade: id, abi: found.manifest.abiVersion })
        return { ...found, status: 'cancelled' }
      }),
  },
} satisfies Executions<typeof instructions>

const upgradesQuery: QueryRun<Record<string, never>, schema.UpgradeList> = async ({ reader, height }) => {
  const items = allOf(reader).map((one): schema.UpgradeView => {
    const isOver = one.status === 'proposed' && !isOpen(one, height + 1)
    return isOver ? { ...one, status: 'expired' } : one
  })
  return { items, height }
}

export const upgradeLedger = defineLedger(upgradeSchema, {
  tables: [upgrades],
  execute,
  queries: { upgrades: upgradesQuery },
  permissions: Object.values(UPGRADE_PERMISSIONS),
})
