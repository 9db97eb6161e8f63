/** Owns what metadata can stand on. */
import { enumOf, type Schema } from '../../../codec/index.js'
import { type AccountId, accountId, assetDefinitionId, domainId } from '../../../model/index.js'

/** An object with metadata. Append only. */
export type Target =
  | { readonly kind: 'domain'; readonly value: string }
  | { readonly kind: 'account'; readonly value: AccountId }
  | { readonly kind: 'definition'; readonly value: string }
const target_ = enumOf('MetadataTarget', {
  domain: [0, domainId],
  account: [1, accountId],
  definition: [2, assetDefinitionId],
})
export const target: Schema<Target> = target_
