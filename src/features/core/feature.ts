/** The core feature: domains, accounts, assets, NFTs, permissions, roles, triggers, multisig, fees, parameters, peers. */

import { accounts, accountUse } from '../../executor/accounts.js'
import type { Feature } from '../../executor/contract.js'
import { METADATA_TABLES } from '../../executor/metadata.js'
import { TRIGGER_TABLES } from '../../executor/triggers/tables.js'
import { MULTISIG_TABLES } from '../../ledger/multisig-tables.js'
import { CORE_TABLE_LIST } from '../../ledger/tables.js'
import { ACCOUNT_ADMISSION } from '../../model/index.js'
import { ACCOUNT_INSTRUCTIONS } from './accounts.js'
import { setAdmission } from './admission.js'
import { ASSET_INSTRUCTIONS } from './assets.js'
import { CONSENSUS_QUERIES } from './consensus-queries.js'
import { CONTROL_INSTRUCTIONS } from './controls.js'
import { DOMAIN_INSTRUCTIONS } from './domains.js'
import { FEE_TABLES } from './fee-tables.js'
import { FEE_PARAMETERS, FEES, sponsorFees } from './fees.js'
import { grant, revoke } from './grants.js'
import { HISTORY_QUERIES } from './history-queries.js'
import { HOLDING_QUERIES } from './holding-queries.js'
import { log } from './log.js'
import { removeKeyValue, setKeyValue } from './metadata.js'
import { MULTISIG_INSTRUCTIONS, multisigWeights } from './multisig.js'
import { NFT_INSTRUCTIONS } from './nfts.js'
import { OBJECT_QUERIES } from './object-queries.js'
import { transferOwnership } from './ownership.js'
import { setParameter } from './parameter.js'
import { parametersQuery } from './parameters-query.js'
import { disableConsensusKey, registerPeer, rotateConsensusKey, unregisterPeer } from './peers.js'
import { PERMISSIONS } from './permissions.js'
import { PROOF_QUERIES } from './proof-queries.js'
import { CORE_QUERIES } from './queries.js'
import { registerRole, unregisterRole } from './roles.js'
import { coreSchema } from './schema/index.js'
import { statementByAccountQuery } from './statement.js'
import { totalsQuery } from './totals.js'
import { TRIGGER_INSTRUCTIONS } from './triggers.js'
import { UPGRADE_INSTRUCTIONS, upgrades, upgradesQuery } from './upgrades.js'
import { rightOfTrigger } from './watching.js'

export const coreFeature: Feature = {
  name: 'core',
  version: 1,
  tables: [
    accounts,
    accountUse,
    ...METADATA_TABLES,
    ...TRIGGER_TABLES,
    ...CORE_TABLE_LIST,
    ...MULTISIG_TABLES,
    ...FEE_TABLES,
    upgrades,
  ],
  instructions: [
    registerPeer,
    unregisterPeer,
    rotateConsensusKey,
    disableConsensusKey,
    ...DOMAIN_INSTRUCTIONS,
    ...ACCOUNT_INSTRUCTIONS,
    ...ASSET_INSTRUCTIONS,
    ...NFT_INSTRUCTIONS,
    transferOwnership,
    setKeyValue,
    removeKeyValue,
    registerRole,
    unregisterRole,
    grant,
    revoke,
    ...TRIGGER_INSTRUCTIONS,
    setParameter,
    ...MULTISIG_INSTRUCTIONS,
    ...CONTROL_INSTRUCTIONS,
    sponsorFees,
    setAdmission,
    ...UPGRADE_INSTRUCTIONS,
    log,
  ],
  queries: [
    ...CORE_QUERIES,
    ...OBJECT_QUERIES,
    ...HOLDING_QUERIES,
    ...HISTORY_QUERIES,
    ...PROOF_QUERIES,
    ...CONSENSUS_QUERIES,
    statementByAccountQuery,
    upgradesQuery,
    parametersQuery,
    totalsQuery,
  ],
  events: coreSchema.events,
  permissions: Object.values(PERMISSIONS),
  parameters: [...FEE_PARAMETERS, ACCOUNT_ADMISSION],
  policies: { fees: FEES, multisigWeights, triggerAuthority: rightOfTrigger },
  errors: coreSchema.errors,
}
