/** Owns the events of asset definitions, balances and controls. */

import { bool, option } from '../../../codec/index.js'
import {
  aboutDefinition,
  assetDefinitionId,
  assetEvents,
  assetId,
  assetParty,
  controlLimits,
  defineEvents,
  definitionEvents,
} from '../../../model/index.js'
import { controlReason } from './instructions.js'

export const events = {
  ...assetEvents,
  ...definitionEvents,
  ...defineEvents({
    definitionDeleted: { id: 20, record: { definition: assetDefinitionId }, ...aboutDefinition },
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
