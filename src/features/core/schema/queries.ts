/** Owns the queries of the core. */

import {
  blsKeys as blsKeysRecord,
  certificateHistory,
  checkpointList,
  commitQcRecord,
  consensusKeyList,
  consensusParams as consensusParamsRecord,
  evidenceCount as evidenceCountRecord,
  evidenceList,
  FAULT_KIND_MAX_BYTES,
  finalityProof,
  headerList,
  parameterSnapshot,
  stateRecordProof,
  transactionProof as transactionProofRecord,
  validatorSetHistory,
} from '../../../api/index.js'
import { faultPlace } from '../../../api/places.js'
import {
  byDefinitionQuery,
  byDomainQuery,
  byNameQuery,
  byNftQuery,
  heightsQuery,
  pageQueryFields,
} from '../../../api/query-inputs.js'
import { bool, hash32, type Infer, option, type Schema, string, struct, varint } from '../../../codec/index.js'
import { defineQuery } from '../../../model/index.js'
import { CORE_QUERIES as ID } from '../../ids.js'
import {
  blockPage,
  blockQuery,
  blocksInput,
  blockView,
  historyQuery,
  instructionItem,
  instructionPage,
  instructionPlaceQuery,
  transactionDetail as transactionDetailRecord,
  transactionPage,
} from './history.js'
import { accountPage, accountsQuery, assetPage, assetsQuery } from './holdings.js'
import {
  accountGrantsView,
  admissionView,
  controlCheckQuery,
  controlCheck as controlCheckRecord,
  controlPage,
  controlQuery,
  controlsQuery,
  controlView,
  holderPage,
  holdersQuery,
  multisigView,
  nftPage,
  nftsQuery,
  nftView,
  proposalQuery,
  proposalView,
  rolePage,
  rolesInput,
  roleView,
  triggerPage,
  triggersInput,
  triggerView,
} from './object-views.js'
import { statement, statementQuery } from './statement.js'
import { totalsInput, totals as totalsRecord } from './totals.js'
import { upgradeList } from './upgrades.js'
import {
  accountQuery,
  accountView,
  definitionPage,
  definitionsInput,
  definitionView,
  domainPage,
  domainsInput,
  domainView,
  transactionQuery,
  transactionView,
} from './views.js'

const none_ = struct('NoInput', {})
const none: Schema<Record<string, never>> = none_

const commitQcQuery_ = struct('CommitQcQuery', { blockHash: hash32 })
const commitQcInput: Schema<{ readonly blockHash: Uint8Array }> = commitQcQuery_
const evidenceQuery_ = struct('EvidenceQuery', {
  kind: option(string(FAULT_KIND_MAX_BYTES)),
  ...pageQueryFields(faultPlace),
})
export type EvidenceQuery = Infer<typeof evidenceQuery_>
const evidenceQueryInput: Schema<EvidenceQuery> = evidenceQuery_

const keysQuery_ = struct('ConsensusKeysQuery', { everyStatus: bool })
const keysInput: Schema<{ readonly everyStatus: boolean }> = keysQuery_
const finalityQuery_ = struct('FinalityQuery', { height: varint })
export type FinalityQuery = Infer<typeof finalityQuery_>
/** Longest key of a record as its JSON twin, in bytes. */
const KEY_TEXT_MAX_BYTES = 1024
const stateQuery_ = struct('StateProofQuery', { table: string(64), key: string(KEY_TEXT_MAX_BYTES) })
export type StateProofQuery = Infer<typeof stateQuery_>
const transactionProofQuery_ = struct('TransactionProofQuery', { height: varint, hash: hash32 })
export type TransactionProofQuery = Infer<typeof transactionProofQuery_>
const parametersInput: Schema<Record<string, never>> = struct('ParametersQuery', {})

const upgradesInput_ = struct('UpgradesQuery', {})

