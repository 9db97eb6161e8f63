/** Owns the instructions that set transfer controls (docs/design/lanes.md 4); src/ledger/controls.ts has the check. */

import { type ExecContext, reject } from '../../../executor/contract.js'
import type { Executions } from '../../../executor/feature.js'
import { ASSET_PERMISSIONS } from '../../../ledger/asset-permissions.js'
import { controlOf, FREE } from '../../../ledger/controls.js'
import { amountFault } from '../../../ledger/money.js'
import { requirePermission } from '../../../ledger/permissions.js'
import { type Control, controls, definitions } from '../../../ledger/tables.js'
import { type AssetId, domainOfDefinition } from '../../../model/index.js'
import { events } from '../schema/events.js'
import type { instructions } from '../schema/instructions.js'

function change(ctx: ExecContext, asset: AssetId, reason: string | undefined, next: Partial<Control>) {
  const definition = ctx.get(definitions, asset.definition)
  if (definition === undefined) return reject('absent', `asset definition ${asset.definition} does not exist`)
  const denied = requirePermission(ctx, 'controlling transfers', definition.owner, [
    ASSET_PERMISSIONS.CanControl,
    asset.definition,
  ])
  if (denied) return denied
  const control = { ...(controlOf(ctx, asset) ?? FREE), ...next }
  // The usage of a removed cap does not count for a later one.
  const usage = control.usage.filter((used) => control.limits.some((limit) => limit.window === used.window))
  const isFree = !control.frozen && !control.blacklisted && control.limits.length === 0
  if (isFree) ctx.delete(controls, asset)
  else ctx.set(controls, asset, { ...control, usage, incarnation: definition.incarnation })
  const { frozen, blacklisted, limits } = control
  ctx.emit(events.controlChanged, { asset, frozen, blacklisted, limits, reason })
  return undefined
}

export const execute = {
  setFreeze: {
    cost: { base: 128 },
    primaryDomain: ({ asset }) => domainOfDefinition(asset.definition),
    execute: (ctx, { asset, frozen, reason }) => change(ctx, asset, reason, { frozen }),
  },

  setBlacklist: {
    cost: { base: 128 },
    primaryDomain: ({ asset }) => domainOfDefinition(asset.definition),
    execute: (ctx, { asset, blacklisted }) => change(ctx, asset, undefined, { blacklisted }),
  },

  setLimits: {
    cost: { base: 128 },
    primaryDomain: ({ asset }) => domainOfDefinition(asset.definition),
    execute(ctx, { asset, limits }) {
      const scale = ctx.get(definitions, asset.definition)?.scale
      for (const { cap } of limits) {
        const fault = amountFault(cap, scale)
        if (fault) return fault
      }
      if (new Set(limits.map((one) => one.window)).size < limits.length) {
        return reject('bad_amount', 'only one cap per window is allowed')
      }
      return change(ctx, asset, undefined, { limits })
    },
  },
} satisfies Partial<Executions<typeof instructions>>
