/** Owns permissions of the core: the names, who may grant them, and the one question that instructions ask. */

import { accounts } from '../../executor/accounts.js'
import { type ExecContext, type Permission, type Rejection, reject } from '../../executor/contract.js'
import { triggers } from '../../executor/triggers/tables.js'
import {
  type AccountId,
  type AssetId,
  accountIdFault,
  assetDefinitionFault,
  domainOfNft,
  hasToken,
  type Incarnation,
  keyBytes,
  keyString,
  nameFault,
  nftFault,
  type Token,
} from '../../model/index.js'
import type { StateReader } from '../../state/index.js'
import { accountRoles, definitions, domains, nfts, roles, tokens } from './tables.js'

/** Object text of an account in tokens: the hex of its id, independent of any prefix. */
export const accountObject = (account: AccountId): string => keyBytes(account).toString('hex')
/** Object text of a balance in tokens. */
export const assetObject = (asset: AssetId): string => `${asset.definition}#${accountObject(asset.account)}`

const accountOfObject = (object: string): AccountId => keyString(Buffer.from(object, 'hex'))

/** True for a name: a domain's or a trigger's. */
export const isNameObject = (text: string): boolean => nameFault(text) === undefined
/** True for the object text of an account, in lower case. */
export const isAccountObject = (text: string): boolean =>
  /^(?:[0-9a-f]{2})+$/.test(text) && accountIdFault(accountOfObject(text)) === undefined
const isDefinitionObject = (text: string): boolean => assetDefinitionFault(text) === undefined
const isNftObject = (text: string): boolean => nftFault(text) === undefined
function isAssetObject(text: string): boolean {
  const at = text.lastIndexOf('#')
  return at >= 0 && isDefinitionObject(text.slice(0, at)) && isAccountObject(text.slice(at + 1))
}

function splitAsset(object: string): AssetId | undefined {
  const at = object.lastIndexOf('#')
  return at < 0 ? undefined : { definition: object.slice(0, at), account: accountOfObject(object.slice(at + 1)) }
}

const global = (name: string): Permission => ({
  name,
  object: 'none',
  grantor: () => undefined,
  incarnation: () => undefined,
})

const onDomain = (name: string): Permission => ({
  name,
  object: 'domain',
  isObject: isNameObject,
  grantor: (state, object) => state.get(domains, object ?? '')?.owner,
  incarnation: (state, object) => state.get(domains, object ?? '')?.incarnation,
})

const onAccount = (name: string): Permission => ({
  name,
  object: 'account',
  isObject: isAccountObject,
  grantor: (_state, object) => (object === undefined ? undefined : accountOfObject(object)),
  incarnation: (state, object) => state.get(accounts, accountOfObject(object ?? ''))?.incarnation,
})

const onDefinition = (name: string): Permission => ({
  name,
  object: 'definition',
  isObject: isDefinitionObject,
  grantor: (state, object) => state.get(definitions, object ?? '')?.owner,
  incarnation: (state, object) => state.get(definitions, object ?? '')?.incarnation,
})

/** On one balance. Minting and burning are the definition owner's to grant: a holder must not license its own minting. */
const onAsset = (name: string, granted: 'holder' | 'definitionOwner'): Permission => ({
  name,
  object: 'asset',
  isObject: isAssetObject,
  grantor: (state, object) => {
    const asset = splitAsset(object ?? '')
    if (asset === undefined) return undefined
    return granted === 'holder' ? asset.account : state.get(definitions, asset.definition)?.owner
  },
  incarnation: (state, object) => {
    const asset = splitAsset(object ?? '')
    const holder = asset === undefined ? undefined : state.get(accounts, asset.account)?.incarnation
    const definition = asset === undefined ? undefined : state.get(definitions, asset.definition)?.incarnation
    if (holder === undefined || definition === undefined) return undefined
    // A balance is as old as the younger of the two: it ends with either.
    const isLater =
      holder.height > definition.height || (holder.height === definition.height && holder.index > definition.index)
    return isLater ? holder : definition
  },
})

/**
 * On one NFT: its owner lets others pass it on, the owner of its domain lets others change its content. What an owner
 * granted is as old as its holding: whoever gets the NFT gets it free of it.
 */