export const domains = defineQuery(ID.domains, 'domains', domainsInput, domainPage)
export const assetDefinitions = defineQuery(ID.assetDefinitions, 'assetDefinitions', definitionsInput, definitionPage)
export const account = defineQuery(ID.account, 'account', accountQuery, accountView)
export const transaction = defineQuery(ID.transaction, 'transaction', transactionQuery, transactionView)
export const accountStatement = defineQuery(ID.accountStatement, 'accountStatement', statementQuery, statement)
export const nfts = defineQuery(ID.nfts, 'nfts', nftsQuery, nftPage)
export const nft = defineQuery(ID.nft, 'nft', byNftQuery, nftView)
export const roles = defineQuery(ID.roles, 'roles', rolesInput, rolePage)
export const role = defineQuery(ID.role, 'role', byNameQuery, roleView)
export const accountGrants = defineQuery(ID.accountGrants, 'accountGrants', accountQuery, accountGrantsView)
export const triggers = defineQuery(ID.triggers, 'triggers', triggersInput, triggerPage)
export const trigger = defineQuery(ID.trigger, 'trigger', byNameQuery, triggerView)
export const multisig = defineQuery(ID.multisig, 'multisig', accountQuery, multisigView)
export const proposal = defineQuery(ID.proposal, 'proposal', proposalQuery, proposalView)
export const control = defineQuery(ID.control, 'control', controlQuery, controlView)
export const controls = defineQuery(ID.controls, 'controls', controlsQuery, controlPage)
export const controlCheck = defineQuery(ID.controlCheck, 'controlCheck', controlCheckQuery, controlCheckRecord)
export const admission = defineQuery(ID.admission, 'admission', byDomainQuery, admissionView)
export const permissionHolders = defineQuery(ID.permissionHolders, 'permissionHolders', holdersQuery, holderPage)
export const commitCertificates = defineQuery(
  ID.commitCertificates,
  'commitCertificates',
  heightsQuery,
  certificateHistory,
)
export const checkpoints = defineQuery(ID.checkpoints, 'checkpoints', heightsQuery, checkpointList, 'developer')
export const validatorSets = defineQuery(ID.validatorSets, 'validatorSets', heightsQuery, validatorSetHistory)
export const commitQc = defineQuery(ID.commitQc, 'commitQc', commitQcInput, commitQcRecord)
export const consensusKeys = defineQuery(ID.consensusKeys, 'consensusKeys', keysInput, consensusKeyList)
export const blsKeys = defineQuery(ID.blsKeys, 'blsKeys', none, blsKeysRecord, 'developer')
export const consensusParams = defineQuery(
  ID.consensusParams,
  'consensusParams',
  none,
  consensusParamsRecord,
  'developer',
)
export const evidence = defineQuery(ID.evidence, 'evidence', evidenceQueryInput, evidenceList, 'developer')
export const evidenceCount = defineQuery(ID.evidenceCount, 'evidenceCount', none, evidenceCountRecord)
export const parameters = defineQuery(ID.parameters, 'parameters', parametersInput, parameterSnapshot)
export const transactions = defineQuery(ID.transactions, 'transactions', historyQuery, transactionPage)
export const instructions = defineQuery(ID.instructions, 'instructions', historyQuery, instructionPage)
export const transactionDetail = defineQuery(
  ID.transactionDetail,
  'transactionDetail',
  transactionQuery,
  transactionDetailRecord,
)
export const instruction = defineQuery(ID.instruction, 'instruction', instructionPlaceQuery, instructionItem)
export const blocks = defineQuery(ID.blocks, 'blocks', blocksInput, blockPage)
export const block = defineQuery(ID.block, 'block', blockQuery, blockView)
export const domain = defineQuery(ID.domain, 'domain', byDomainQuery, domainView)
export const assetDefinition = defineQuery(ID.assetDefinition, 'assetDefinition', byDefinitionQuery, definitionView)
export const accounts = defineQuery(ID.accounts, 'accounts', accountsQuery, accountPage)
export const assets = defineQuery(ID.assets, 'assets', assetsQuery, assetPage)
export const headers = defineQuery(ID.headers, 'headers', heightsQuery, headerList)
export const finality = defineQuery(ID.finality, 'finality', finalityQuery_, finalityProof)
export const stateProof = defineQuery(ID.stateProof, 'stateProof', stateQuery_, stateRecordProof)
export const transactionProof = defineQuery(
  ID.transactionProof,
  'transactionProof',
  transactionProofQuery_,
  transactionProofRecord,
)
export const totals = defineQuery(ID.totals, 'totals', totalsInput, totalsRecord)
export const upgrades = defineQuery(ID.upgrades, 'upgrades', upgradesInput_, upgradeList)
