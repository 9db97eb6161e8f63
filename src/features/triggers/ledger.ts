/**
 * Owns the execution of triggers on the ledger: permissions to watch, register, change and call them, and queries
 * (docs/design/lanes.md 1, rows 25 to 28; 2).
 */

import type { Page } from '../../api/paging.js'
import type { ByIdQuery, PageQuery } from '../../api/query-inputs.js'
import { accounts } from '../../executor/accounts.js'
import { unknownAccount } from '../../executor/addresses.js'
import { type ExecContext, type Rejection, reject, type TriggerAuthority } from '../../executor/contract.js'
import { perContent } from '../../executor/costs.js'
import { defineLedger, type Executions } from '../../executor/feature.js'
import { metadataBytes, metadataOf } from '../../executor/metadata.js'
import type { Permission } from '../../executor/permission.js'
import type { QueryContext, QueryRun } from '../../executor/reads.js'
import { type ActiveRules, hasRule, type Rule } from '../../executor/rules.js'
import { ranEvent } from '../../executor/run.js'
import { storedList } from '../../executor/stored-lists.js'
import { addTrigger, changeTrigger, consumeRun, removeTrigger } from '../../executor/triggers/life.js'
import { instructionsOf } from '../../executor/triggers/program.js'
import { TRIGGER_TABLES, type Trigger, triggerPages, triggers } from '../../executor/triggers/tables.js'
import { managersOf } from '../../ledger/grants.js'
import { pathNameFault } from '../../ledger/path-names.js'
import { accountObject, global, onAccount, onTrigger } from '../../ledger/permission-kinds.js'
import { holds, requirePermission, tokenFor } from '../../ledger/permissions.js'
import { shownList } from '../../ledger/query.js'
import { pageOfTable } from '../../ledger/table-page.js'
import { definitions, domains, nfts, roles } from '../../ledger/tables.js'
import {
  type AccountId,
  assetDefinitionFault,
  type DataFilter,
  GENESIS_HEIGHT,
  keylessKind,
  metadataValue,
  nameFault,
  nftFault,
  type TriggerFilter,
} from '../../model/index.js'
import type { StateReader } from '../../state/index.js'
import type * as views from './schema.js'
import { events, type instructions, triggerSchema } from './schema.js'

const TRIGGER_PERMISSIONS = {
  CanWatchEvents: global('CanWatchEvents'),
  CanRegisterTrigger: onAccount('CanRegisterTrigger'),
  CanManageTrigger: onTrigger('CanManageTrigger'),
  CanExecuteTrigger: onTrigger('CanExecuteTrigger'),
} as const satisfies Record<string, Permission>

const TRIGGER_RULES = {
  idleRemovable: {
    since: 2,
    text: 'whoever may watch the same removes a trigger without power',
  },
  vetoOfDomains: {
    since: 2,
    text: 'the owner of a domain has a veto over events of domains only',
  },
  systemAccounts: {
    since: 2,
    text: 'a trigger has no veto over what a system account does, and a trigger of a system account has none',
  },
} as const satisfies Record<string, Rule>

/** Subjects whose events name their domain. In other events the name belongs to a parameter, a call or a key. */
const OF_DOMAINS = new Set(['domain', 'account', 'ownership', 'metadata'])

/** Right on a domain, or on an object that has the name of a domain. */
function domainRight(
  rules: ActiveRules,
  state: StateReader,
  subject: string,
  id: string,
  account: AccountId,
): TriggerAuthority {
  if (nameFault(id) !== undefined || state.get(domains, id)?.owner !== account) return 'none'
  if (OF_DOMAINS.has(subject) || !hasRule(rules, TRIGGER_RULES.vetoOfDomains)) return 'veto'
  // Relays belong to a domain, or to a call that may have the same name.
  return subject === 'conference_relay' ? 'observe' : 'none'
}

/**
 * Right on an object by its id text, whose form determines its kind; names of roles and triggers may coincide. Only the
 * owner of a domain or definition has a right on it. The owner of an NFT, the managers of a role and the account of a
 * trigger share the right with others, whom they must not be able to block.
 */
function objectRight(
  rules: ActiveRules,
  state: StateReader,
  subject: string,
  object: string,
  account: AccountId,
): TriggerAuthority {
  if (subject === 'role' || subject === 'trigger') {
    if (nameFault(object) !== undefined) return 'none'
    const role = subject === 'role' ? state.get(roles, object) : undefined
    const own =
      role === undefined
        ? subject === 'trigger' && state.get(triggers, object)?.authority === account
        : managersOf(state, role).includes(account)
    return own ? 'observe' : 'none'
  }
  if (nftFault(object) === undefined) return state.get(nfts, object)?.owner === account ? 'observe' : 'none'
  if (assetDefinitionFault(object) === undefined) {
    return state.get(definitions, object)?.owner === account ? 'veto' : 'none'
  }
  return domainRight(rules, state, subject, object, account)
}

/**
 * Right of an account on the subject of a filter, in the current state. A data trigger that fails reverts the action of
 * a different account; only the owner of the watched object has this power, not the accounts that the event merely
 * concerns.
 */
function filterRight(
  rules: ActiveRules,
  state: StateReader,
  { subject, scope }: DataFilter,
  account: AccountId,
): TriggerAuthority {
  switch (scope.kind) {
    case 'any':
      return 'none'
    case 'object':
      return objectRight(rules, state, subject, scope.value, account)
    case 'account':
      return scope.value === account ? 'observe' : 'none'
    case 'asset':
      if (state.get(definitions, scope.value.definition)?.owner === account) return 'veto'
      return scope.value.account === account ? 'observe' : 'none'
  }
}

