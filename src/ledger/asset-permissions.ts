/** Owns the permissions of assets, and balances as objects of permissions. */

import type { ObjectKind, Permission } from '../executor/permission.js'
import { type AssetId, isEarlier } from '../model/index.js'
import {
  accountKind,
  accountObject,
  accountOfObject,
  definitionKind,
  onDefinition,
  onDomain,
} from './permission-kinds.js'

/** Object text of a balance in tokens. */
export const assetObject = (asset: AssetId): string => `${asset.definition}#${accountObject(asset.account)}`

/** Definition and account of an object text, each as an object of its kind. */
function partsOf(object: string): { readonly definition: string; readonly account: string } {
  const at = object.lastIndexOf('#')
  return { definition: object.slice(0, Math.max(at, 0)), account: object.slice(at + 1) }
}

/** Balance as an object of its holder. */
const heldAsset: ObjectKind = {
  name: 'asset',
  isId(text) {
    const { definition, account } = partsOf(text)
    return definitionKind.isId(definition) && accountKind.isId(account)
  },
  owner: (_state, id) => accountOfObject(partsOf(id).account),
  incarnation(state, id) {
    const parts = partsOf(id)
    const holder = accountKind.incarnation(state, parts.account)
    const definition = definitionKind.incarnation(state, parts.definition)
    if (holder === undefined || definition === undefined) return undefined
    // The incarnation of a balance is the later one of the two: it ends with either.
    return isEarlier(definition, holder) ? holder : definition
  },
}

/** Balance as an object of its definition's owner: a holder must not license its own minting and burning. */
const issuedAsset: ObjectKind = {
  ...heldAsset,
  owner: (state, id) => definitionKind.owner(state, partsOf(id).definition),
}

export const ASSET_PERMISSIONS = {
  CanRegisterAssetDefinition: onDomain('CanRegisterAssetDefinition'),
  CanMint: onDefinition('CanMint'),
  CanBurn: onDefinition('CanBurn'),
  CanTransfer: onDefinition('CanTransfer'),
  CanControl: onDefinition('CanControl'),
  CanMintAsset: { name: 'CanMintAsset', on: issuedAsset },
  CanBurnAsset: { name: 'CanBurnAsset', on: issuedAsset },
  CanTransferAsset: { name: 'CanTransferAsset', on: heldAsset },
} as const satisfies Record<string, Permission>
