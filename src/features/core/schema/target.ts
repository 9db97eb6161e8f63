/** Owns the objects that instructions point at: what metadata stands on, what has an owner. */
import { enumOf, type Schema } from '../../../codec/index.js'
import { type AccountId, accountId, assetDefinitionId, domainId, name, nftId } from '../../../model/index.js'

/** An object with metadata. Append only. */
export type Target =
  | { readonly kind: 'domain'; readonly value: string }
  | { readonly kind: 'account'; readonly value: AccountId }
  | { readonly kind: 'definition'; readonly value: string }
  | { readonly kind: 'nft'; readonly value: string }
  | { readonly kind: 'trigger'; readonly value: string }
const target_ = enumOf('MetadataTarget', {
  domain: [0, domainId],
  account: [1, accountId],
  definition: [2, assetDefinitionId],
  nft: [3, nftId],
  trigger: [4, name],
})
export const target: Schema<Target> = target_

/** An object whose ownership passes on. Append only. */
export type Owned =
  | { readonly kind: 'domain'; readonly value: string }
  | { readonly kind: 'definition'; readonly value: string }
  | { readonly kind: 'nft'; readonly value: string }
const owned_ = enumOf('OwnedObject', {
  domain: [0, domainId],
  definition: [1, assetDefinitionId],
  nft: [2, nftId],
})
export const owned: Schema<Owned> = owned_

/** Id text of an object that has an owner; the forms of the three never coincide. */
export const objectText = (object: Owned): string => object.value
