/** Owns the life cycle of contracts: deployment, alias binding, replacement with state takeover, deactivation. */

import { hash } from '../../../crypto/index.js'
import { type Account, accounts } from '../../../executor/accounts.js'
import { type ExecContext, type Rejection, reject } from '../../../executor/contract.js'
import type { Executions } from '../../../executor/feature.js'
import { claimLabel, createAccount, registrationFault, releaseLabel } from '../../../ledger/accounts.js'
import { requirePermission } from '../../../ledger/permissions.js'
import { aliases, domains } from '../../../ledger/tables.js'
import { type AccountId, keyBytes, keylessAccount, NO_METADATA, parseAlias } from '../../../model/index.js'
import { CONTRACT_ABI_HASH } from '../schema/abi.js'
import { events } from '../schema/events.js'
import type * as schema from '../schema/instructions.js'
import type { instructions } from '../schema/instructions.js'
import type { Artifact, Instance } from '../schema/records.js'
import { CONTRACT_PERMISSIONS, deployFault } from './artifacts.js'
import { callFromOutside, emitCall, gasWork, perGas, perStoredGas } from './call-instruction.js'
import { artifacts, instances, lines, manifests, nonces } from './tables.js'

interface AliasParts {
  readonly domain: string
  readonly label: string
}
const NO_ALIAS: AliasParts = { domain: '', label: '' }
/** Parts of an alias that its schema accepted. */
const partsOf = (alias: string): AliasParts => parseAlias(alias) ?? NO_ALIAS

/** Reason why the authority may not bind aliases of a domain. */
function aliasFault(ctx: ExecContext, domain: string): Rejection | undefined {
  const home = ctx.get(domains, domain)
  if (home === undefined) return reject('absent', `domain ${domain} does not exist`)
  const right = [CONTRACT_PERMISSIONS.CanManageContractAlias, domain] as const
  return requirePermission(ctx, 'binding the alias of a contract', home.owner, right)
}

/** Reason why an artifact may not be deployed in a domain, with or without an alias. */
const gateFault = (ctx: ExecContext, domain: string, label: string, digest: Uint8Array): Rejection | undefined =>
  ctx.abi.policies.namespaceGate?.(ctx, { kind: 'contract', domain, name: label, digest, abiHash: CONTRACT_ABI_HASH })

/** Current contract of an alias, with the account that has the alias. */
export function aliasTarget(ctx: Pick<ExecContext, 'get'>, alias: AliasParts) {
  const account = ctx.get(aliases, alias)
  const line = account === undefined ? undefined : ctx.get(lines, account)
  return account === undefined ? undefined : { account, active: line?.active, isContract: line !== undefined }
}

/** Remove the alias from its current contract. An account of another kind keeps it. */
function unbind(ctx: ExecContext, alias: AliasParts): Rejection | undefined {
  const target = aliasTarget(ctx, alias)
  if (target === undefined) return undefined
  if (!target.isContract) return reject('bad_label', `${alias.label}@${alias.domain} does not belong to a contract`)
  const row = ctx.get(accounts, target.account)
  if (row === undefined) throw new Error('the account of a contract is missing')
  const refused = releaseLabel(ctx, target.account, alias.domain, alias.label)
  if (refused === undefined) ctx.set(accounts, target.account, { ...row, label: undefined })
  return refused
}

/**
 * Bind the alias to the account of a contract whose home is the domain of the alias; the previous contract loses it.
 */
function bind(ctx: ExecContext, alias: string, storageId: AccountId, address: AccountId): Rejection | undefined {
  const parts = partsOf(alias)
  const row = ctx.get(accounts, storageId)
  if (row === undefined) throw new Error('the account of a contract is missing')
  if (row.domain !== parts.domain) return reject('bad_label', `the domain of the contract is ${row.domain}`)
  if (row.label !== parts.label) {
    const refused =
      unbind(ctx, parts) ??
      releaseLabel(ctx, storageId, row.domain, row.label) ??
      claimLabel(ctx, storageId, parts.domain, parts.label)
    if (refused) return refused
    const changed: Account = { ...row, label: parts.label }
    ctx.set(accounts, storageId, changed)
  }
  ctx.emit(events.contractAliasBound, { alias, address })
  return undefined
}

