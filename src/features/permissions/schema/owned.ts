/** Owns the objects that have an owner, as instructions point at them. */
import { enumOf, type Infer } from '../../../codec/index.js'
import { assetDefinitionId, domainId, nftId } from '../../../model/index.js'

/** An object whose ownership passes on. Append only. */
export type Owned = Infer<typeof owned>
export const owned = enumOf('OwnedObject', {
  domain: [0, domainId],
  definition: [1, assetDefinitionId],
  nft: [2, nftId],
})

/** Id text of an object that has an owner; the forms of the three never coincide. */
export const objectText = (object: Owned): string => object.value
