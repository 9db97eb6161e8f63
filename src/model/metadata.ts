/** Owns metadata, a bounded and ordered map from names to JSON values, and the kinds of objects with metadata. */
import { bounded, enumOf, type Infer, type Json, json, map, type Schema } from '../codec/index.js'
import { accountId } from './address.js'
import {
  METADATA_MAX_DEPTH,
  METADATA_MAX_KEYS,
  METADATA_VALUE_MAX_BYTES,
  TRANSACTION_METADATA_MAX_BYTES,
} from './limits.js'
import { assetDefinitionId, domainId, name, nftId } from './names.js'

/** JSON values by name; floats are refused because they have no canonical form. */
export type Metadata = ReadonlyMap<string, Json>

export const metadataValue: Schema<Json> = json(METADATA_VALUE_MAX_BYTES, METADATA_MAX_DEPTH)
export const metadata: Schema<Metadata> = map(name, metadataValue, METADATA_MAX_KEYS)

/** Metadata of a transaction; smaller, since every copy of the transaction includes it. */
export const transactionMetadata: Schema<Metadata> = bounded(metadata, TRANSACTION_METADATA_MAX_BYTES)

/** Shared empty metadata. */
export const NO_METADATA: Metadata = new Map()

/** An object with metadata. Append only. */
export type Target = Infer<typeof target>
export const target = enumOf('MetadataTarget', {
  domain: [0, domainId],
  account: [1, accountId],
  definition: [2, assetDefinitionId],
  nft: [3, nftId],
  trigger: [4, name],
})
