/** Owns the tables of objects that several features read: domains, definitions, balances, aliases, permissions, controls. */
import {
  bool,
  type Infer,
  list,
  type Numeric,
  numeric,
  option,
  string,
  struct,
  u8,
  varint,
  varintBig,
} from '../codec/index.js'
import {
  type AccountId,
  type AssetId,
  accountId,
  aliasKey,
  assetDefinitionId,
  assetId,
  controlLimits,
  controlWindow,
  domainId,
  incarnation,
  name,
  nftId,
  ROLE_MANAGERS_MAX,
  ROLES_MAX,
  storedMintable,
  TOKENS_MAX,
  type Token,
  token,
} from '../model/index.js'
import type { TableDef } from '../state/index.js'
import { KERNEL_TABLES } from './ids.js'

export interface Domain extends Infer<typeof domain> {}
export const domain = struct('Domain', {
  owner: accountId,
  /** Immutable, since routes depend on it. */
  dataspace: varintBig,
  incarnation,
})
export const domains: TableDef<string, Domain> = {
  id: KERNEL_TABLES.domains,
  name: 'domains',
  bound: { holds: 'one domain', filledBy: 'RegisterDomain', atBound: 'leaves with UnregisterDomain' },
  key: domainId,
  value: domain,
}

export interface Definition extends Infer<typeof definition> {}
export const definition = struct('Definition', {
  owner: accountId,
  /** Maximum fraction digits of amounts; 28 if undefined. */
  scale: option(u8),
  mintable: storedMintable,
  total: numeric,
  incarnation,
})
export const definitions: TableDef<string, Definition> = {
  id: KERNEL_TABLES.definitions,
  name: 'definitions',
  bound: {
    holds: 'one definition',
    filledBy: 'RegisterAssetDefinition',
    atBound: 'leaves with UnregisterAssetDefinition',
  },
  key: assetDefinitionId,
  value: definition,
}

/** Balances; a balance of zero has no row. */
export const balances: TableDef<AssetId, Numeric> = {
  id: KERNEL_TABLES.balances,
  name: 'balances',
  bound: { holds: 'an amount of 512 bits', filledBy: 'Mint, transfers', atBound: '`overflow`; leaves at zero' },
  key: assetId,
  value: numeric,
}

export interface Alias extends Infer<typeof aliasKey> {}
export const aliases: TableDef<Alias, AccountId> = {
  id: KERNEL_TABLES.aliases,
  name: 'aliases',
  bound: { holds: 'an account', filledBy: 'RegisterAccount, SetLabel', atBound: 'leaves with its account or label' },
  key: aliasKey,
  value: accountId,
}

/** Tokens that an account holds. */
export const tokens: TableDef<AccountId, readonly Token[]> = {
  id: KERNEL_TABLES.tokens,
  name: 'tokens',
  bound: { holds: '64 permissions', filledBy: 'Grant', atBound: '`too_many_tokens`' },
  key: accountId,
  value: list(token, TOKENS_MAX),
}

/**
 * Holders of each global permission, directly or through a role, with each way counted; the last holder cannot lose it.
 */
export const holders: TableDef<string, number> = {
  id: KERNEL_TABLES.holders,
  name: 'holders',
  bound: { holds: 'a count', filledBy: 'Grant, Revoke', atBound: 'one row for each global permission' },
  key: string(128),
  value: varint,
}

/** NFT and its owner; its content is its metadata, which only the owner of its domain changes. */
export interface Nft extends Infer<typeof nft_> {}
const nft_ = struct('Nft', {
  owner: accountId,
  incarnation,
  /** Incarnation of the ownership: grants of an owner end when the NFT changes hands. */
  held: incarnation,
})
export const nfts: TableDef<string, Nft> = {
  id: KERNEL_TABLES.nfts,
  name: 'nfts',
  bound: { holds: 'one NFT', filledBy: 'RegisterNft', atBound: 'leaves with UnregisterNft' },
  key: nftId,
  value: nft_,
}

/** Number of members of a domain (members.ts); a domain with members cannot be removed. */
export const domainMembers: TableDef<string, number> = {
  id: KERNEL_TABLES.domainMembers,
  name: 'domain_members',
  bound: { holds: 'a count', filledBy: 'registrations in a domain', atBound: 'leaves at zero' },
  key: domainId,
  value: varint,
}

/** Manager of a role: the registration of an account, so that a removed account does not return as a manager. */
export interface RoleManager extends Infer<typeof roleManager> {}
const roleManager = struct('RoleManager', { account: accountId, incarnation })
/** Set of permissions that accounts hold together. */
export interface Role extends Infer<typeof role_> {}
const role_ = struct('Role', {
  tokens: list(token, TOKENS_MAX),
  /** Its managers are returned by `managersOf` in role-managers.ts. */
  managers: list(roleManager, ROLE_MANAGERS_MAX),
  /** Number of accounts that hold it. */
  members: varint,
})
export const roles: TableDef<string, Role> = {
  id: KERNEL_TABLES.roles,
  name: 'roles',
  bound: {
    holds: '64 permissions, 16 managers',
    filledBy: 'RegisterRole, Grant',
    atBound: '`too_many_tokens`; leaves with UnregisterRole',
  },
  key: name,
  value: role_,
}

/** Roles of an account. */
export const accountRoles: TableDef<AccountId, readonly string[]> = {
  id: KERNEL_TABLES.accountRoles,
  name: 'account_roles',
  bound: { holds: '16 roles', filledBy: 'Grant', atBound: '`too_many_roles`' },
  key: accountId,
  value: list(name, ROLES_MAX),
}

/** Freeze, blacklist and caps of one balance; a balance without any has no row. */
export interface Control extends Infer<typeof control_> {}
const usage_ = struct('ControlUsage', { window: controlWindow, bucket: varint, spent: numeric })
const control_ = struct('Control', {
  /** Incarnation of its definition; a control is ignored if the id was registered again. */
  incarnation,
  frozen: bool,
  blacklisted: bool,
  limits: controlLimits,
  /** Outgoing amount in the current window of each cap. */
  usage: list(usage_, 3),
})
export const controls: TableDef<AssetId, Control> = {
  id: KERNEL_TABLES.controls,
  name: 'controls',
  bound: {
    holds: '3 caps and their usage',
    filledBy: 'SetFreeze, SetBlacklist, SetLimits',
    atBound: 'removed without a freeze, blacklisting or cap',
  },
  key: assetId,
  value: control_,
}

/** Fees waiting for their beneficiaries, by definition; they are part of its total. */
export const feePools: TableDef<string, Numeric> = {
  id: KERNEL_TABLES.feePools,
  name: 'fee_pools',
  bound: { holds: 'an amount of 512 bits', filledBy: 'fees', atBound: 'the excess is burned' },
  key: assetDefinitionId,
  value: numeric,
}
