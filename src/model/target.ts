/** Owns the name of an object that metadata stands on. */
import { enumOf, type Schema } from '../codec/index.js'
import { type AccountId, accountId } from './address.js'
import { assetDefinitionId, domainId, name, nftId } from './names.js'

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