/** New address: the deployer's next one, in the dataspace of its domain. */
function nextAddress(ctx: ExecContext, dataspace: bigint): AccountId {
  const nonce = ctx.get(nonces, ctx.authority) ?? 0n
  ctx.set(nonces, ctx.authority, nonce + 1n)
  const numbers = Buffer.alloc(16)
  numbers.writeBigUInt64BE(nonce)
  numbers.writeBigUInt64BE(dataspace, 8)
  return keylessAccount(
    'contract',
    hash('contract:address', Buffer.from(ctx.env.chain, 'utf8'), keyBytes(ctx.authority), numbers),
  )
}

/** Count the contracts that run an artifact. */
function countRef(ctx: ExecContext, key: Uint8Array, row: Artifact, by: 1 | -1): void {
  ctx.set(artifacts, key, { ...row, refs: row.refs + by })
}

/** Deactivate a contract; its state and its account stay. */
function deactivate(ctx: ExecContext, address: AccountId, instance: Instance): void {
  ctx.set(instances, address, { ...instance, status: 'inactive' })
  const row = ctx.get(artifacts, instance.artifact)
  if (row === undefined) throw new Error('a contract has no artifact')
  countRef(ctx, instance.artifact, row, -1)
}

/** Contract with the alias, if a new contract of the authority can take over its state. */
function predecessor(
  ctx: ExecContext,
  alias: string | undefined,
): { address: AccountId; instance: Instance } | Rejection {
  const address = alias === undefined ? undefined : aliasTarget(ctx, partsOf(alias))?.active
  const instance = address === undefined ? undefined : ctx.get(instances, address)
  if (address === undefined || instance === undefined) {
    return reject('contract_not_upgradable', 'no active contract has the alias')
  }
  if (instance.owner !== ctx.authority) return reject('contract_not_owner', 'the contract has another owner')
  return ctx.get(manifests, instance.artifact)?.upgradable === true
    ? { address, instance }
    : reject('contract_not_upgradable', 'its manifest does not allow it')
}

/** Home of a new contract, or the reason why the authority may not deploy there. */
function homeOf(ctx: ExecContext, { domain, alias }: schema.DeployContract): string | Rejection {
  if (alias !== undefined) {
    const home = partsOf(alias).domain
    if (domain !== undefined && domain !== home) return reject('bad_label', 'the alias belongs to another domain')
    return aliasFault(ctx, home) ?? home
  }
  const own = ctx.get(accounts, ctx.authority)?.domain
  const home = domain ?? own
  if (home === undefined) return reject('absent', 'the deployer has no domain')
  if (!ctx.has(domains, home)) return reject('absent', `domain ${home} does not exist`)
  return home === own ? home : (registrationFault(ctx, home) ?? home)
}

/** Run the initial entrypoint of a manifest; without one the gas is refunded, and input is not allowed. */
function begin(
  ctx: ExecContext,
  { artifact, input, gasLimit }: schema.DeployContract,
  address: AccountId,
  kind: 'init' | 'upgrade',
): Rejection | undefined {
  const entry = ctx.get(manifests, artifact)?.entrypoints.find((one) => one.kind === kind)
  if (entry === undefined) {
    ctx.giveBack(perGas.count({ gasLimit }))
    return input.length === 0
      ? undefined
      : reject('contract_invalid', `the manifest has no ${kind} that accepts an input`)
  }
  const called = callFromOutside(ctx, { address, entrypoint: entry.name, input, gasLimit, attach: [] }, [kind])
  if ('code' in called) return called
  emitCall(ctx, address, entry.name, called.gasUsed)
  return undefined
}

/** Active contract of an address, if the authority owns it. */
function owned(ctx: ExecContext, address: AccountId): Instance | Rejection {
  const instance = ctx.get(instances, address)
  if (instance === undefined) return reject('contract_not_found', 'the contract does not exist')
  return instance.owner === ctx.authority
    ? instance
    : reject('contract_not_owner', 'only the owner of the contract can do this')
}

