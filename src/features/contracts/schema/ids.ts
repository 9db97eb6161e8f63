/** Owns the ids of contracts: feature 5, 700 to 799. Append only. */
import { range } from '../../../model/index.js'

export const CONTRACT_IDS = range(5)
const BASE = CONTRACT_IDS.first

export const CONTRACT_INSTRUCTIONS = {
  registerContract: BASE,
  deployContract: BASE + 1,
  deactivateContract: BASE + 2,
  removeContractArtifact: BASE + 3,
  bindContractAlias: BASE + 4,
  releaseContractAlias: BASE + 5,
  contractCall: BASE + 6,
} as const
export const CONTRACT_TABLES = {
  artifact: BASE,
  code: BASE + 1,
  manifest: BASE + 2,
  instance: BASE + 3,
  line: BASE + 4,
  state: BASE + 5,
  nonce: BASE + 6,
} as const
export const CONTRACT_EVENTS = {
  contractRegistered: BASE,
  contractDeployed: BASE + 1,
  contractDeactivated: BASE + 2,
  contractRemoved: BASE + 3,
  contractAliasBound: BASE + 4,
  contractAliasReleased: BASE + 5,
  contractEvent: BASE + 6,
  contractCalled: BASE + 7,
} as const
export const CONTRACT_QUERIES = {
  contractArtifact: BASE,
  contractCode: BASE + 1,
  contractInstance: BASE + 2,
  contractState: BASE + 3,
  contractView: BASE + 4,
  contractSimulation: BASE + 5,
  contractEvents: BASE + 6,
  contractActivity: BASE + 7,
  contractRollups: BASE + 8,
  contractAlias: BASE + 9,
  contracts: BASE + 10,
} as const
