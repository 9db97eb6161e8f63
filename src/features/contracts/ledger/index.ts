/** Execution of contracts. */
import { defineLedger } from '../../../executor/feature.js'
import { CONTRACT_ABI_HASH } from '../schema/abi.js'
import { contractSchema } from '../schema/index.js'
import * as artifacts from './artifacts.js'
import { CONTRACT_PERMISSIONS } from './artifacts.js'
import * as callInstruction from './call-instruction.js'
import * as deployment from './deployment.js'
import * as history from './history.js'
import { contractHistory, contractIndexes } from './indexes.js'
import * as queries from './queries.js'
import { selfCheck } from './self-check.js'
import { CONTRACT_TABLE_LIST } from './tables.js'
import { simulationRun, viewRun } from './trials.js'

export const contractLedger = defineLedger(contractSchema, {
  tables: CONTRACT_TABLE_LIST,
  execute: { ...artifacts.execute, ...deployment.execute, ...callInstruction.execute },
  queries: {
    contracts: queries.contractsRun,
    contractArtifact: queries.artifactRun,
    contractCode: queries.codeRun,
    contractInstance: queries.instanceRun,
    contractAlias: queries.aliasRun,
    contractState: queries.stateRun,
    contractView: viewRun,
    contractSimulation: simulationRun,
    contractEvents: history.eventsRun,
    contractActivity: history.activityRun,
    contractRollups: history.rollupsRun,
  },
  permissions: Object.values(CONTRACT_PERMISSIONS),
  // Opcodes, their gas, host functions, bounds: nodes with different machines have different ABIs.
  rules: [{ text: `contracts ${CONTRACT_ABI_HASH.toString('hex')}` }],
  indexes: contractIndexes,
  history: contractHistory,
  selfCheck,
})
