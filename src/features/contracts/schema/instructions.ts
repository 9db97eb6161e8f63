/** Owns the records of the instructions of contracts, as they travel. */
import { bool, hash32, type Infer, option, struct, varint } from '../../../codec/index.js'
import { accountId, defineInstruction, domainId } from '../../../model/index.js'
import { CONTRACT_INSTRUCTIONS as ID } from './ids.js'
import { attachments, code, contractAlias, identifier, input, manifest, reason } from './records.js'

export interface RegisterContract extends Infer<typeof registerContract_> {}
const registerContract_ = struct('RegisterContract', { code, manifest })
export const registerContract = defineInstruction<RegisterContract>(
  ID.registerContract,
  'registerContract',
  'contract::register',
  registerContract_,
)

export interface DeployContract extends Infer<typeof deployContract_> {}
const deployContract_ = struct('DeployContract', {
  artifact: hash32,
  /** Home of the contract; absent: the domain of the alias, else that of the deployer. */
  domain: option(domainId),
  /** Bound to the new contract, whoever had it before. */
  alias: option(contractAlias),
  /** Takes over the state of the contract that has the alias. */
  inherit: bool,
  input,
  gasLimit: varint,
})
export const deployContract = defineInstruction<DeployContract>(
  ID.deployContract,
  'deployContract',
  'contract::deploy',
  deployContract_,
)

export interface DeactivateContract extends Infer<typeof deactivateContract_> {}
const deactivateContract_ = struct('DeactivateContract', { address: accountId, reason })
export const deactivateContract = defineInstruction<DeactivateContract>(
  ID.deactivateContract,
  'deactivateContract',
  'contract::deactivate',
  deactivateContract_,
)

export interface RemoveContractArtifact extends Infer<typeof removeContractArtifact_> {}
const removeContractArtifact_ = struct('RemoveContractArtifact', { artifact: hash32 })
export const removeContractArtifact = defineInstruction<RemoveContractArtifact>(
  ID.removeContractArtifact,
  'removeContractArtifact',
  'contract::remove_artifact',
  removeContractArtifact_,
)

export interface BindContractAlias extends Infer<typeof bindContractAlias_> {}
const bindContractAlias_ = struct('BindContractAlias', { alias: contractAlias, address: accountId })
export const bindContractAlias = defineInstruction<BindContractAlias>(
  ID.bindContractAlias,
  'bindContractAlias',
  'contract::bind_alias',
  bindContractAlias_,
)

export interface ReleaseContractAlias extends Infer<typeof releaseContractAlias_> {}
const releaseContractAlias_ = struct('ReleaseContractAlias', { alias: contractAlias })
export const releaseContractAlias = defineInstruction<ReleaseContractAlias>(
  ID.releaseContractAlias,
  'releaseContractAlias',
  'contract::release_alias',
  releaseContractAlias_,
)

export interface ContractCall extends Infer<typeof contractCall_> {}
const contractCall_ = struct('ContractCall', {
  address: accountId,
  entrypoint: identifier,
  input,
  /** Most gas of the call with all that it calls: paid for in advance, what is left comes back. */
  gasLimit: varint,
  /** Assets of the caller that go to the contract before it runs. */
  attach: attachments,
})
export const contractCall = defineInstruction<ContractCall>(
  ID.contractCall,
  'contractCall',
  'contract::call',
  contractCall_,
)
