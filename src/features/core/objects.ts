/** Owns the registration of peers, domains and accounts (design/ledger-lanes.md 1, rows 1, 5 and 7). */
import { option, type Schema, struct } from '../../codec/index.js'
import { faultBudget } from '../../consensus/index.js'
import { verifyPop } from '../../crypto/bls-pop.js'
import { accounts } from '../../executor/accounts.js'
import { type InstructionDef, reject } from '../../executor/contract.js'
import { addPeer, rosterOf } from '../../executor/membership.js'
import { peers } from '../../executor/tables.js'
import {
  type AccountId,
  accountId,
  domainId,
  keyBytes,
  type Metadata,
  metadata,
  name,
  type Peer,
  peer,
} from '../../model/index.js'
import { CORE_INSTRUCTIONS } from '../ids.js'
import { accountCreated, domainCreated, peerAdded } from './events.js'
import { PERMISSIONS, requirePermission } from './permissions.js'
import { aliases, domains } from './tables.js'

export const registerPeer: InstructionDef<Peer> = {
  id: CORE_INSTRUCTIONS.registerPeer,
  kind: 'registerPeer',
  label: 'peer::register',
  schema: peer,
  cost: () => 400,
  execute(ctx, value) {
    const denied = requirePermission(ctx, 'registering a peer', undefined, [PERMISSIONS.CanManagePeers, undefined])
    if (denied) return denied
    if (ctx.get(peers, value.key) !== undefined) return reject('key_reused', 'a peer with this key is registered')
    if (!verifyPop(keyBytes(value.key), value.pop)) {
      return reject('bad_proof_of_possession', 'the proof of possession is not of this key')
    }
    const roster = rosterOf(ctx).length
    const joining = ctx.env.genesis || value.role === 'observer' ? 0 : 1
    if (joining > Math.max(1, faultBudget(roster)))
      return reject('membership_cap', 'too many members change in one block')
    addPeer(ctx, value)
    ctx.emit({ kind: peerAdded.kind, value: { peer: value.key } })
    return undefined
  },
}

export interface RegisterDomain {
  readonly id: string
  readonly metadata: Metadata
}
const registerDomainSchema_ = struct('RegisterDomain', { id: domainId, metadata })
const registerDomainSchema: Schema<RegisterDomain> = registerDomainSchema_

export const registerDomain: InstructionDef<RegisterDomain> = {
  id: CORE_INSTRUCTIONS.registerDomain,
  kind: 'registerDomain',
  label: 'domain::register',
  schema: registerDomainSchema,
  cost: () => 200,
  execute(ctx, value) {
    const denied = requirePermission(ctx, 'registering a domain', undefined, [PERMISSIONS.CanRegisterDomain, undefined])
    if (denied) return denied
    if (ctx.get(domains, value.id) !== undefined) return reject('exists', `domain ${value.id} exists`)
    ctx.set(domains, value.id, { owner: ctx.authority, metadata: value.metadata, incarnation: ctx.incarnation() })
    ctx.emit({ kind: domainCreated.kind, value: { domain: value.id, owner: ctx.authority } })
    return undefined
  },
}

export interface RegisterAccount {
  readonly id: AccountId
  readonly domain: string
  readonly label: string | undefined
  readonly metadata: Metadata
}
const registerAccountSchema_ = struct('RegisterAccount', {
  id: accountId,
  domain: domainId,
  label: option(name),
  metadata,
})
const registerAccountSchema: Schema<RegisterAccount> = registerAccountSchema_

export const registerAccount: InstructionDef<RegisterAccount> = {
  id: CORE_INSTRUCTIONS.registerAccount,
  kind: 'registerAccount',
  label: 'account::register',
  schema: registerAccountSchema,
  cost: () => 200,
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
    })
    ctx.emit({ kind: accountCreated.kind, value: { account: value.id, domain: value.domain } })
    return undefined
  },
}