const onNft = (name: string, granted: 'owner' | 'domainOwner'): Permission => ({
  name,
  object: 'nft',
  isObject: isNftObject,
  grantor: (state, object = '') =>
    granted === 'owner' ? state.get(nfts, object)?.owner : state.get(domains, domainOfNft(object))?.owner,
  incarnation: (state, object) => {
    const row = state.get(nfts, object ?? '')
    return granted === 'owner' ? row?.held : row?.incarnation
  },
})

const onTrigger = (name: string): Permission => ({
  name,
  object: 'trigger',
  isObject: isNameObject,
  grantor: (state, object) => state.get(triggers, object ?? '')?.authority,
  incarnation: (state, object) => state.get(triggers, object ?? '')?.incarnation,
})

export const PERMISSIONS = {
  CanManagePeers: global('CanManagePeers'),
  CanManageConsensusKeys: global('CanManageConsensusKeys'),
  CanRegisterDomain: global('CanRegisterDomain'),
  CanSetParameters: global('CanSetParameters'),
  CanManageRoles: global('CanManageRoles'),
  CanManageRuntimeUpgrades: global('CanManageRuntimeUpgrades'),
  CanWatchEvents: global('CanWatchEvents'),
  CanUnregisterDomain: onDomain('CanUnregisterDomain'),
  CanRegisterNft: onDomain('CanRegisterNft'),
  CanRegisterAccount: onDomain('CanRegisterAccount'),
  CanRegisterAssetDefinition: onDomain('CanRegisterAssetDefinition'),
  CanModifyDomainMetadata: onDomain('CanModifyDomainMetadata'),
  CanModifyAccountMetadata: onAccount('CanModifyAccountMetadata'),
  CanModifyDefinitionMetadata: onDefinition('CanModifyDefinitionMetadata'),
  CanMint: onDefinition('CanMint'),
  CanBurn: onDefinition('CanBurn'),
  CanTransfer: onDefinition('CanTransfer'),
  CanControl: onDefinition('CanControl'),
  CanMintAsset: onAsset('CanMintAsset', 'definitionOwner'),
  CanBurnAsset: onAsset('CanBurnAsset', 'definitionOwner'),
  CanTransferAsset: onAsset('CanTransferAsset', 'holder'),
  CanTransferNft: onNft('CanTransferNft', 'owner'),
  CanModifyNftMetadata: onNft('CanModifyNftMetadata', 'domainOwner'),
  CanRegisterTrigger: onAccount('CanRegisterTrigger'),
  CanManageTrigger: onTrigger('CanManageTrigger'),
  CanExecuteTrigger: onTrigger('CanExecuteTrigger'),
  CanModifyTriggerMetadata: onTrigger('CanModifyTriggerMetadata'),
} as const satisfies Record<string, Permission>

/** Token of a permission on an object as it stands now; undefined when the object is absent, or the text names none. */
export function tokenFor(state: StateReader, def: Permission, object: string | undefined): Token | undefined {
  if (def.object === 'none') return { name: def.name, object: undefined, incarnation: undefined }
  // Tables refuse keys that are no ids, so a text of a client is judged before anything is looked up by it.
  if (object === undefined || def.isObject?.(object) !== true) return undefined
  const incarnation: Incarnation | undefined = def.incarnation(state, object)
  return incarnation === undefined ? undefined : { name: def.name, object, incarnation }
}

/** True when the account holds the token, directly or by a role. */
export function holds(state: StateReader, account: AccountId, token: Token | undefined): boolean {
  if (token === undefined) return false
  const isIn = (held: readonly Token[] = []): boolean => hasToken(held, token)
  if (isIn(state.get(tokens, account))) return true
  return (state.get(accountRoles, account) ?? []).some((role) => isIn(state.get(roles, role)?.tokens))
}

/**
 * Deny by default: allowed in genesis, to the owner, or to a holder of one of the tokens (design/ledger-lanes.md 1).
 * Tokens are looked up lazily, so the owner's path reads nothing.
 */
export function requirePermission(
  ctx: ExecContext,
  what: string,
  owner: AccountId | undefined,
  ...wanted: readonly (readonly [def: Permission, object: string | undefined])[]
): Rejection | undefined {
  if (ctx.env.genesis || (owner !== undefined && owner === ctx.authority)) return undefined
  for (const [def, object] of wanted) if (holds(ctx, ctx.authority, tokenFor(ctx, def, object))) return undefined
  const names = wanted.map(([def]) => def.name).join(' or ')
  return reject('not_permitted', `${what} needs ${owner === undefined ? '' : 'the owner or '}${names}`)
}
