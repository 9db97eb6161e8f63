/** Owns granting and revoking of permission tokens (design/ledger-lanes.md 1, rows 23 and 24). */
import { accounts } from '../../executor/accounts.js'
import {
  type ExecContext,
  type InstructionDef,
  type PermissionDef,
  type Rejection,
  reject,
} from '../../executor/contract.js'
import { TOKENS_MAX, type Token, tokenKey } from '../../model/index.js'
import { holds, tokenFor } from './permissions.js'
import { permissionAdded, permissionRemoved } from './schema/events.js'
import type { GrantOrRevoke } from './schema/instructions.js'
import * as schema from './schema/instructions.js'
import { holders, tokens } from './tables.js'

interface Resolved {
  readonly def: PermissionDef
  readonly token: Token
  readonly held: readonly Token[]
}

/** The token, its definition and what the account holds; or why the authority may not touch it. */
function resolve(ctx: ExecContext, value: GrantOrRevoke): Resolved | Rejection {
  const { name: wanted, object } = value.subject.value
  const def = ctx.abi.permissions.get(wanted)
  if (def === undefined) return reject('unknown_permission', `there is no permission ${wanted}`)
  if ((def.object === 'none') !== (object === undefined)) {
    return reject(
      'unknown_permission',
      def.object === 'none' ? `${wanted} has no object` : `${wanted} needs a ${def.object}`,
    )
  }
  if (ctx.get(accounts, value.to.value) === undefined) return reject('unknown_account', 'the account is not registered')
  const token = tokenFor(ctx, def, object)
  if (token === undefined) return reject('absent', `the ${def.object} ${object} does not exist`)
  const held = ctx.get(tokens, value.to.value) ?? []
  if (ctx.env.genesis) return { def, token, held }
  const allowed = mayGrant(ctx, def, token)
  if (!allowed) {
    const who = def.object === 'none' ? 'a holder' : (def.grantedBy ?? 'the owner of its object')
    return reject('not_permitted', `${wanted} is granted and revoked by ${who}`)
  }
  return { def, token, held }
}

/** Global tokens by a holder, those of objects by their owner, those of objects without owner by who manages them all. */
function mayGrant(ctx: ExecContext, def: PermissionDef, token: Token): boolean {
  if (def.object === 'none') return holds(ctx, ctx.authority, token)
  if (def.grantedBy === undefined) return def.grantor(ctx, token.object) === ctx.authority
  return holds(ctx, ctx.authority, { name: def.grantedBy, object: undefined, incarnation: undefined })
}

export const grant: InstructionDef<GrantOrRevoke> = {
  ...schema.grant,
  cost: () => 96,
  execute(ctx, value) {
    const resolved = resolve(ctx, value)
    if ('code' in resolved) return resolved
    const { def, token, held } = resolved
    const account = value.to.value
    const key = tokenKey(token)
    if (held.some((one) => tokenKey(one) === key)) return reject('exists', 'the account holds this permission')
    // Tokens of deleted objects are dead; they make room here, so that no scan ever prunes them.
    const alive = held.filter((one) => {
      const known = ctx.abi.permissions.get(one.name)
      const now = known === undefined ? undefined : tokenFor(ctx, known, one.object)
      return now !== undefined && tokenKey(now) === tokenKey(one)
    })
    if (alive.length >= TOKENS_MAX)
      return reject('too_many_tokens', `an account holds at most ${TOKENS_MAX} permissions`)
    ctx.set(tokens, account, [...alive, token])
    if (def.object === 'none') ctx.set(holders, def.name, (ctx.get(holders, def.name) ?? 0) + 1)
    ctx.emit({ kind: permissionAdded.kind, value: { account, token } })
    return undefined
  },
}

export const revoke: InstructionDef<GrantOrRevoke> = {
  ...schema.revoke,
  cost: () => 96,
  execute(ctx, value) {
    const resolved = resolve(ctx, value)
    if ('code' in resolved) return resolved
    const { def, token, held } = resolved
    const account = value.to.value
    const key = tokenKey(token)
    const rest = held.filter((one) => tokenKey(one) !== key)
    if (rest.length === held.length) return reject('absent', 'the account does not hold this permission')
    if (def.object === 'none') {
      const count = ctx.get(holders, def.name) ?? 1
      if (count <= 1) return reject('last_holder', `nobody else holds ${def.name}`)
      ctx.set(holders, def.name, count - 1)
    }
    if (rest.length === 0) ctx.delete(tokens, account)
    else ctx.set(tokens, account, rest)
    ctx.emit({ kind: permissionRemoved.kind, value: { account, token } })
    return undefined
  },
}
