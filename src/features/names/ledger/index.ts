/** Names as a feature of the ledger. */
import { defineLedger } from '../../../executor/feature.js'
import { nameSchema } from '../schema/index.js'
import { assertAliases } from './assertion.js'
import { pruneName, releaseName } from './ending.js'
import { setNameAccount, setNameManager, setNameRecords, setPrimaryName, transferName } from './holding.js'
import { nameIndexes } from './indexes.js'
import { aliasLabels } from './labels.js'
import { NAME_PERMISSIONS } from './permissions.js'
import { setNamePolicy } from './policies.js'
import * as queries from './queries.js'
import { commitName, registerName, renewName } from './registration.js'
import { domainIdFault, reserveNames } from './reservations.js'
import { createSubname, removeSubname } from './subnames.js'
import { commits, counts, names, policies, primaries, reserved, skeletons } from './tables.js'

export const nameLedger = defineLedger(nameSchema, {
  tables: [names, policies, commits, counts, primaries, reserved, skeletons],
  execute: {
    setNamePolicy,
    commitName,
    registerName,
    renewName,
    transferName,
    setNameAccount,
    setNameRecords,
    setNameManager,
    setPrimaryName,
    createSubname,
    removeSubname,
    releaseName,
    pruneName,
    reserveNames,
    assertAliases,
  },
  queries: {
    name: queries.nameQuery,
    nameHistory: queries.nameHistoryQuery,
    nameProofRows: queries.nameProofRowsQuery,
    names: queries.namesQuery,
    namePolicies: queries.namePoliciesQuery,
    namePolicy: queries.namePolicyQuery,
    reservedNames: queries.reservedNamesQuery,
    nameAvailable: queries.nameAvailableQuery,
  },
  permissions: Object.values(NAME_PERMISSIONS),
  policies: { aliasLabels, domainIds: domainIdFault },
  indexes: nameIndexes,
})
