/** Owns the name of an object that metadata stands on. */
import { enumOf, type Infer } from '../codec/index.js'
import { accountId } from './address.js'
import { assetDefinitionId, domainId, name, nftId } from './names.js'

/** An object with metadata. Append only. */
export type Target = Infer<typeof target>
export const target = enumOf('MetadataTarget', {
  domain: [0, domainId],
  account: [1, accountId],
  definition: [2, assetDefinitionId],
  nft: [3, nftId],
  trigger: [4, name],
})
