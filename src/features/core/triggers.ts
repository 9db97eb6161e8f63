/** Owns the trigger instructions: who may register, change and call them (design/ledger-lanes.md 1, rows 25 to 28). */
import { accounts } from '../../executor/accounts.js'
import { type ExecContext, type InstructionDef, type Rejection, reject } from '../../executor/contract.js'
import { ranEvent } from '../../executor/run.js'
import { addTrigger, changeTrigger, consumeRun, removeTrigger } from '../../executor/triggers/life.js'
import { type Trigger, triggers } from '../../executor/triggers/tables.js'
import { type AccountId, assetDefinitionFault, nftFault, type TriggerFilter } from '../../model/index.js'
import { accountObject, holds, PERMISSIONS, requirePermission, tokenFor } from './permissions.js'
import { managersOf } from './role-managers.js'
import { triggerCalled, triggerChanged, triggerCreated, triggerDeleted } from './schema/events.js'
import * as schema from './schema/triggers.js'
import { definitions, domains, nfts, roles } from './tables.js'

/** Owners of an object by its id text, whose form tells what it is; names of roles and triggers may coincide. */
function ownersOf(ctx: ExecContext, family: string, object: string): readonly (AccountId | undefined)[] {
  if (family === 'role') {
    const role = ctx.get(roles, object)
    return role === undefined ? [] : managersOf(ctx, role)
  }
  if (family === 'trigger') return [ctx.get(triggers, object)?.authority]
  if (nftFault(object) === undefined) return [ctx.get(nfts, object)?.owner]
  if (assetDefinitionFault(object) === undefined) return [ctx.get(definitions, object)?.owner]
  return [ctx.get(domains, object)?.owner]
}

/**
 * Whether an account may run something inside the transactions that a filter is about: its failure rejects them, so it
 * is a veto. What is watched must be its own, or it holds CanWatchEvents; so must who takes one of the few places at the
 * end of every block.
 */
function watchFault(ctx: ExecContext, filter: TriggerFilter, authority: AccountId): Rejection | undefined {
  if ((filter.kind !== 'data' && filter.kind !== 'preCommit') || ctx.env.genesis) return undefined
  const mayWatchAll = holds(ctx, authority, tokenFor(ctx, PERMISSIONS.CanWatchEvents, undefined))
  if (mayWatchAll) return undefined
  if (filter.kind === 'preCommit')
    return reject('not_permitted', 'the end of every block is for who holds CanWatchEvents')
  const { family, scope } = filter.value
  let owners: readonly (AccountId | undefined)[] = []
  if (scope.kind === 'account') owners = [scope.value]
  if (scope.kind === 'asset') owners = [scope.value.account, ctx.get(definitions, scope.value.definition)?.owner]
  if (scope.kind === 'object') owners = ownersOf(ctx, family, scope.value)
  if (owners.includes(authority)) return undefined
  return reject('not_permitted', 'what a data trigger watches is its authority’s own, or that holds CanWatchEvents')
}

export const registerTrigger: InstructionDef<schema.RegisterTrigger> = {
  ...schema.registerTrigger,
  cost: { base: 220 },
  execute(ctx, { id, authority, filter, instructions, repeats, metadata }) {
    if (!ctx.has(accounts, authority)) return reject('unknown_account', 'its authority is not registered')
    const denied = requirePermission(ctx, 'registering a trigger', authority, [
      PERMISSIONS.CanRegisterTrigger,
      accountObject(authority),
    ])
    const refused = denied ?? watchFault(ctx, filter, authority)
    if (refused) return refused
    // Before it stands in any list: a trigger sees later events only, not the one of its own registration.
    ctx.emit({ kind: triggerCreated.kind, value: { trigger: id, authority } })
    return addTrigger(ctx, id, { authority, filter, instructions, repeats, metadata })
  },
}

/** A trigger that the authority may manage. */
function managed(ctx: ExecContext, id: string, what: string): Trigger | Rejection {
  const row = ctx.get(triggers, id)
  if (row === undefined) return reject('absent', `trigger ${id} does not exist`)
  return requirePermission(ctx, what, row.authority, [PERMISSIONS.CanManageTrigger, id]) ?? row
}

export const unregisterTrigger: InstructionDef<schema.UnregisterTrigger> = {
  ...schema.unregisterTrigger,
  cost: { base: 220 },
  execute(ctx, { id }) {
    const row = managed(ctx, id, 'removing a trigger')
    if ('code' in row) return row
    removeTrigger(ctx, id, row)
    ctx.emit({ kind: triggerDeleted.kind, value: { trigger: id, authority: row.authority } })
    return undefined
  },
}

export const changeRepeats: InstructionDef<schema.ChangeRepeats> = {
  ...schema.changeRepeats,
  cost: { base: 220 },
  execute(ctx, { id, repeats, enabled }) {
    const row = managed(ctx, id, 'changing a trigger')
    if ('code' in row) return row
    const refused = changeTrigger(ctx, id, row, { repeats, enabled })
    if (refused !== undefined) return refused
    ctx.emit({ kind: triggerChanged.kind, value: { trigger: id, repeats, enabled } })
    return undefined
  },
}

export const executeTrigger: InstructionDef<schema.ExecuteTrigger> = {
  ...schema.executeTrigger,
  cost: { base: 220 },
  execute(ctx, { id, args }) {
    const row = ctx.get(triggers, id)
    if (row === undefined) return reject('absent', `trigger ${id} does not exist`)
    const denied = requirePermission(ctx, 'calling a trigger', row.authority, [PERMISSIONS.CanExecuteTrigger, id])
    if (denied) return denied
    if (row.filter.kind !== 'byCall') return reject('bad_trigger', 'only a trigger that is by call can be called')
    if (!row.enabled) return reject('bad_trigger', 'the trigger is switched off')
    if (consumeRun(ctx, id, row)) {
      ctx.emit({ kind: triggerDeleted.kind, value: { trigger: id, authority: row.authority } })
    }
    ctx.emit({ kind: triggerCalled.kind, value: { trigger: id, caller: ctx.authority, args } })
    ctx.emit(ranEvent(id, 'call'))
    return ctx.runStored({ authority: row.authority, instructions: row.instructions, by: 'trigger' })
  },
}

export const TRIGGER_INSTRUCTIONS = [registerTrigger, unregisterTrigger, changeRepeats, executeTrigger]