/** Right of an account on the subject of a data or pre-commit trigger; holders of CanWatchEvents have every right. */
function watchRight(
  rules: ActiveRules,
  state: StateReader,
  filter: TriggerFilter,
  account: AccountId,
): TriggerAuthority {
  if (!isWatching(filter)) return 'none'
  if (holds(state, account, tokenFor(state, TRIGGER_PERMISSIONS.CanWatchEvents, undefined))) return 'veto'
  return filter.kind === 'data' ? filterRight(rules, state, filter.value, account) : 'none'
}

/** True for triggers that run within the transactions of others, or at the end of every block. */
const isWatching = ({ kind }: TriggerFilter): boolean => kind === 'data' || kind === 'preCommit'

/** Reason why an account may not have a trigger with this filter, or undefined. */
function watchFault(
  rules: ActiveRules,
  state: StateReader,
  filter: TriggerFilter,
  account: AccountId,
): Rejection | undefined {
  if (!isWatching(filter) || watchRight(rules, state, filter, account) !== 'none') return undefined
  return filter.kind === 'preCommit'
    ? reject('not_permitted', 'a trigger at the end of every block needs CanWatchEvents')
    : reject('not_permitted', 'the authority of a data trigger must own the watched object, or hold CanWatchEvents')
}

/**
 * Right of a registered data trigger when an event matches it. It is determined for each event, because the owner of
 * the watched object may have changed. An account always decides about its own actions. Triggers registered in genesis
 * keep their rights of genesis. Actions of a system account are final, so that triggers follow them and never revert
 * them. Triggers of a system account only follow: governance could otherwise reject every later ballot, and no decision
 * could remove the trigger.
 */
function rightOfTrigger(rules: ActiveRules, state: StateReader, row: Trigger, acting: AccountId): TriggerAuthority {
  const right = ownRightOfTrigger(rules, state, row, acting)
  const isSystem = keylessKind(acting) === 'system' || keylessKind(row.authority) === 'system'
  const isDecided = isSystem && hasRule(rules, TRIGGER_RULES.systemAccounts)
  return right === 'veto' && isDecided ? 'observe' : right
}

/** Right of a trigger on actions of an account that decides for itself. */
function ownRightOfTrigger(rules: ActiveRules, state: StateReader, row: Trigger, acting: AccountId): TriggerAuthority {
  if (row.incarnation.height === GENESIS_HEIGHT) return 'veto'
  const right = watchRight(rules, state, row.filter, row.authority)
  return right === 'observe' && row.authority === acting ? 'veto' : right
}

/** Trigger that the authority may manage. */
function managed(ctx: ExecContext, id: string, what: string): Trigger | Rejection {
  const row = ctx.get(triggers, id)
  if (row === undefined) return reject('absent', `trigger ${id} does not exist`)
  return requirePermission(ctx, what, row.authority, [TRIGGER_PERMISSIONS.CanManageTrigger, id]) ?? row
}

/**
 * Trigger that the authority may remove: its manager; an account with rights on the watched object; or, for a trigger
 * that lost its right and still occupies a slot of a full list, an account that may watch the same object.
 */
function removable(ctx: ExecContext, id: string): Trigger | Rejection {
  const row = ctx.get(triggers, id)
  const right = row && watchRight(ctx, ctx, row.filter, ctx.authority)
  if (row !== undefined && right === 'veto') return row
  const isIdle = row !== undefined && right === 'observe' && rightOfTrigger(ctx, ctx, row, row.authority) === 'none'
  return isIdle && hasRule(ctx, TRIGGER_RULES.idleRemovable) ? row : managed(ctx, id, 'removing a trigger')
}

const execute = {
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
      // Before it is in any list: a trigger matches later events only, not the one of its own registration.
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
      if (row.filter.kind !== 'byCall') return reject('bad_trigger', 'only a trigger by call can be called')
      if (!row.enabled) return reject('bad_trigger', 'the trigger is disabled')
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
} satisfies Executions<typeof instructions>

function triggerOf({ reader, codec }: QueryContext, id: string, row: Trigger): views.TriggerView {
  const { authority, filter, repeats, enabled, failures, dueMs } = row
  const instructions = shownList(storedList(reader, { pages: triggerPages, of: id, row, codec }))
  const metadata = metadataOf(reader, { kind: 'trigger', value: id })
  return { id, authority, filter, instructions, repeats, enabled, failures, dueMs, metadata }
}

const triggersQuery: QueryRun<PageQuery, Page<views.TriggerView>> = (ctx, query) =>
  pageOfTable(
    ctx,
    triggers,
    query,
    (id, row) => triggerOf(ctx, id, row),
    (value, row) => row.instructionBytes + metadataBytes(ctx.reader, { kind: 'trigger', value }),
  )

const triggerQuery: QueryRun<ByIdQuery, views.TriggerView> = async (ctx, { id }) => {
  const row = ctx.reader.get(triggers, id)
  return row === undefined ? undefined : triggerOf(ctx, id, row)
}

export const triggerLedger = defineLedger(triggerSchema, {
  tables: [...TRIGGER_TABLES],
  execute,
  queries: { triggers: triggersQuery, trigger: triggerQuery },
  permissions: Object.values(TRIGGER_PERMISSIONS),
  rules: Object.values(TRIGGER_RULES),
  policies: { triggerAuthority: rightOfTrigger },
})