export const execute = {
  deployContract: {
    cost: { base: 600, per: [perGas, perStoredGas] },
    work: gasWork,
    primaryDomain: ({ domain, alias }) => domain ?? (alias === undefined ? undefined : partsOf(alias).domain),
    execute(ctx, value) {
      const denied = deployFault(ctx, 'deploying a contract')
      if (denied) return denied
      const artifact = ctx.get(artifacts, value.artifact)
      if (artifact === undefined) return reject('contract_not_found', 'the artifact does not exist')
      const home = homeOf(ctx, value)
      if (typeof home !== 'string') return home
      const label = value.alias === undefined ? '' : partsOf(value.alias).label
      const unapproved = gateFault(ctx, home, label, value.artifact)
      if (unapproved) return unapproved
      const before = value.inherit ? predecessor(ctx, value.alias) : undefined
      if (before !== undefined && 'code' in before) return before
      const dataspace = ctx.get(domains, home)?.dataspace ?? 0n
      const address = nextAddress(ctx, dataspace)
      const storageId = before?.instance.storageId ?? address
      if (before === undefined) {
        const refused = createAccount(ctx, { id: address, domain: home, label: undefined, metadata: NO_METADATA })
        if (refused) return refused
        ctx.set(lines, storageId, { active: address, keys: 0, bytes: 0 })
      } else {
        deactivate(ctx, before.address, before.instance)
        const line = ctx.get(lines, storageId)
        if (line === undefined) throw new Error('a contract has no line')
        ctx.set(lines, storageId, { ...line, active: address })
      }
      const owner = ctx.authority
      const deployedHeight = ctx.env.height
      ctx.set(instances, address, {
        artifact: value.artifact,
        storageId,
        owner,
        domain: home,
        dataspace,
        status: 'active',
        deployedHeight,
      })
      // Read again: the previous contract may have run the same artifact.
      countRef(ctx, value.artifact, ctx.get(artifacts, value.artifact) ?? artifact, 1)
      const unbound = value.alias === undefined ? undefined : bind(ctx, value.alias, storageId, address)
      if (unbound) return unbound
      const deployed = { address, artifact: value.artifact, storageId, owner, previous: before?.address }
      ctx.emit(events.contractDeployed, deployed)
      return begin(ctx, value, address, before === undefined ? 'init' : 'upgrade')
    },
  },

  deactivateContract: {
    cost: { base: 150 },
    execute(ctx, { address, reason }) {
      const instance = owned(ctx, address)
      if ('code' in instance) return instance
      if (instance.status !== 'active') return reject('contract_not_found', 'the contract is not active')
      deactivate(ctx, address, instance)
      const line = ctx.get(lines, instance.storageId)
      if (line === undefined) throw new Error('a contract has no line')
      ctx.set(lines, instance.storageId, { ...line, active: undefined })
      ctx.emit(events.contractDeactivated, { address, reason })
      return undefined
    },
  },

  bindContractAlias: {
    cost: { base: 200 },
    primaryDomain: ({ alias }) => partsOf(alias).domain,
    execute(ctx, { alias, address }) {
      const { domain, label } = partsOf(alias)
      const denied = aliasFault(ctx, domain)
      if (denied) return denied
      const instance = ctx.get(instances, address)
      if (instance?.status !== 'active') return reject('contract_not_found', 'no active contract with this address')
      const unapproved = gateFault(ctx, domain, label, instance.artifact)
      if (unapproved) return unapproved
      return bind(ctx, alias, instance.storageId, address)
    },
  },

  releaseContractAlias: {
    cost: { base: 150 },
    primaryDomain: ({ alias }) => partsOf(alias).domain,
    execute(ctx, { alias }) {
      const parts = partsOf(alias)
      const denied = aliasFault(ctx, parts.domain)
      if (denied) return denied
      const target = aliasTarget(ctx, parts)
      if (target === undefined) return reject('contract_not_found', `no contract has the alias ${alias}`)
      const refused = unbind(ctx, parts)
      if (refused) return refused
      const address = target.active ?? target.account
      ctx.emit(events.contractAliasReleased, { alias, address })
      return undefined
    },
  },
} satisfies Partial<Executions<typeof instructions>>
