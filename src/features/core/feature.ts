/** How the core acts on the ledger: domains, accounts, assets, NFTs, permissions, roles, triggers, multisig, fees, parameters, peers. */
import { accounts, accountUse } from '../../executor/accounts.js'
import { defineLedger } from '../../executor/feature.js'
import { METADATA_TABLES } from '../../executor/metadata.js'
import { TRIGGER_TABLES } from '../../executor/triggers/tables.js'
import { admissionCount, admissions } from '../../ledger/admission-tables.js'
import { MULTISIG_TABLES } from '../../ledger/multisig-tables.js'
import { pots } from '../../ledger/pots.js'
import { CORE_TABLE_LIST } from '../../ledger/tables.js'
import { registerAccount, setLabel, unregisterAccount } from './accounts.js'
import { setAdmission } from './admission.js'
import { burn, mint, registerAssetDefinition, transfer, transferBatch, unregisterAssetDefinition } from './assets.js'
import {
  blsKeysQuery,
  certificatesQuery,
  checkpointsQuery,
  commitQcQuery,
  consensusKeysQuery,
  consensusParamsQuery,
  evidenceCountQuery,
  evidenceQuery,
  validatorSetsQuery,
} from './consensus-queries.js'
import { setBlacklist, setFreeze, setLimits } from './controls.js'
import { registerDomain, unregisterDomain } from './domains.js'
import { sponsorships } from './fee-tables.js'
import { FEES, sponsorFees } from './fees.js'
import { grant, revoke } from './grants.js'
import {
  blockQuery,
  blocksQuery,
  instructionQuery,
  instructionsQuery,
  transactionDetailQuery,
  transactionsQuery,
} from './history-queries.js'
import { accountsQuery, assetsQuery, definitionQuery, domainQuery } from './holding-queries.js'
import { log } from './log.js'
import { removeKeyValue, setKeyValue } from './metadata.js'
import { approve, cancel, multisigWeights, propose, registerMultisig } from './multisig.js'
import { registerNft, unregisterNft } from './nfts.js'
import {
  accountGrantsQuery,
  admissionQuery,
  controlCheckQuery,
  controlQuery,
  controlsQuery,
  multisigQuery,
  nftQuery,
  nftsQuery,
  permissionHoldersQuery,
  proposalQuery,
  roleQuery,
  rolesQuery,
  triggerQuery,
  triggersQuery,
} from './object-queries.js'
import { transferOwnership } from './ownership.js'
import { setParameter } from './parameter.js'
import { parametersQuery } from './parameters-query.js'
import { disableConsensusKey, registerPeer, rotateConsensusKey, unregisterPeer } from './peers.js'
import { PERMISSIONS } from './permissions.js'
import { finalityQuery, headersQuery, stateProofQuery, transactionProofQuery } from './proof-queries.js'
import { accountByIdQuery, definitionsQuery, domainsQuery, transactionByHashQuery } from './queries.js'
import { registerRole, unregisterRole } from './roles.js'
import { coreSchema } from './schema/index.js'
import { statementByAccountQuery } from './statement.js'
import { totalsQuery } from './totals.js'
import { changeRepeats, executeTrigger, registerTrigger, unregisterTrigger } from './triggers.js'
import { activateUpgrade, cancelUpgrade, proposeUpgrade, upgrades, upgradesQuery } from './upgrades.js'
import { rightOfTrigger } from './watching.js'

export const coreLedger = defineLedger(coreSchema, {
  tables: [
    accounts,
    accountUse,
    ...METADATA_TABLES,
    ...TRIGGER_TABLES,
    ...CORE_TABLE_LIST,
    ...MULTISIG_TABLES,
    sponsorships,
    admissions,
    admissionCount,
    pots,
    upgrades,
  ],
  execute: {
    registerPeer,
    unregisterPeer,
    rotateConsensusKey,
    disableConsensusKey,
    registerDomain,
    registerAccount,
    registerAssetDefinition,
    mint,
    burn,
    transfer,
    setKeyValue,
    removeKeyValue,
    setParameter,
    setFreeze,
    setBlacklist,
    setLimits,
    unregisterDomain,
    unregisterAccount,
    setLabel,
    unregisterAssetDefinition,
    transferBatch,
    registerNft,
    unregisterNft,
    transferOwnership,
    log,
    registerRole,
    unregisterRole,
    grant,
    revoke,
    registerTrigger,
    unregisterTrigger,
    changeRepeats,
    executeTrigger,
    registerMultisig,
    propose,
    approve,
    cancel,
    sponsorFees,
    setAdmission,
    proposeUpgrade,
    activateUpgrade,
    cancelUpgrade,
  },
  queries: {
    upgrades: upgradesQuery,
    totals: totalsQuery,
    transactions: transactionsQuery,
    instructions: instructionsQuery,
    transactionDetail: transactionDetailQuery,
    instruction: instructionQuery,
    blocks: blocksQuery,
    block: blockQuery,
    nfts: nftsQuery,
    nft: nftQuery,
    roles: rolesQuery,
    role: roleQuery,
    accountGrants: accountGrantsQuery,
    permissionHolders: permissionHoldersQuery,
    triggers: triggersQuery,
    trigger: triggerQuery,
    multisig: multisigQuery,
    proposal: proposalQuery,
    control: controlQuery,
    controls: controlsQuery,
    controlCheck: controlCheckQuery,
    admission: admissionQuery,
    commitCertificates: certificatesQuery,
    checkpoints: checkpointsQuery,
    validatorSets: validatorSetsQuery,
    commitQc: commitQcQuery,
    consensusKeys: consensusKeysQuery,
    blsKeys: blsKeysQuery,
    consensusParams: consensusParamsQuery,
    evidence: evidenceQuery,
    evidenceCount: evidenceCountQuery,
    domains: domainsQuery,
    assetDefinitions: definitionsQuery,
    account: accountByIdQuery,
    transaction: transactionByHashQuery,
    domain: domainQuery,
    assetDefinition: definitionQuery,
    accounts: accountsQuery,
    assets: assetsQuery,
    parameters: parametersQuery,
    accountStatement: statementByAccountQuery,
    headers: headersQuery,
    finality: finalityQuery,
    stateProof: stateProofQuery,
    transactionProof: transactionProofQuery,
  },
  permissions: Object.values(PERMISSIONS),
  policies: { fees: FEES, multisigWeights, triggerAuthority: rightOfTrigger },
})
