/** Owns the events of asset definitions, balances and controls. */

import { bool, numeric, option } from '../../../codec/index.js'
import {
  aboutAsset,
  aboutDefinition,
  accountId,
  assetDefinitionId,
  assetEvents,
  assetId,
  assetParty,
  controlLimits,
  defineEvents,
} from '../../../model/index.js'
import { controlReason } from './instructions.js'

export const events = {
  ...assetEvents,
  ...defineEvents({
    definitionCreated: { id: 4, record: { definition: assetDefinitionId, owner: accountId }, ...aboutDefinition },
    definitionDeleted: { id: 20, record: { definition: assetDefinitionId }, ...aboutDefinition },
    burned: { id: 6, record: { asset: assetId, amount: numeric }, ...aboutAsset },
    controlChanged: {
      id: 16,
      record: {
        asset: assetId,
        frozen: bool,
        blacklisted: bool,
        limits: controlLimits,
        reason: option(controlReason),
      },
      subject: 'control',
      about: (value) => ({ objects: [value.asset.definition], parties: [assetParty(value.asset)] }),
    },
  }),
}
