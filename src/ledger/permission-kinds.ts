/** Owns the object kinds of permissions shared by several features, and the declaration of a permission on one. */

import { accounts } from '../executor/accounts.js'
import type { ObjectKind, Permission } from '../executor/permission.js'
import { triggers } from '../executor/triggers/tables.js'
import { latestDataspace } from '../lanes/index.js'
import {
  type AccountId,
  accountIdFault,
  assetDefinitionFault,
  domainOfNft,
  keyBytes,
  keyString,
  nameFault,
  nftFault,
} from '../model/index.js'
import { definitions, domains, nfts } from './tables.js'

/** Object text of an account in tokens: the hex of its id, independent of any prefix. */
export const accountObject = (account: AccountId): string => keyBytes(account).toString('hex')
/** Account of an object text accepted by `accountKind`. */
export const accountOfObject = (object: string): AccountId => keyString(Buffer.from(object, 'hex'))

const isName = (text: string): boolean => nameFault(text) === undefined

const domainKind: ObjectKind = {
  name: 'domain',
  isId: isName,
  owner: (state, id) => state.get(domains, id)?.owner,
  incarnation: (state, id) => state.get(domains, id)?.incarnation,
}

export const accountKind: ObjectKind = {
  name: 'account',
  isId: (text) => /^(?:[0-9a-f]{2})+$/.test(text) && accountIdFault(accountOfObject(text)) === undefined,
  owner: (_state, id) => accountOfObject(id),
  incarnation: (state, id) => state.get(accounts, accountOfObject(id))?.incarnation,
}

export const definitionKind: ObjectKind = {
  name: 'definition',
  isId: (text) => assetDefinitionFault(text) === undefined,
  owner: (state, id) => state.get(definitions, id)?.owner,
  incarnation: (state, id) => state.get(definitions, id)?.incarnation,
}

/** NFT as an object of its owner: grants of an earlier owner end when it changes hands. */
const heldNftKind: ObjectKind = {
  name: 'nft',
  isId: (text) => nftFault(text) === undefined,
  owner: (state, id) => state.get(nfts, id)?.owner,
  incarnation: (state, id) => state.get(nfts, id)?.held,
}

/** NFT as an object of the domain owner who registered it. */
const registeredNftKind: ObjectKind = {
  ...heldNftKind,
  owner: (state, id) => state.get(domains, domainOfNft(id))?.owner,
  incarnation: (state, id) => state.get(nfts, id)?.incarnation,
}

const triggerKind: ObjectKind = {
  name: 'trigger',
  isId: isName,
  owner: (state, id) => state.get(triggers, id)?.authority,
  incarnation: (state, id) => state.get(triggers, id)?.incarnation,
}

/** Objects with decimal ids without leading zeros. They have no owner. */
export const numbered = { isId: (text: string) => /^(?:0|[1-9][0-9]*)$/.test(text), owner: () => undefined }

const dataspaceKind: ObjectKind = {
  ...numbered,
  name: 'dataspace',
  incarnation: (state, id) => latestDataspace(state, BigInt(id))?.incarnation,
}

/** Permission whose holders grant permissions on lanes and dataspaces. */
export const LANES_MANAGER = 'CanManageLanes'

export const global = (name: string): Permission => ({ name })

/** Global permission added after genesis; while it has no holder, managers of upgrades have it. */
export const newGlobal = (name: string): Permission => ({ name, firstGrantedBy: 'CanManageRuntimeUpgrades' })

/** Permission of the governance account over tracks, proposals and their decisions. */
export const CAN_MANAGE_GOVERNANCE = newGlobal('CanManageGovernance')

export const onDomain = (name: string): Permission => ({ name, on: domainKind })
export const onAccount = (name: string): Permission => ({ name, on: accountKind })
export const onDefinition = (name: string): Permission => ({ name, on: definitionKind })
export const onDataspace = (name: string): Permission => ({ name, on: dataspaceKind, grantedBy: LANES_MANAGER })
export const onTrigger = (name: string): Permission => ({ name, on: triggerKind })

/**
 * Permission on one NFT: its owner lets others transfer it, or the owner of its domain lets others change its content.
 */
export const onNft = (name: string, granted: 'owner' | 'domainOwner'): Permission => ({
  name,
  on: granted === 'owner' ? heldNftKind : registeredNftKind,
})
