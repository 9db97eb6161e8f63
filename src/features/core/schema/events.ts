/** Owns the events of the core. */

import type { EventSchema } from '../../../api/definition.js'
import { type Infer, type Json, numeric, type Schema, string, struct, varint } from '../../../codec/index.js'
import {
  accountId,
  assetDefinitionId,
  assetId,
  domainId,
  metadataValue,
  name,
  token,
  validatorKey,
} from '../../../model/index.js'
import { CORE_EVENTS } from '../../ids.js'
import { controlChanged as controlChangedRecord } from './controls.js'
import { target } from './target.js'

const define = <T>(kind: keyof typeof CORE_EVENTS, schema: Schema<T>): EventSchema<T> => ({
  id: CORE_EVENTS[kind],
  kind,
  schema,
})

export const peerAdded = define('peerAdded', struct('PeerAdded', { peer: validatorKey }))
export const peerRemoved = define('peerRemoved', struct('PeerRemoved', { peer: validatorKey }))
export const consensusKeyRotated = define(
  'consensusKeyRotated',
  struct('ConsensusKeyRotated', { peer: validatorKey, key: validatorKey, activeFrom: varint }),
)
export const consensusKeyDisabled = define(
  'consensusKeyDisabled',
  struct('ConsensusKeyDisabled', { peer: validatorKey, key: validatorKey, disabledFrom: varint }),
)
export const domainCreated = define('domainCreated', struct('DomainCreated', { domain: domainId, owner: accountId }))
export const accountCreated = define(
  'accountCreated',
  struct('AccountCreated', { account: accountId, domain: domainId }),
)
export const definitionCreated = define(
  'definitionCreated',
  struct('DefinitionCreated', { definition: assetDefinitionId, owner: accountId }),
)
export const minted = define('minted', struct('Minted', { asset: assetId, amount: numeric }))
export const burned = define('burned', struct('Burned', { asset: assetId, amount: numeric }))
export const transferred = define(
  'transferred',
  struct('Transferred', { asset: assetId, to: accountId, amount: numeric }),
)
export const metadataInserted = define(
  'metadataInserted',
  struct('MetadataInserted', { target, key: name, value: metadataValue as Schema<Json> }),
)
export const metadataRemoved = define('metadataRemoved', struct('MetadataRemoved', { target, key: name }))
export const permissionAdded = define('permissionAdded', struct('PermissionAdded', { account: accountId, token }))
export const permissionRemoved = define('permissionRemoved', struct('PermissionRemoved', { account: accountId, token }))
export const parameterChanged = define(
  'parameterChanged',
  struct('ParameterChanged', { parameter: name, value: string(16 * 1024) }),
)
export const controlChanged = define('controlChanged', controlChangedRecord)

/** Value of an event kind. */
export type EventOf<D> = D extends EventSchema<infer T> ? T : never
export type Transferred = Infer<typeof transferred.schema>

export const CORE_EVENT_LIST = [
  peerAdded,
  peerRemoved,
  consensusKeyRotated,
  consensusKeyDisabled,
  domainCreated,
  accountCreated,
  definitionCreated,
  minted,
  burned,
  transferred,
  metadataInserted,
  metadataRemoved,
  permissionAdded,
  permissionRemoved,
  parameterChanged,
  controlChanged,
]
