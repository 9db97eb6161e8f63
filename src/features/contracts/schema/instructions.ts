/** Owns the records of the instructions of contracts. */
import { bool, hash32, option, varint } from '../../../codec/index.js'
import { accountId, defineInstructions, domainId, type InstructionOf } from '../../../model/index.js'
import { attachments, code, contractAlias, identifier, input, manifest, reason } from './records.js'

export const instructions = defineInstructions({
  registerContract: { id: 700, label: 'contract::register', record: { code, manifest } },
  deployContract: {
    id: 701,
    label: 'contract::deploy',
    record: {
      artifact: hash32,
      /** Home of the contract; absent: the domain of the alias, else the domain of the deployer. */
      domain: option(domainId),
      /** Alias of the new contract, even if it is bound to a different one. */
      alias: option(contractAlias),
      /** True to take over the state of the contract with the alias. */
      inherit: bool,
      input,
      gasLimit: varint,
    },
  },
  deactivateContract: { id: 702, label: 'contract::deactivate', record: { address: accountId, reason } },
  removeContractArtifact: { id: 703, label: 'contract::remove_artifact', record: { artifact: hash32 } },
  bindContractAlias: { id: 704, label: 'contract::bind_alias', record: { alias: contractAlias, address: accountId } },
  releaseContractAlias: { id: 705, label: 'contract::release_alias', record: { alias: contractAlias } },
  contractCall: {
    id: 706,
    label: 'contract::call',
    record: {
      address: accountId,
      entrypoint: identifier,
      input,
      /** Maximum gas of the call including nested calls; paid in advance, and the remainder is refunded. */
      gasLimit: varint,
      /** Assets of the caller that are moved to the contract before it runs. */
      attach: attachments,
    },
  },
})

export interface RegisterContract extends InstructionOf<typeof instructions.registerContract> {}
export interface DeployContract extends InstructionOf<typeof instructions.deployContract> {}
