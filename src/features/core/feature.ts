/** The core feature: domains, accounts, assets, metadata, permissions, parameters, peers. */

import { accounts } from '../../executor/accounts.js'
import type { Feature } from '../../executor/contract.js'
import { burn, mint, registerAssetDefinition, transfer } from './assets.js'
import { CONSENSUS_QUERIES } from './consensus-queries.js'
import { CONTROL_INSTRUCTIONS } from './controls.js'
import { grant, revoke } from './grants.js'
import { removeKeyValue, setKeyValue } from './metadata.js'
import { registerAccount, registerDomain } from './objects.js'
import { setParameter } from './parameter.js'
import { disableConsensusKey, registerPeer, rotateConsensusKey, unregisterPeer } from './peers.js'
import { PERMISSIONS } from './permissions.js'
import { CORE_QUERIES } from './queries.js'
import { CORE_EVENT_LIST } from './schema/events.js'
import { statementByAccountQuery } from './statement.js'
import { CORE_TABLE_LIST } from './tables.js'

/** Numbers of the error codes that execution of the core answers. Append only: they are hashed. */
const ERRORS = [
  'unknown_account',
  'absent',
  'exists',
  'not_permitted',
  'unknown_permission',
  'last_holder',
  'not_empty',
  'bad_name',
  'bad_label',
  'unmintable',
  'not_enough',
  'bad_amount',
  'bad_scale',
  'overflow',
  'self_transfer',
  'bad_parameter',
  'metadata_limit',
  'too_many_tokens',
  'membership_cap',
  'quorum_not_seen',
  'key_reused',
  'bad_proof_of_possession',
  'teu_exhausted',
  'last_validator',
  'bad_activation',
  'asset_frozen',
  'asset_blacklisted',
  'transfer_limit',
] as const

export const coreFeature: Feature = {
  name: 'core',
  version: 1,
  tables: [accounts, ...CORE_TABLE_LIST] as unknown as Feature['tables'],
  instructions: [
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
    grant,
    revoke,
    setParameter,
    ...CONTROL_INSTRUCTIONS,
  ] as unknown as Feature['instructions'],
  queries: [...CORE_QUERIES, ...CONSENSUS_QUERIES, statementByAccountQuery] as unknown as Feature['queries'],
  events: CORE_EVENT_LIST as unknown as Feature['events'],
  permissions: Object.values(PERMISSIONS),
  parameters: [],
  errors: ERRORS.map((name, index) => ({ code: index + 1, name })),
}
