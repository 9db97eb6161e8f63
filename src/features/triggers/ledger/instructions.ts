/** Owns the trigger instructions: who may register, change and call them (docs/design/lanes.md 1, rows 25 to 28). */

import { accounts } from '../../../executor/accounts.js'
import { unknownAccount } from '../../../executor/addresses.js'
import { type ExecContext, type Rejection, reject } from '../../../executor/contract.js'
import type { Executions } from '../../../executor/feature.js'
import { hasRule } from '../../../executor/rules.js'
import { ranEvent } from '../../../executor/run.js'
import { addTrigger, changeTrigger, consumeRun, removeTrigger } from '../../../executor/triggers/life.js'
import { instructionsOf } from '../../../executor/triggers/program.js'
import { type Trigger, triggers } from '../../../executor/triggers/tables.js'
import { perContent } from '../../../ledger/content-cost.js'
import { pathNameFault } from '../../../ledger/path-names.js'
import { accountObject } from '../../../ledger/permission-kinds.js'
import { requirePermission } from '../../../ledger/permissions.js'
import { metadataValue } from '../../../model/index.js'
import { events } from '../schema/events.js'
import type { instructions } from '../schema/instructions.js'
import { TRIGGER_PERMISSIONS } from './permissions.js'
import { TRIGGER_RULES } from './rules.js'
import { rightOfTrigger, watchFault, watchRight } from './watching.js'

/** A trigger that the authority may manage. */
function managed(ctx: ExecContext, id: string, what: string): Trigger | Rejection {
  const row = ctx.get(triggers, id)
  if (row === undefined) return reject('absent', `trigger ${id} does not exist`)
  return requirePermission(ctx, what, row.authority, [TRIGGER_PERMISSIONS.CanManageTrigger, id]) ?? row
}

/**
 * The same for removing it: whoever decides about what it watches need not put up with it, nor whoever may watch the same with one
 * that has lost its power and keeps its place in a list of few.
 */
function removable(ctx: ExecContext, id: string): Trigger | Rejection {
  const row = ctx.get(triggers, id)
  const right = row && watchRight(ctx, ctx, row.filter, ctx.authority)
  if (row !== undefined && right === 'veto') return row
  const isIdle = row !== undefined && right === 'observe' && rightOfTrigger(ctx, ctx, row, row.authority) === 'none'
  return isIdle && hasRule(ctx, TRIGGER_RULES.idleRemovable) ? row : managed(ctx, id, 'removing a trigger')
}

export const execute = {
  registerTrigger: {
    cost: { base: 220 },
    execute(ctx, { id, authority, filter, instructions, repeats, metadata }) {
      if (!ctx.has(accounts, authority)) return unknownAccount(ctx, authority, 'authority')
      const denied = requirePermission(ctx, 'registering a trigger', authority, [
        TRIGGER_PERMISSIONS.CanRegisterTrigger,
        accountObject(authority),
      ])
      const unnamed = denied ?? pathNameFault(ctx, id)
      const refused = unnamed ?? (ctx.env.genesis ? undefined : watchFault(ctx, ctx, filter, authority))
      if (refused) return refused
      // Before it stands in any list: a trigger sees later events only, not the one of its own registration.
      ctx.emit(events.triggerCreated, { trigger: id, authority })
      return addTrigger(ctx, id, { authority, filter, instructions, repeats, metadata })
    },
  },

  unregisterTrigger: {
    cost: { base: 220 },
    execute(ctx, { id }) {
      const row = removable(ctx, id)
      if ('code' in row) return row
      removeTrigger(ctx, id, row)
      ctx.emit(events.triggerDeleted, { trigger: id, authority: row.authority })
      return undefined
    },
  },

  changeRepeats: {
    cost: { base: 220 },
    execute(ctx, { id, repeats, enabled }) {
      const row = managed(ctx, id, 'changing a trigger')
      if ('code' in row) return row
      const refused = changeTrigger(ctx, id, row, { repeats, enabled })
      if (refused !== undefined) return refused
      ctx.emit(events.triggerChanged, { trigger: id, repeats, enabled })
      return undefined
    },
  },

  executeTrigger: {
    cost: { base: 220, per: [perContent('args', ({ args }) => metadataValue.encode(args).length)] },
    execute(ctx, { id, args }) {
      const row = ctx.get(triggers, id)
      if (row === undefined) return reject('absent', `trigger ${id} does not exist`)
      const denied = requirePermission(ctx, 'calling a trigger', row.authority, [
        TRIGGER_PERMISSIONS.CanExecuteTrigger,
        id,
      ])
      if (denied) return denied
      if (row.filter.kind !== 'byCall') return reject('bad_trigger', 'only a trigger that is by call can be called')
      if (!row.enabled) return reject('bad_trigger', 'the trigger is switched off')
      const instructions = instructionsOf(ctx, ctx.abi, id, row, ctx)
      if ('code' in instructions) return instructions
      if (consumeRun(ctx, id, row)) {
        ctx.emit(events.triggerDeleted, { trigger: id, authority: row.authority })
      }
      ctx.emit(events.triggerCalled, { trigger: id, caller: ctx.authority, args })
      ctx.record(ranEvent(id, 'call'))
      return ctx.runStored({ authority: row.authority, instructions, by: 'trigger' })
    },
  },
} satisfies Partial<Executions<typeof instructions>>
