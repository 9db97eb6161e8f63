/** Owns the records that contracts and the host exchange, in the canonical bytes of the codec. */
import { enumOf, type Infer, numeric, option, struct, u8, varint } from '../../../codec/index.js'
import { accountId, assetDefinitionId, assetId, domainId, name, nftId, target } from '../../../model/index.js'
import { attachments, identifier, input } from './records.js'

/** Nested call of another contract. */
export const nestedCall = struct('ContractNestedCall', {
  address: accountId,
  entrypoint: identifier,
  input,
  gas: varint,
  attach: attachments,
})

/** Query of a contract about the ledger. */
export type HostQuery = Infer<typeof hostQuery>
export const hostQuery = enumOf('ContractHostQuery', {
  /** Balance, as a numeric. */
  balance: [0, assetId],
  definition: [1, struct('ContractQueryDefinition', { id: assetDefinitionId })],
  account: [2, struct('ContractQueryAccount', { id: accountId })],
  /** Value of a key in the metadata of an object, as canonical JSON. */
  metadata: [3, struct('ContractQueryMetadata', { target, key: name })],
  /** Account of the owner. */
  nftOwner: [4, struct('ContractQueryNft', { id: nftId })],
  /** Empty if the account has the role. */
  hasRole: [5, struct('ContractQueryRole', { account: accountId, role: name })],
  contract: [6, struct('ContractQueryContract', { address: accountId })],
})
export const hostDefinition = struct('ContractHostDefinition', { owner: accountId, scale: option(u8), total: numeric })
export const hostAccount = struct('ContractHostAccount', { domain: domainId, label: option(name) })
export const hostContract = struct('ContractHostContract', { storageId: accountId, owner: accountId, active: u8 })
