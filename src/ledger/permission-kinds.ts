/** Owns the kinds of permissions: what their object is, who grants them, and how long a token of one holds. */

import { accounts } from '../executor/accounts.js'
import type { Permission } from '../executor/contract.js'
import { triggers } from '../executor/triggers/tables.js'
import {
  type AccountId,
  type AssetId,
  accountIdFault,
  assetDefinitionFault,
  domainOfNft,
  isEarlier,
  keyBytes,
  keyString,
  nameFault,
  nftFault,
} from '../model/index.js'
import { definitions, domains, nfts } from './tables.js'

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

export const global = (name: string): Permission => ({
  name,
  object: 'none',
  grantor: () => undefined,
  incarnation: () => undefined,
})

/** A global permission that no genesis could grant: while nobody holds it, who manages upgrades does. */
export const newGlobal = (name: string): Permission => ({ ...global(name), firstGrantedBy: 'CanManageRuntimeUpgrades' })

export const onDomain = (name: string): Permission => ({
  name,
  object: 'domain',
  isObject: isNameObject,
  grantor: (state, object) => state.get(domains, object ?? '')?.owner,
  incarnation: (state, object) => state.get(domains, object ?? '')?.incarnation,
})

export const onAccount = (name: string): Permission => ({
  name,
  object: 'account',
  isObject: isAccountObject,
  grantor: (_state, object) => (object === undefined ? undefined : accountOfObject(object)),
  incarnation: (state, object) => state.get(accounts, accountOfObject(object ?? ''))?.incarnation,
})

export const onDefinition = (name: string): Permission => ({
  name,
  object: 'definition',
  isObject: isDefinitionObject,
  grantor: (state, object) => state.get(definitions, object ?? '')?.owner,
  incarnation: (state, object) => state.get(definitions, object ?? '')?.incarnation,
})

/** On one balance. Minting and burning are the definition owner's to grant: a holder must not license its own minting. */
export const onAsset = (name: string, granted: 'holder' | 'definitionOwner'): Permission => ({
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
    return isEarlier(definition, holder) ? holder : definition
  },
})

/**
 * On one NFT: its owner lets others pass it on, the owner of its domain lets others change its content. What an owner
 * granted is as old as its holding: whoever gets the NFT gets it free of it.
 */
export const onNft = (name: string, granted: 'owner' | 'domainOwner'): Permission => ({
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

export const onTrigger = (name: string): Permission => ({
  name,
  object: 'trigger',
  isObject: isNameObject,
  grantor: (state, object) => state.get(triggers, object ?? '')?.authority,
  incarnation: (state, object) => state.get(triggers, object ?? '')?.incarnation,
})
