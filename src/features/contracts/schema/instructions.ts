/** Owns the records of the instructions of contracts, as they travel. */
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
      /** Home of the contract; absent: the domain of the alias, else that of the deployer. */
      domain: option(domainId),
      /** Bound to the new contract, whoever had it before. */
      alias: option(contractAlias),
      /** Takes over the state of the contract that has the alias. */
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
      /** Most gas of the call with all that it calls: paid for in advance, what is left comes back. */
      gasLimit: varint,
      /** Assets of the caller that go to the contract before it runs. */
      attach: attachments,
    },
  },
})

export interface RegisterContract extends InstructionOf<typeof instructions.registerContract> {}
export interface DeployContract extends InstructionOf<typeof instructions.deployContract> {}
