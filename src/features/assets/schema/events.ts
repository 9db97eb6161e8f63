/** Owns the events of asset definitions, balances and controls. */

import { bytesN, type Infer, numeric, struct } from '../../../codec/index.js'
import {
  type AssetId,
  aboutObjects,
  accountId,
  assetDefinitionId,
  assetId,
  assetParty,
  defineEvent,
  type EventSubject,
  mintable,
  name,
} from '../../../model/index.js'
import { controlChanged as controlChangedRecord } from './controls.js'
import { ASSET_EVENTS as ID } from './ids.js'

const definition: EventSubject<{ readonly definition: string }> = {
  subject: 'definition',
  about: (value) => aboutObjects(value.definition),
}
export const definitionCreated = defineEvent(
  ID.definitionCreated,
  'definitionCreated',
  struct('DefinitionCreated', { definition: assetDefinitionId, owner: accountId }),
  definition,
)
export const definitionDeleted = defineEvent(
  ID.definitionDeleted,
  'definitionDeleted',
  struct('DefinitionDeleted', { definition: assetDefinitionId }),
  definition,
)
export const mintabilityChanged = defineEvent(
  ID.mintabilityChanged,
  'mintabilityChanged',
  struct('MintabilityChanged', { definition: assetDefinitionId, mintable }),
  definition,
)

const ofAsset: EventSubject<{ readonly asset: AssetId }> = {
  subject: 'asset',
  about: (value) => ({ objects: [value.asset.definition], parties: [assetParty(value.asset)] }),
}
export const minted = defineEvent(ID.minted, 'minted', struct('Minted', { asset: assetId, amount: numeric }), ofAsset)
export const burned = defineEvent(ID.burned, 'burned', struct('Burned', { asset: assetId, amount: numeric }), ofAsset)
export const transferred = defineEvent(
  ID.transferred,
  'transferred',
  struct('Transferred', { asset: assetId, to: accountId, amount: numeric }),
  {
    subject: 'asset',
    about: (value) => {
      const { definition: of } = value.asset
      return { objects: [of], parties: [assetParty(value.asset), assetParty({ definition: of, account: value.to })] }
    },
  },
)

const escrowFields = { feature: name, key: bytesN(32), asset: assetId, amount: numeric }
/** Value of a balance that a feature holds for its payer. */
export const held = defineEvent(ID.held, 'held', struct('Held', escrowFields), ofAsset)
/** Value of an escrow that a balance got. */
export const released = defineEvent(ID.released, 'released', struct('Released', escrowFields), ofAsset)

export const controlChanged = defineEvent(ID.controlChanged, 'controlChanged', controlChangedRecord, {
  subject: 'control',
  about: (value) => ({ objects: [value.asset.definition], parties: [assetParty(value.asset)] }),
})

export type Transferred = Infer<typeof transferred.schema>
