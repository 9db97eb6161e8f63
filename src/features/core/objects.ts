/** Owns the registration of domains and accounts (design/ledger-lanes.md 1, rows 5 and 7). */
import { accounts } from '../../executor/accounts.js'
import { type InstructionDef, reject } from '../../executor/contract.js'
import { countDomain, dataspacesAt, UNIVERSAL_DATASPACE } from '../../lanes/index.js'
import { PERMISSIONS, requirePermission } from './permissions.js'
import { accountCreated, domainCreated } from './schema/events.js'
import type { RegisterAccount, RegisterDomain } from './schema/instructions.js'
import * as schema from './schema/instructions.js'
import { aliases, domains } from './tables.js'

export const registerDomain: InstructionDef<RegisterDomain> = {
  ...schema.registerDomain,
  cost: () => 200,
  primaryDomain: (value) => value.id,
  execute(ctx, value) {
    const denied = requirePermission(ctx, 'registering a domain', undefined, [PERMISSIONS.CanRegisterDomain, undefined])
    if (denied) return denied
    if (ctx.get(domains, value.id) !== undefined) return reject('exists', `domain ${value.id} exists`)
    const dataspace = value.dataspace ?? UNIVERSAL_DATASPACE
    if (!dataspacesAt(ctx, ctx.env.height).some((one) => one.id === dataspace)) {
      return reject('absent', `there is no dataspace ${dataspace}`)
    }
    countDomain(ctx, dataspace, 1)
    const { metadata } = value
    ctx.set(domains, value.id, { owner: ctx.authority, dataspace, metadata, incarnation: ctx.incarnation() })
    ctx.emit({ kind: domainCreated.kind, value: { domain: value.id, owner: ctx.authority } })
    return undefined
  },
}

export const registerAccount: InstructionDef<RegisterAccount> = {
  ...schema.registerAccount,
  cost: () => 200,
  primaryDomain: (value) => value.domain,
  execute(ctx, value) {
    const home = ctx.get(domains, value.domain)
    if (home === undefined) return reject('absent', `domain ${value.domain} does not exist`)
    const denied = requirePermission(ctx, 'registering an account', home.owner, [
      PERMISSIONS.CanRegisterAccount,
      value.domain,
    ])
    if (denied) return denied
    if (ctx.get(accounts, value.id) !== undefined) return reject('exists', 'the account is registered')
    if (value.label !== undefined) {
      const alias = { domain: value.domain, label: value.label }
      if (ctx.get(aliases, alias) !== undefined) return reject('bad_label', `${value.label}@${value.domain} is taken`)
      ctx.set(aliases, alias, value.id)
    }
    ctx.set(accounts, value.id, {
      domain: value.domain,
      label: value.label,
      metadata: value.metadata,
      incarnation: ctx.incarnation(),
      watchers: 0,
    })
    ctx.emit({ kind: accountCreated.kind, value: { account: value.id, domain: value.domain } })
    return undefined
  },
}
